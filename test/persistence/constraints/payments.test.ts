import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type ConstraintStage, live, mine, startConstraintStage } from './stage.ts'

let stage: ConstraintStage

beforeAll(async () => {
  stage = await startConstraintStage()
})
afterAll(() => stage.database.drop())

/** Nothing captured yet, so that each case says what is. */
const books = {
  authorizedMinor: 2900,
  capturedMinor: 0,
  voidedMinor: 0,
  refundedMinor: 0,
  capturingMinor: 0,
  refundingMinor: 0,
}

describe('the database refuses', () => {
  test('a transaction, a refund and an operation only as the cases below change them', async () => {
    await stage.accepted('transaction', books)
    for (const name of ['refund', 'result'] as const) await stage.accepted(name)
  })

  test.each([
    ['captures of more than was authorized', { capturedMinor: 2901 }],
    ['a capture under way of more than was authorized', { capturingMinor: 2901 }],
    ['a capture and a void of more than was authorized, together', { capturedMinor: 2000, voidedMinor: 901 }],
    ['a capture under way beside what is captured already', { capturedMinor: 2000, capturingMinor: 901 }],
    ['a capture under way of what was voided', { voidedMinor: 2000, capturingMinor: 901 }],
    ['all three, together', { capturedMinor: 1000, voidedMinor: 1000, capturingMinor: 901 }],
  ])('%s', async (_, change) => {
    await stage.refused('transaction', { ...books, ...change }, 'never_more_than_authorized')
  })

  test.each([
    ['a refund of more than was captured', { refundedMinor: 2001 }],
    ['a refund under way of more than was captured', { refundingMinor: 2001 }],
    ['a refund under way beside what is refunded already', { refundedMinor: 1000, refundingMinor: 1001 }],
    ['a refund of what is only being captured', { capturedMinor: 0, capturingMinor: 2000, refundedMinor: 1 }],
  ])('%s', async (_, change) => {
    await stage.refused('transaction', { ...books, capturedMinor: 2000, ...change }, 'never_more_than_captured')
  })

  test.each([
    'authorizedMinor',
    'capturedMinor',
    'voidedMinor',
    'refundedMinor',
    'incrementedMinor',
    'capturingMinor',
    'refundingMinor',
  ] as const)('a negative %s', async (column) => {
    await stage.refused('transaction', { ...books, [column]: -1 }, /_minor_check$|^never_more_than/)
  })

  test.each([
    ['a live payment whose clock was moved', { ...live, clockOffsetMs: 1 }],
    ['a live payment whose clock is being moved', { ...live, clockMove: { target: 0, heldUntil: 0, key: null } }],
  ])('%s', async (_, change) => {
    await stage.refused('transaction', { ...books, ...change }, 'live_payments_keep_the_wall_clock')
  })

  test.each([
    ['a clock that was moved back', { clockOffsetMs: -1 }, /clock_offset_ms_check$/],
    ['a payment of less than nothing', { amountMinor: -1 }, 'amount_is_not_negative'],
    [
      'an authorization that holds for more than seven days',
      { authorizationValidityMs: 7 * 24 * 60 * 60 * 1000 + 1 },
      'transaction_authorization_validity_ms_check',
    ],
  ])('%s', async (_, change, constraint) => {
    await stage.refused('transaction', { ...books, ...change }, constraint)
  })

  test.each([
    ['of nothing', { amountMinor: 0 }, 'refund_amount_minor_check'],
    ['of less than nothing', { amountMinor: -1 }, 'refund_amount_minor_check'],
    ['for an unknown reason', { reason: 'regret' }, 'refund_reason_check'],
    ['that ended in an unknown way', { status: 'unknown' }, 'refund_status_check'],
  ])('a refund %s', async (_, change, constraint) => {
    await stage.refused('refund', change, constraint)
  })

  test.each([
    ['of an unknown type', { type: 'payout' }, 'operation_type'],
    ['that ended in an unknown way', { outcome: 'perhaps' }, 'operation_outcome'],
  ])('an operation %s', async (_, change, constraint) => {
    await stage.refused('result', change, constraint)
  })

  test('an operation that chooses its own place', async () => {
    const move = stage.database.orm.em
      .fork()
      .execute(`update operation set position = 1 where id = '${mine.result.id}'`)
    // PostgreSQL's "generated_always".
    await expect(move).rejects.toMatchObject({ code: '428C9' })
  })
})
