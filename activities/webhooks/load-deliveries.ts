import type { DeliveryStatus } from '../../src/persistence/entities/delivery.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { findDeliveriesOfEvent } from '../../src/persistence/queries/webhooks/deliveries-of-event.ts'
import type { TargetHealth } from '../../src/webhooks/host-slots.ts'
import type { WebhookWorkflowInput } from '../../workflows/inputs.ts'

/** One delivery as a history may show it: the URL itself can carry a secret, its host cannot. */
export interface Delivery {
  deliveryId: string
  /** Host name and port, and the endpoint where it is one: an event may go to several of one host. */
  target: string
  status: DeliveryStatus
  /** Attempts on record, where a run that was lost has made some; the schedule goes on from there. */
  attemptsMade: number
  /** Epoch ms at which the record says that the next attempt is due; null before the first, which is due at once. */
  nextAt: number | null
  /** Whether the target accepted what it was sent last. */
  health: TargetHealth
}

/** Loads where an event goes to, with what has ended already and must not be sent again. */
export async function loadDeliveries(deps: { orm: Orm }, input: WebhookWorkflowInput): Promise<Delivery[]> {
  const { projectId, environment, eventId, run } = input
  const sandbox = environment === 'sandbox'
  const deliveries = await findDeliveriesOfEvent(deps.orm.em.fork(), { projectId, sandbox, eventId, run })
  return deliveries.map(({ deliveryId, endpointId, targetUrl, status, attemptsMade, releaseAt, previousStatus }) => ({
    deliveryId,
    target: nameOf(targetUrl, endpointId),
    status,
    attemptsMade,
    nextAt: releaseAt?.getTime() ?? null,
    health: previousStatus === null ? 'unknown' : previousStatus === 'delivered' ? 'good' : 'bad',
  }))
}

function nameOf(url: string, endpointId: string | null): string {
  const host = URL.canParse(url) ? new URL(url).host : 'invalid URL'
  return endpointId === null ? host : `${host} · ${endpointId}`
}
