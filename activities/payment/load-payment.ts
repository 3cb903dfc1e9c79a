import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRow } from '../../src/persistence/rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { earlierRunOf, type StoredPayment } from './attempt.ts'

/** Reads the state of a payment, for a workflow run that has not executed a step yet. */
export async function loadPayment(
  { orm }: PaymentActivityDeps,
  { projectId, environment, invoiceId }: PaymentReference,
): Promise<StoredPayment> {
  const em = orm.em.fork()
  const owner = { projectId, sandbox: environment === 'sandbox' }
  const invoice = await findRow(em, InvoiceEntity, { id: invoiceId, ...owner })
  if (invoice === null) throw failures.paymentNotFound(invoiceId)
  const transaction = await findRow(em, TransactionEntity, { invoiceId, ...owner })
  const payment = paymentOf(invoice, transaction)
  return { payment, gatewayName: transaction?.gatewayName ?? null, ...earlierRunOf(transaction, null) }
}
