import type { DisputeStep } from './dispute.ts'
import { type Change, capturesInFlight, isDisputed, type Payment, refundingMinor } from './payment.ts'
import { findTransition, type TransactionTrigger, transition } from './transaction.ts'

/** A recorded capture that has failed late. */
export interface FailedCapture {
  amountMinor: number
  /** The amount that a final capture released, in minor units. */
  releasedMinor: number
}

/**
 * Reverses a capture after a late failure: its money, and the rest that it released, is reserved again, as after a decline.
 * If finished or open refunds need that money, nothing changes and staff must look. Staff must also look if the payment is
 * disputed and nothing remains captured.
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

/** Whether the other captures cover all refunds, finished and under way. */
export function canReverseCapture(payment: Payment, amountMinor: number): boolean {
  return payment.capturedMinor - amountMinor >= payment.refundedMinor + refundingMinor(payment)
}

/** `back`: the payment without the capture. */
function triggerOf(back: Payment): TransactionTrigger {
  if (back.capturedMinor > 0)
    return back.capturedMinor === back.refundedMinor ? 'capture-reversed-rest-refunded' : 'capture-reversed'
  return capturesInFlight(back).length > 0 ? 'capture-reversed-another-open' : 'capture-reversed-in-full'
}

/**
 * Whether a dispute step came before the dispute, or before the outcome of the capture that it concerns. An authorization or
 * capture under way may turn out approved, and then the step fits.
 */
export function comesEarly(payment: Payment, { step, id }: { step: DisputeStep; id: string | null }): boolean {
  // What is answered was told: a gateway that answers by itself tells both at once.
  if (step === 'dispute-answered' && !(payment.disputes ?? []).some((one) => one.id === id)) return true
  const mayHaveTaken = payment.attemptsInFlight.some(({ type }) => type === 'authorization' || type === 'capture')
  return mayHaveTaken && !isDisputed(payment.status) && findTransition(payment.status, step) === null
}

/** The inquiries of an issuer about a payment. */
export interface Inquiries {
  receivedRetrievalRequest: boolean
  receivedFraudNotification: boolean
}

/** Restores the status of an inquiry that a refund had hidden, after that refund was reversed. */
export function withInquiry(payment: Payment, asked: Inquiries): Payment {
  if (payment.status !== 'completed') return payment
  if (asked.receivedFraudNotification) return { ...payment, status: 'fraud-notification' }
  return asked.receivedRetrievalRequest ? { ...payment, status: 'retrieval-request' } : payment
}
