import { type OpenedPayment, openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import { failures } from '../failures.ts'

/** Additional rows to read with the payment. */
interface Purpose {
  /** The command's operations, to see whether one of them was withdrawn. */
  operationIds?: readonly string[]
  /** The attempt whose outcome is recorded. */
  attemptId?: string
}

/**
 * Locks a payment for this database transaction and reads it.
 *
 * @throws ApplicationFailure if the project has no such invoice.
 */
export async function openForChange(
  unit: Unit,
  { projectId, environment, invoiceId }: PaymentReference,
  { operationIds = [], attemptId }: Purpose = {},
): Promise<OpenedPayment> {
  const opened = await openPayment(unit, {
    projectId,
    sandbox: environment === 'sandbox',
    invoiceId,
    operationIds,
    attemptId: attemptId ?? null,
    authorization: null,
  })
  if (opened === null) throw failures.paymentNotFound(invoiceId)
  return opened
}
