import type { IdempotencyClaim } from '../../../domain/command.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { PaymentOptions } from '../schemas/payment-options.ts'

/** The two endpoints that get an invoice paid. They take the same options and differ in what they do by default. */
export type Verb = 'authorize' | 'capture'

/** A wish to authorize or capture, with the rows it is about as they were read. */
export interface PaymentRequest {
  verb: Verb
  options: PaymentOptions
  /** The merchant's server, or a client. */
  actor: 'merchant' | 'client'
  /** Null where the request came without a key. */
  idempotency: IdempotencyClaim | null
  invoice: InvoiceRow
  transaction: TransactionRow | null
}
