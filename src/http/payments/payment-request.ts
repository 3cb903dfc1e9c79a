import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { PaymentOptions } from '../schemas/command-input.ts'

/** The two endpoints that get an invoice paid. They take the same options and differ in what they do by default. */
export type Verb = 'authorize' | 'capture'

/** A wish to authorize or capture, with the rows it is about as they were read. */
export interface PaymentRequest {
  verb: Verb
  options: PaymentOptions
  invoice: InvoiceRow
  transaction: TransactionRow | null
}
