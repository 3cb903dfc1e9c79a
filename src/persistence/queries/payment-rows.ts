import { newPayment, type Payment } from '../../../domain/payment.ts'
import type { InvoiceRow } from '../entities/invoice.ts'
import type { TransactionRow } from '../entities/transaction.ts'

const toInstant = (date: Date | null | undefined): number | null => date?.getTime() ?? null
const toDate = (instant: number | null): Date | null => (instant === null ? null : new Date(instant))

/** The payment that a row stands for; an invoice without a transaction is a payment before its first command. */
export function paymentOf(invoice: InvoiceRow, row: TransactionRow | null): Payment {
  if (row === null) return newPayment(invoice)
  const attemptInFlight =
    row.attemptInFlightId != null && row.attemptInFlightType != null
      ? { operationId: row.attemptInFlightId, type: row.attemptInFlightType }
      : null
  return {
    status: row.status,
    currency: row.currency,
    amountMinor: row.amountMinor,
    authorizedMinor: row.authorizedMinor,
    capturedMinor: row.capturedMinor,
    voidedMinor: row.voidedMinor,
    incrementedMinor: row.incrementedMinor,
    incremental: row.incremental,
    incrementAttempts: row.incrementAttempts,
    authorizationExpiresAt: toInstant(row.authorizationExpiresAt),
    autoCaptureAt: toInstant(row.autoCaptureAt),
    autoCaptureAmountMinor: row.autoCaptureAmountMinor ?? null,
    expired: row.expired,
    attemptInFlight,
  }
}

/** The columns of a row that a payment decides. */
export function columnsOf(payment: Payment) {
  if (payment.status === null) throw new Error('A payment without a status has no row.')
  return {
    status: payment.status,
    amountMinor: payment.amountMinor,
    authorizedMinor: payment.authorizedMinor,
    capturedMinor: payment.capturedMinor,
    voidedMinor: payment.voidedMinor,
    incrementedMinor: payment.incrementedMinor,
    incremental: payment.incremental,
    incrementAttempts: payment.incrementAttempts,
    authorizationExpiresAt: toDate(payment.authorizationExpiresAt),
    autoCaptureAt: toDate(payment.autoCaptureAt),
    autoCaptureAmountMinor: payment.autoCaptureAmountMinor,
    expired: payment.expired,
    attemptInFlightId: payment.attemptInFlight?.operationId ?? null,
    attemptInFlightType: payment.attemptInFlight?.type ?? null,
  }
}
