import { TRANSACTION_STATUSES, type TransactionStatus } from './transaction.ts'

/** Where an invoice stands, in the merchant's words. It is derived from the transaction and never stored. */
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
  // The invoice was paid; a dispute about it is told by the transaction.
  'retrieval-request': 'completed',
  'fraud-notification': 'completed',
  'chargeback-initiated': 'completed',
  solved: 'completed',
  reversed: 'completed',
}

/** The statuses of a transaction by which its invoice has this one, as long as the invoice has not expired. */
export function transactionStatusesOf(status: InvoiceStatus): TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((one) => STATUS_OF[one] === status)
}

/** `pending` means that no payment was tried yet, `expired` that none can be tried any more. */
export function invoiceStatus(
  transactionStatus: TransactionStatus | null,
  end: { expiresAt?: Date | null | undefined; expiredAt?: Date | null | undefined; now?: Date | undefined },
): InvoiceStatus {
  const status = transactionStatus === null ? 'pending' : STATUS_OF[transactionStatus]
  return (status === 'pending' || status === 'failed') && hasPassed(end) ? 'expired' : status
}

/** The instant itself is still in time. Without a clock, what the sweep has found counts. */
function hasPassed({ expiresAt, expiredAt, now }: Parameters<typeof invoiceStatus>[1]): boolean {
  return expiredAt != null || (expiresAt != null && now !== undefined && now > expiresAt)
}
