import { describe, expect, test } from '@jest/globals'
import { type CommandAnswer, mayTakeAtOnce } from '../../domain/command.ts'
import { decide, goesOnToCapture } from '../../domain/decision.ts'
import { nextDue, type Payment, remainingMinor } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  authorized,
  captureCommand,
  completed,
  failed,
  fresh,
  HOUR_MS,
  inFlight,
  refundCommand,
  reportOutcome,
  saleCommand,
  short,
  step,
} from './payment-builders.ts'

const goesOn = (answer: CommandAnswer, payment: Payment, at = AT) => goesOnToCapture(saleCommand(), answer, payment, at)
const due = { autoCaptureAt: AT }

describe('a sale', () => {
  test('that is refused, declined or open does not go on to its capture', () => {
    const refused = { kind: 'refused', code: 'request.not-started', message: '' } as const

    expect(goesOn(refused, authorized(due))).toBe(false)
    expect(goesOn({ kind: 'duplicate' }, authorized(due))).toBe(false)
    expect(goesOn({ kind: 'unchanged' }, authorized(due))).toBe(false)
    expect(goesOn({ kind: 'declined', code: 'card.do-not-honor' }, failed)).toBe(false)
    expect(goesOn({ kind: 'pending' }, inFlight('authorization', 'pending'))).toBe(false)
  })

  test('does not go on where the money was taken with the authorization, a step is under way, or nothing is due', () => {
    expect(goesOn({ kind: 'done' }, completed())).toBe(false)
    expect(goesOn({ kind: 'done' }, { ...inFlight('capture', 'authorized'), ...due })).toBe(false)
    expect(goesOn({ kind: 'done' }, { ...inFlight('void', 'authorized'), ...due })).toBe(false)
    expect(goesOn({ kind: 'done' }, authorized())).toBe(false)
    expect(goesOn({ kind: 'done' }, authorized({ autoCaptureAt: AT + 1 }))).toBe(false)
  })

  test('goes on once the money is reserved, and nothing else does', () => {
    expect(goesOn({ kind: 'done' }, authorized(due))).toBe(true)
    expect(goesOnToCapture({ kind: 'schedule-capture' }, { kind: 'done' }, authorized(due), AT)).toBe(false)
  })

  test('whose authorization is unknown captures as soon as it is known', () => {
    const asked = step(fresh, saleCommand(1_000), 'open').payment
    const { payment } = reportOutcome(asked, 'tr_op_1', 'approved', AT + 5_000)

    expect(nextDue(asked)).toBeNull()
    expect(nextDue(payment)).toEqual({
      kind: 'auto-capture',
      at: AT,
      amountMinor: 1_000,
      detailIds: null,
      isFinal: true,
    })
  })

  test('of lines captures those lines', () => {
    const sale = saleCommand(1_000, { autoCaptureDetailIds: ['iv_det_1'] })
    const { payment } = step(fresh, sale, 'approved')

    expect(nextDue(payment)).toMatchObject({ amountMinor: 1_000, detailIds: ['iv_det_1'] })
  })

  test('whose capture fails is never captured later: its caller was told', () => {
    const reserved = step(fresh, saleCommand(), 'approved').payment
    for (const said of ['declined', 'failed-in-passing'] as const) {
      const { payment } = step(reserved, captureCommand(), said)
      expect(payment.autoCaptureAt).toBeNull()
      expect(nextDue(payment)).toMatchObject({ kind: 'expiry-announcement' })
    }
  })
})

describe('money that is taken with the authorization', () => {
  const taken = step(fresh, authorizeCommand({ autoCaptureAt: AT + 1 }), { sold: 2_900 })

  test('is never captured again', () => {
    expect(taken.payment.autoCaptureAt).toBeNull()
    expect(nextDue(taken.payment)).toBeNull()
    expect(remainingMinor(taken.payment)).toBe(0)
    expect(short(decide(taken.payment, captureCommand(), AT))).toBe('request.validation.invalid-state')
    expect(short(decide(taken.payment, captureCommand(1), AT))).toBe('request.validation.invalid-state')
  })

  test('makes the payment complete, with both steps told', () => {
    expect(taken.payment).toMatchObject({
      status: 'completed',
      authorizedMinor: 2_900,
      capturedMinor: 2_900,
      capturesCount: 1,
    })
    expect(taken.fires).toEqual([
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
  })

  test('can be refunded', () => {
    expect(step(taken.payment, refundCommand(), 'approved').payment.status).toBe('refunded')
  })

  test.each<[string, ReturnType<typeof authorizeCommand>, boolean]>([
    ['an authorization', authorizeCommand(), false],
    ['the sale of a part', saleCommand(1_000), false],
    ['the sale of all', saleCommand(), true],
    ['the sale of all, said as an amount', saleCommand(2_900), true],
    ['an authorization that may fall back', authorizeCommand({ mayFallBackToSale: true }), true],
    ['the sale of a part that may fall back', { ...saleCommand(1_000), mayFallBackToSale: true }, false],
    [
      'an authorization that may fall back, of which a part is to be captured later',
      authorizeCommand({ mayFallBackToSale: true, autoCaptureAmountMinor: 1_000 }),
      false,
    ],
    [
      'an authorization that may fall back, and is to be captured later',
      authorizeCommand({ mayFallBackToSale: true, autoCaptureAt: AT + HOUR_MS }),
      false,
    ],
  ])('is wanted or allowed by %s: %s', (_, command, expected) => {
    expect(mayTakeAtOnce(command, 2_900)).toBe(expected)
  })
})
