import type { TransactionStatus } from '../../domain/transaction.ts'

/** Where an invoice stands, in the merchant's words. It is derived from the transaction and never stored. */
export type InvoiceStatus =
  | 'pending'
  | 'processing'
  | 'authorized'
  | 'completed'
  | 'failed'
  | 'canceled'
  | 'expired'
  | 'refunded'

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
