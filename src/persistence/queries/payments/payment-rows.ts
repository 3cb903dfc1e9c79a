import { answerableDisputes, disputedMinor, lastDisputedAt } from '../../../../domain/dispute.ts'
import { nextLookUp } from '../../../../domain/look-up.ts'
import type { InvoiceTerms } from '../../../../domain/pay.ts'
import { capturingMinor, newPayment, nextDue, type Payment, refundingMinor } from '../../../../domain/payment.ts'
import type { InvoiceRow } from '../../entities/invoice.ts'
import type { TransactionRow } from '../../entities/transaction.ts'

const toInstant = (date: Date | null | undefined): number | null => date?.getTime() ?? null
const toDate = (instant: number | null): Date | null => (instant === null ? null : new Date(instant))

/** The payment of a row; an invoice without a transaction is a payment before its first command. */
export function paymentOf(invoice: InvoiceRow, row: TransactionRow | null): Payment {
  const payableUntil = toInstant(invoice.expiresAt)
  if (row === null) return newPayment({ ...invoice, payableUntil })
  return {
    status: row.status,
    currency: row.currency,
    amountMinor: row.amountMinor,
    authorizedMinor: row.authorizedMinor,
    capturedMinor: row.capturedMinor,
    voidedMinor: row.voidedMinor,
    refundedMinor: row.refundedMinor,
    incrementedMinor: row.incrementedMinor,
    incremental: row.incremental,
    incrementAttempts: row.incrementAttempts,
    capturesCount: row.capturesCount,
    capabilities: row.capabilities,
    payableUntil,
    authorizationValidityMs: row.authorizationValidityMs,
    authorizationExpiresAt: toInstant(row.authorizationExpiresAt),
    autoCaptureAt: toInstant(row.autoCaptureAt),
    autoCaptureAmountMinor: row.autoCaptureAmountMinor ?? null,
    autoCaptureDetailIds: row.autoCaptureDetailIds ?? null,
    autoCaptureIsFinal: row.autoCaptureIsFinal,
    autoCaptureRetryAt: toInstant(row.autoCaptureRetryAt),
    autoCaptureFailures: row.autoCaptureFailures,
    expiryAnnounced: row.expiryAnnounced,
    expired: row.expired,
    attemptsInFlight: row.attemptsInFlight,
    orphans: row.orphans,
    ...(row.disputes.length > 0 && { disputes: row.disputes }),
    needsAttention: row.needsAttention,
    ...(row.clockOffsetMs > 0 && { clockOffsetMs: row.clockOffsetMs }),
  }
}

/** What an invoice, and the last try to pay it, say about a call. */
export function termsOf(invoice: InvoiceRow, tried: TransactionRow | null): InvoiceTerms {
  return { ...invoice, autoCaptureAt: toInstant(invoice.autoCaptureAt), hasReturnUrl: invoice.returnUrl != null, tried }
}

/** The columns that follow from a payment. */
export function toColumns(payment: Payment) {
  if (payment.status === null) throw new Error('A payment without a status has no row.')
  const { payableUntil: _, clockOffsetMs = 0, disputes = [], ...columns } = payment
  // Sweeps compare with the wall clock.
  const onWallClock = (instant: number | undefined) =>
    instant === undefined ? null : new Date(instant - clockOffsetMs)
  const answerable = answerableDisputes(payment)
  return {
    ...columns,
    clockOffsetMs,
    disputes,
    disputedMinor: disputedMinor(payment),
    disputesOpen: answerable.length,
    evidenceDueAt: toDate(answerable[0]?.evidenceDueAt ?? null),
    disputedAt: toDate(lastDisputedAt(payment)),
    status: payment.status,
    capturingMinor: capturingMinor(payment),
    refundingMinor: refundingMinor(payment),
    authorizationExpiresAt: toDate(payment.authorizationExpiresAt),
    autoCaptureAt: toDate(payment.autoCaptureAt),
    autoCaptureRetryAt: toDate(payment.autoCaptureRetryAt),
    nextDueAt: onWallClock(nextDue(payment)?.at),
    nextLookUpAt: onWallClock(nextLookUp(payment)?.at),
  }
}
