import type { Orm } from '../src/persistence/orm.ts'
import { findPendingDeliveries } from '../src/persistence/queries/delivery-pending.ts'
import type { WebhookWorkflowInput } from '../workflows/inputs.ts'

/** One delivery as a history may show it: the URL itself can carry a secret, its host cannot. */
export interface Delivery {
  deliveryId: string
  /** Host name and port of the target. */
  host: string
  /** False while the host did not accept what it was sent last; true where nothing is known of it. */
  isHealthy: boolean
}

/** Loads what is still to be delivered of an event. What has ended is left out, so that no later run sends it again. */
export async function loadDeliveries(deps: { orm: Orm }, input: WebhookWorkflowInput): Promise<Delivery[]> {
  const { projectId, environment, eventId } = input
  const sandbox = environment === 'sandbox'
  const pending = await findPendingDeliveries(deps.orm.em.fork(), { projectId, sandbox, eventId })
  return pending.map(({ deliveryId, targetUrl, previousStatus }) => ({
    deliveryId,
    host: URL.canParse(targetUrl) ? new URL(targetUrl).host : 'invalid URL',
    isHealthy: previousStatus === null || previousStatus === 'delivered',
  }))
}
