import { describe, expect, test } from '@jest/globals'
import { type Payment, refundableMinor, remainingMinor } from '../../domain/payment.ts'
import { canReverseCapture, comesEarly, reverseCapture, withInquiry } from '../../domain/reversal.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import {
  authorizeCommand,
  authorized,
  captureCommand,
  completed,
  fresh,
  partCommand,
  partly,
  refundCommand,
  step,
  voidCommand,
  voided,
} from './payment-builders.ts'

const FAILED = ['transaction.operation.capture.failed']

/** Captured twice, for 1,000 and 900 of 2,900. */
const twice = (overrides: Partial<Payment> = {}) => partly({ capturedMinor: 1_900, capturesCount: 2, ...overrides })

describe('a capture that fails after it had succeeded', () => {
  const whole = { amountMinor: 2_900, releasedMinor: 0 }

  test.each<[string, Payment]>([
    ['was refunded', completed({ status: 'refunded', refundedMinor: 2_900 })],
    ['was refunded in part', completed({ status: 'partially-refunded', refundedMinor: 1 })],
    ['is being refunded', step(completed(), refundCommand(1), 'open').payment],
    [
      'the issuer takes back, and was refunded in part',
      completed({ status: 'chargeback-initiated', refundedMinor: 1 }),
    ],
  ])('stays in the record where its money %s, and staff look', (_, payment) => {
    expect(canReverseCapture(payment, 2_900)).toBe(false)
    expect(reverseCapture(payment, whole)).toEqual({ payment: { ...payment, needsAttention: true }, fires: [] })
  })

  test('stays in the record where a refund that was made and one under way need more than the others have taken', () => {
    const refunding = step(twice({ status: 'partially-refunded', refundedMinor: 600 }), refundCommand(401), 'open')

    expect(canReverseCapture(refunding.payment, 900)).toBe(false)
    expect(reverseCapture(refunding.payment, { amountMinor: 900, releasedMinor: 0 }).fires).toEqual([])
  })

  test('is taken back where the others cover to the cent what was refunded, and what is being refunded', () => {
    const refunding = step(twice({ status: 'partially-refunded', refundedMinor: 600 }), refundCommand(400), 'open')
    const { payment, fires } = reverseCapture(refunding.payment, { amountMinor: 900, releasedMinor: 0 })

    expect(payment).toMatchObject({ status: 'partially-refunded', capturedMinor: 1_000, needsAttention: false })
    expect(refundableMinor(payment)).toBe(0)
    expect(fires).toEqual(FAILED)
  })

  test('leaves all of its money reserved, as if it had been declined', () => {
    const { payment, fires } = reverseCapture(completed(), whole)

    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, capturesCount: 0, needsAttention: false })
    expect(remainingMinor(payment)).toBe(2_900)
    expect(fires).toEqual(FAILED)
  })

  test('leaves the mark for staff that its payment had before', () => {
    expect(reverseCapture(completed({ needsAttention: true }), whole).payment.needsAttention).toBe(true)
  })

  test('reserves again what it had released, and not what the merchant had voided before', () => {
    const captured = step(authorized({ voidedMinor: 500 }), captureCommand(1_000), 'approved').payment
    expect(captured).toMatchObject({ voidedMinor: 1_900 })

    const { payment } = reverseCapture(captured, { amountMinor: 1_000, releasedMinor: 1_400 })

    expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, voidedMinor: 500 })
    expect(remainingMinor(payment)).toBe(2_400)
  })

  test.each<[Payment, TransactionStatus]>([
    [twice(), 'completed'],
    [twice({ status: 'partially-refunded', refundedMinor: 900 }), 'partially-refunded'],
    [twice({ status: 'partially-refunded', refundedMinor: 1_000 }), 'refunded'],
    [twice({ status: 'chargeback-initiated' }), 'chargeback-initiated'],
    [twice({ status: 'reversed', refundedMinor: 1_000 }), 'reversed'],
  ])('leaves what another one took', (payment, status) => {
    const { payment: back, fires } = reverseCapture(payment, { amountMinor: 900, releasedMinor: 0 })

    expect(back).toMatchObject({ status, capturedMinor: 1_000, capturesCount: 1, needsAttention: false })
    expect(fires).toEqual(FAILED)
  })

  test('beside another one that is not known yet leaves its payment waiting for that', () => {
    const underWay = step(partly(), partCommand(900), 'open').payment
    const { payment } = reverseCapture(underWay, { amountMinor: 1_000, releasedMinor: 0 })

    expect(payment).toMatchObject({ status: 'pending-capture', capturedMinor: 0, capturesCount: 0 })
  })

  test.each(['chargeback-initiated', 'retrieval-request', 'solved'] as const)(
    'asks staff to look where its money is disputed, which now was never taken: %s',
    (status) => {
      const { payment } = reverseCapture(completed({ status }), whole)

      expect(payment).toMatchObject({ status: 'authorized', capturedMinor: 0, needsAttention: true })
    },
  )
})

describe('a step of a dispute comes before the word that the money was taken', () => {
  test.each<[string, Payment, boolean]>([
    ['where the capture is not known yet', step(authorized(), captureCommand(), 'open').payment, true],
    ['where the authorization is not known yet', step(fresh, authorizeCommand(), 'open').payment, true],
    ['not where nothing is under way', authorized(), false],
    ['not where only a void is under way', step(authorized(), voidCommand(900), 'open').payment, false],
    ['not where the money was taken', completed(), false],
    ['not where another capture has taken some', step(partly(), partCommand(900), 'open').payment, false],
    [
      'not where the money is disputed already',
      { ...step(partly(), partCommand(900), 'open').payment, status: 'chargeback-initiated' },
      false,
    ],
    ['not where nothing was ever held', voided(), false],
  ])('%s', (_, payment, expected) => {
    expect(comesEarly(payment, { step: 'chargeback-created', id: 'du_1' })).toBe(expected)
  })

  test.each([
    ['du_1', false],
    ['du_2', true],
  ])('its answer %s where another dispute is told alone: %p', (id, expected) => {
    const disputes = [{ id: 'du_1', status: 'open', amountMinor: 900 } as const]
    const payment = { ...completed({ status: 'chargeback-initiated' }), disputes }
    expect(comesEarly(payment, { step: 'dispute-answered', id })).toBe(expected)
  })
})

describe('a payment whose refund has failed', () => {
  test.each<[TransactionStatus, boolean, boolean, TransactionStatus]>([
    ['completed', false, false, 'completed'],
    ['completed', true, false, 'retrieval-request'],
    ['completed', false, true, 'fraud-notification'],
    ['completed', true, true, 'fraud-notification'],
    ['partially-refunded', true, true, 'partially-refunded'],
    ['chargeback-initiated', true, true, 'chargeback-initiated'],
  ])('that is %s, was asked about: %s, and reported: %s, is %s', (status, asked, reported, expected) => {
    const inquiries = { receivedRetrievalRequest: asked, receivedFraudNotification: reported }
    expect(withInquiry(completed({ status }), inquiries).status).toBe(expected)
  })
})
