import { beforeAll, describe, expect, test } from '@jest/globals'
import { NETWORK_WINDOWS } from '../../domain/network-limits.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { type CountedPayment, countDeclines } from '../../src/persistence/queries/advice/count-declines.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const NOW = new Date('2026-11-21T12:00:00.000Z')
const HOUR_MS = 3_600_000
const NONE = { neverApproved: 0, sinceApprovalInMonth: 0, inDay: 0, overAmountInMonth: 0 }

const database = databaseForFile()
const mine = makeRows('mine')
let count = 0

beforeAll(async () => {
  await insertRows(em(), mine)
})

const em = () => database.orm.em.fork()

/** A card that nobody has used, as two rows of it count as one. */
async function newCard() {
  count += 1
  const fingerprint = String(count).padStart(64, 'c')
  const unused = { usedByInvoiceId: null, usedByTokenId: null, fingerprint }
  const [id, again] = [`card_${count}a`, `card_${count}b`]
  for (const card of [id, again]) await em().insert(CardEntity, { ...mine.card, ...unused, id: card })
  const payment: CountedPayment = {
    projectId: mine.project.id,
    sandbox: true,
    cardFingerprint: fingerprint,
    scheme: 'visa',
    amountMinor: 2900,
    currency: 'EUR',
  }
  return {
    /** An authorization that was declined an hour ago by the issuer, unless told otherwise. */
    async answer(fields: Partial<OperationRow> = {}, agoMs = HOUR_MS) {
      count += 1
      const declined = { hasFailed: true, outcome: 'failed', errorCode: 'card.do-not-honor' } as const
      const sent = {
        attemptOperationId: null,
        isNotSent: false,
        merchantAdviceCode: null,
        schemeUsed: null,
        correctedAttemptId: null,
      } as const
      const amount = { type: 'authorization', amountMinor: 2900, currency: 'EUR', targetTotalMinor: null } as const
      const row = { ...mine.result, ...declined, ...sent, ...amount, id: `tr_op_${count}`, cardId: id }
      await em().insert(OperationEntity, { ...row, createdAt: new Date(NOW.getTime() - agoMs), ...fields })
    },
    again,
    counted: (fields: Partial<CountedPayment> = {}) => countDeclines(em(), { ...payment, ...fields }, NOW),
  }
}

const APPROVED = { hasFailed: false, outcome: 'succeeded', errorCode: null } as const

describe('a network counts', () => {
  test('every decline of a card, whichever row of it was charged, over this amount by itself', async () => {
    const { answer, again, counted } = await newCard()
    await answer()
    await answer({ cardId: again })
    await answer({ amountMinor: 1 })
    await answer({ currency: 'USD' })
    await answer({ errorCode: 'gateway.declined', merchantAdviceCode: '2' })
    expect(await counted()).toEqual({ ...NONE, sinceApprovalInMonth: 5, inDay: 5, overAmountInMonth: 3 })
  })

  test('on Visa from the last approval on, and category 1 by itself', async () => {
    const { answer, counted } = await newCard()
    await answer({ merchantAdviceCode: '1' }, 4 * HOUR_MS)
    await answer({}, 4 * HOUR_MS)
    expect(await counted()).toMatchObject({ neverApproved: 1, sinceApprovalInMonth: 1 })
    await answer(APPROVED, 3 * HOUR_MS)
    expect(await counted()).toMatchObject({ neverApproved: 0, sinceApprovalInMonth: 0, inDay: 2 })
    await answer({}, 2 * HOUR_MS)
    await answer({ merchantAdviceCode: '1' }, 2 * HOUR_MS)
    expect(await counted()).toMatchObject({ neverApproved: 1, sinceApprovalInMonth: 1, inDay: 4 })
  })

  test('by the day and by the month, to the millisecond, and category 1 for ever', async () => {
    const { answer, counted } = await newCard()
    for (const windowMs of [NETWORK_WINDOWS.day, NETWORK_WINDOWS.month])
      for (const agoMs of [windowMs - 1, windowMs]) await answer({}, agoMs)
    await answer({ merchantAdviceCode: '1' }, 10 * NETWORK_WINDOWS.month)
    expect(await counted()).toEqual({ neverApproved: 1, sinceApprovalInMonth: 3, inDay: 1, overAmountInMonth: 3 })
  })
})

describe('a network does not count', () => {
  test.each<[string, Partial<OperationRow>]>([
    ['what was not sent', { isNotSent: true }],
    ['a refusal of the gateway itself', { errorCode: 'gateway.internal-error' }],
    ['an outcome that is not known', { outcome: 'unknown', hasFailed: false, errorCode: null }],
    ['an attempt without its result', { isAttempt: true, outcome: null, hasFailed: false }],
    ['a declined capture', { type: 'capture' }],
    ['what went to the other scheme of the card', { schemeUsed: 'carte bancaire' }],
  ])('%s', async (_, fields) => {
    const { answer, counted } = await newCard()
    await answer(fields)
    expect(await counted()).toEqual(NONE)
  })

  test('what another card, project or environment was declined for', async () => {
    const [{ answer }, { counted }] = [await newCard(), await newCard()]
    await answer()
    expect(await counted()).toEqual(NONE)
    const own = await newCard()
    await own.answer()
    expect(await own.counted({ projectId: 'proj_other' })).toEqual(NONE)
    expect(await own.counted({ sandbox: false })).toEqual(NONE)
    expect(await own.counted()).toMatchObject({ inDay: 1 })
  })
})
