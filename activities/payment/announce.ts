import type { FiredEvent } from '../../domain/webhook-event.ts'
import { findUnannouncedEvents } from '../../src/persistence/queries/payments/payment-events.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/**
 * Starts one webhook workflow per event that somebody waits for, after the events are committed. A start that was made
 * before is no error. After a crash it is not known which were started, so everything not yet begun is started.
 */
export async function announce(
  { orm, webhookStarter }: Pick<PaymentActivityDeps, 'orm' | 'webhookStarter'>,
  payment: PaymentReference,
  events: readonly FiredEvent[] | 'whatever waits',
): Promise<void> {
  const waiting = events === 'whatever waits' ? await findUnannouncedEvents(orm.em.fork(), payment.invoiceId) : events
  await Promise.all(waiting.map((event) => webhookStarter.start(event)))
}
