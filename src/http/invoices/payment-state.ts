import { exclusiveAttempt } from '../../../domain/payment.ts'
import type { LockedPayment } from '../../persistence/queries/payments/payment-lock.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'

/**
 * True while a payment of the invoice is in progress, and for good once one has succeeded. A payment that failed may be
 * tried anew, so the invoice can be changed before that.
 */
export function isBeingPaid({ invoice, transaction }: LockedPayment): boolean {
  if (transaction === null) return false
  const mayBeTried = transaction.status === 'failed' || transaction.status === 'blocked'
  return !mayBeTried || exclusiveAttempt(paymentOf(invoice, transaction)) !== null
}
