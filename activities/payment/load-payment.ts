import { findPayment } from '../../src/persistence/queries/payments/find-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { earlierRunOf, type StoredPayment } from './attempt.ts'

/** Reads the state of a payment, for a workflow run that has not executed a step yet. */
export async function loadPayment(
  { orm }: PaymentActivityDeps,
  { projectId, environment, invoiceId }: PaymentReference,
): Promise<StoredPayment> {
  const found = await findPayment(orm.em.fork(), { projectId, sandbox: environment === 'sandbox', invoiceId })
  if (found === null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = found
  const payment = paymentOf(invoice, transaction)
  return { payment, gatewayName: transaction?.gatewayName ?? null, ...earlierRunOf(transaction, null) }
}
