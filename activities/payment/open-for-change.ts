import { type OpenedPayment, type Opening, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { failures } from '../failures.ts'

/** Additional rows to read with the payment. */
type Purpose = Pick<Opening, 'operationIds' | 'attemptId'>

/**
 * Locks a payment for this database transaction and reads it.
 *
 * @throws ApplicationFailure if the project has no such invoice.
 */
export async function openForChange(
  unit: Unit,
  { projectId, environment, invoiceId }: PaymentReference,
  purpose: Purpose = {},
): Promise<OpenedPayment> {
  const opened = await openPayment(unit, { projectId, sandbox: environment === 'sandbox', invoiceId, ...purpose })
  if (opened === null) throw failures.paymentNotFound(invoiceId)
  return opened
}
