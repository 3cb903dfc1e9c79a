import type { DisputeStep } from './dispute.ts'
import { type Change, capturesInFlight, isDisputed, type Payment, refundingMinor } from './payment.ts'
import { findTransition, type TransactionTrigger, transition } from './transaction.ts'

/** A capture that the record holds, and that has failed after all. */
export interface FailedCapture {
  amountMinor: number
  /** What was released with it, because it was final. */
  releasedMinor: number
}

/**
 * A capture that had succeeded has failed after all: its money is only reserved, and what it had released is so again, as
 * if it had been declined. What was refunded meanwhile, or is being refunded, cannot stand without it: then nothing changes,
 * and staff have to look. They look as well where somebody disputes money that was never taken.
 */
export function reverseCapture(payment: Payment, { amountMinor, releasedMinor }: FailedCapture): Change {
  if (!canReverseCapture(payment, amountMinor)) return { payment: { ...payment, needsAttention: true }, fires: [] }
  const back: Payment = {
    ...payment,
    capturedMinor: payment.capturedMinor - amountMinor,
    capturesCount: Math.max(0, payment.capturesCount - 1),
    voidedMinor: Math.max(0, payment.voidedMinor - releasedMinor),
  }
  const { to, fires } = transition(payment.status, triggerOf(back))
  const isDisputedForNothing = back.capturedMinor === 0 && payment.status !== 'completed'
  return { payment: { ...back, status: to, needsAttention: back.needsAttention || isDisputedForNothing }, fires }
}

/** Whether the rest of what was captured covers what was given back, and what is on its way back. */
export function canReverseCapture(payment: Payment, amountMinor: number): boolean {
  return payment.capturedMinor - amountMinor >= payment.refundedMinor + refundingMinor(payment)
}

/** `back`: the amounts after the capture was taken out of them. */
function triggerOf(back: Payment): TransactionTrigger {
  if (back.capturedMinor > 0)
    return back.capturedMinor === back.refundedMinor ? 'capture-reversed-rest-refunded' : 'capture-reversed'
  return capturesInFlight(back).length > 0 ? 'capture-reversed-another-open' : 'capture-reversed-in-full'
}

/**
 * Whether a step of a dispute has come before the word that the money was taken: what is under way may still turn out to
 * have taken it, and then the step fits.
 */
export function comesEarly(payment: Payment, step: DisputeStep): boolean {
  const mayHaveTaken = payment.attemptsInFlight.some(({ type }) => type === 'authorization' || type === 'capture')
  return mayHaveTaken && !isDisputed(payment.status) && findTransition(payment.status, step) === null
}

/** What an issuer has asked or reported of a payment. */
export interface Inquiries {
  receivedRetrievalRequest: boolean
  receivedFraudNotification: boolean
}

/** A refund had stood before what an issuer asked about the money; now that it does not, the question does. */
export function withInquiry(payment: Payment, asked: Inquiries): Payment {
  if (payment.status !== 'completed') return payment
  if (asked.receivedFraudNotification) return { ...payment, status: 'fraud-notification' }
  return asked.receivedRetrievalRequest ? { ...payment, status: 'retrieval-request' } : payment
}
