import { TRANSACTION_STATUSES, type TransactionStatus } from './transaction.ts'

/** The status of an invoice for merchants. It is derived from the transaction's, and never stored. */
export const INVOICE_STATUSES = [
  'pending',
  'processing',
  'authorized',
  'completed',
  'failed',
  'canceled',
  'expired',
  'refunded',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

const STATUS_OF: Record<TransactionStatus, InvoiceStatus> = {
  waiting: 'processing',
  pending: 'processing',
  'in-review': 'processing',
  'pending-capture': 'processing',
  authorized: 'authorized',
  completed: 'completed',
  'partially-refunded': 'completed',
  failed: 'failed',
  blocked: 'failed',
  voided: 'canceled',
  refunded: 'refunded',
  // The invoice was paid; the transaction shows the dispute.
  'retrieval-request': 'completed',
  'fraud-notification': 'completed',
  'chargeback-initiated': 'completed',
  solved: 'completed',
  reversed: 'completed',
}

/** The transaction statuses that give an invoice this status, unless it has expired. */
export function transactionStatusesOf(status: InvoiceStatus): TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((one) => STATUS_OF[one] === status)
}

/** `pending`: no payment was tried yet. `expired`: no payment is possible any more. */
export function invoiceStatus(
  transactionStatus: TransactionStatus | null,
  end: { expiresAt?: Date | null | undefined; expiredAt?: Date | null | undefined; now?: Date | undefined },
): InvoiceStatus {
  const status = transactionStatus === null ? 'pending' : STATUS_OF[transactionStatus]
  return (status === 'pending' || status === 'failed') && hasPassed(end) ? 'expired' : status
}

/** The instant itself is still in time. Without `now`, only an expiry that the sweep recorded counts. */
function hasPassed({ expiresAt, expiredAt, now }: Parameters<typeof invoiceStatus>[1]): boolean {
  return expiredAt != null || (expiresAt != null && now !== undefined && now > expiresAt)
}
