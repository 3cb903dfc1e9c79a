import type { TransactionStatus } from '../../domain/transaction.ts'

/** Where an invoice stands, in the merchant's words. It is derived from the transaction and never stored. */
export type InvoiceStatus = 'pending' | 'processing' | 'authorized' | 'completed' | 'failed' | 'canceled' | 'refunded'

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

/** `pending` means that no payment was tried yet. */
export function invoiceStatus(transactionStatus: TransactionStatus | null): InvoiceStatus {
  return transactionStatus === null ? 'pending' : STATUS_OF[transactionStatus]
}
