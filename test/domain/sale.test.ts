import { describe, expect, test } from '@jest/globals'
import { mayTakeAtOnce } from '../../domain/command.ts'
import { decide, saleGoesOn, withinApproved } from '../../domain/decision.ts'
import { nextDue, remainingMinor } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  authorized,
  captureCommand,
  completed,
  failed,
  fresh,
  inFlight,
  refundCommand,
  reportOutcome,
  short,
  step,
} from './payment-builders.ts'

const MERCHANT = { actor: 'merchant' } as const
const CLIENT = { actor: 'client' } as const

const sell = (amountMinor: number | null = null) => authorizeCommand({ capture: captureCommand(amountMinor) })

describe('a sale', () => {
  test('that is refused, declined or open does not go on to its capture', () => {
    const refused = { kind: 'refused', code: 'request.not-started', message: '' } as const

    expect(saleGoesOn(MERCHANT, refused, authorized())).toBe(false)
    expect(saleGoesOn(MERCHANT, { kind: 'duplicate' }, authorized())).toBe(false)
    expect(saleGoesOn(MERCHANT, { kind: 'declined', code: 'card.do-not-honor' }, failed)).toBe(false)
    expect(saleGoesOn(MERCHANT, { kind: 'pending' }, inFlight('authorization', 'pending'))).toBe(false)
  })

  test('does not go on where the money was taken with the authorization, or a step is under way', () => {
    expect(saleGoesOn(MERCHANT, { kind: 'done' }, completed())).toBe(false)
    expect(saleGoesOn(MERCHANT, { kind: 'unchanged' }, inFlight('capture', 'authorized'))).toBe(false)
    expect(saleGoesOn(MERCHANT, { kind: 'unchanged' }, inFlight('void', 'authorized'))).toBe(false)
  })

  test('goes on once the money is reserved', () => {
    expect(saleGoesOn(MERCHANT, { kind: 'done' }, authorized())).toBe(true)
    expect(saleGoesOn(MERCHANT, { kind: 'unchanged' }, authorized())).toBe(true)
  })

  test('of a client goes on with its own authorization, and never with one that it found', () => {
    expect(saleGoesOn(CLIENT, { kind: 'unchanged' }, authorized())).toBe(false)
    expect(saleGoesOn(CLIENT, { kind: 'done' }, authorized())).toBe(true)
  })

  test('whose authorization is unknown captures as soon as it is known', () => {
    const asked = step(fresh, sell(1_000), 'open').payment
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
    const capture = captureCommand(1_000, { detailIds: ['iv_det_1'] })
    const { payment } = step(fresh, authorizeCommand({ capture }), 'approved')

    expect(nextDue(payment)).toMatchObject({ amountMinor: 1_000, detailIds: ['iv_det_1'] })
  })

  test('of which less was approved captures what was approved, and its lines only where they fit', () => {
    const part = authorized({ authorizedMinor: 1_450 })
    const asked = captureCommand(2_900, { detailIds: ['iv_det_1'] })
    const fitting = captureCommand(1_450, { detailIds: ['iv_det_1'] })

    expect(withinApproved(asked, part)).toEqual(captureCommand(1_450))
    expect(withinApproved(fitting, part)).toEqual(fitting)
    expect(withinApproved(asked, authorized())).toEqual(asked)
    expect(withinApproved(captureCommand(), part)).toEqual(captureCommand())
    expect(short(decide(part, withinApproved(asked, part), AT))).toBe(1_450)
  })

  test('whose capture fails is never captured later: its caller was told', () => {
    const reserved = step(fresh, sell(), 'approved').payment
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
    expect(short(decide(taken.payment, captureCommand(), AT))).toBe('unchanged')
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
    ['the sale of a part', sell(1_000), false],
    ['the sale of all', sell(), true],
    ['the sale of all, said as an amount', sell(2_900), true],
    ['an authorization that may fall back', authorizeCommand({ mayFallBackToSale: true }), true],
    ['the sale of a part that may fall back', { ...sell(1_000), mayFallBackToSale: true }, false],
    [
      'an authorization that may fall back, of which a part is to be captured later',
      authorizeCommand({ mayFallBackToSale: true, autoCaptureAmountMinor: 1_000 }),
      false,
    ],
  ])('is wanted or allowed by %s: %s', (_, command, expected) => {
    expect(mayTakeAtOnce(command, 2_900)).toBe(expected)
  })
})
