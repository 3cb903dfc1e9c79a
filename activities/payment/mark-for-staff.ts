import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { transact } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { openForChange } from './open-for-change.ts'
import { writePayment } from './records/write-payment.ts'

/** Marks a payment for staff if a notification cannot be recorded. */
export async function markForStaff(
  { orm, clock, logger }: Pick<PaymentActivityDeps, 'orm' | 'clock' | 'logger'>,
  reference: PaymentReference,
  err: Error,
): Promise<void> {
  const about = { err, invoice_id: reference.invoiceId }
  logger.error(about, 'A gateway notification cannot be recorded; its payment needs attention')
  await transact(orm, async (unit) => {
    const { invoice, transaction } = await openForChange(unit, reference)
    if (transaction === null) return
    const payment = { ...paymentOf(invoice, transaction), needsAttention: true }
    writePayment({ clock }, unit, transaction, payment)
  })
}
