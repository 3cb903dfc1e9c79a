import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/** Marks a payment about which something cannot be recorded, so that staff find it. */
export async function markForStaff(
  { orm, clock, logger }: Pick<PaymentActivityDeps, 'orm' | 'clock' | 'logger'>,
  { projectId, environment, invoiceId }: PaymentReference,
  err: Error,
): Promise<void> {
  logger.error({ err, invoice_id: invoiceId }, 'What a gateway says cannot be recorded; its payment needs attention')
  await orm.em.fork().transactional(async (em) => {
    const locked = await lockPayment(em, { projectId, sandbox: environment === 'sandbox', invoiceId })
    if (locked?.transaction != null) em.assign(locked.transaction, { needsAttention: true, updatedAt: clock.now() })
  })
}
