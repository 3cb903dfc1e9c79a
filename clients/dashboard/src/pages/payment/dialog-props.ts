import type { Invoice, Transaction } from '../../../../node/src/generated/schemas.ts'

/** What each dialog of a payment gets. */
export interface PaymentDialogProps {
  invoice: Invoice
  transaction: Transaction
  onClose(): void
  /** After it was done, with what to say. */
  onDone(words: string): void
}
