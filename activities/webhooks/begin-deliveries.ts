import type { TargetHealth } from '../../domain/endpoint-health.ts'
import type { DeliveryStatus } from '../../src/persistence/entities/delivery.ts'
import {
  type EventDelivery,
  findDeliveriesOfEvent,
} from '../../src/persistence/queries/webhooks/deliveries-of-event.ts'
import type { WebhookWorkflowInput } from '../../workflows/inputs.ts'
import { type AttemptResult, type DeliverWebhookDeps, makeAttempt } from './deliver.ts'

export interface BeginDeliveriesInput extends WebhookWorkflowInput {
  /** Workflow time in epoch ms at which the deliveries begin. */
  at: number
  /** When the first retry is planned, in ms after the start of the first attempt. */
  nextOffsetMs: number | null
}

/** A delivery as a history may show it: with the host only, since a URL may contain a secret. */
export interface Delivery {
  deliveryId: string
  /** Host name and port, and the endpoint's id, if any: an event may go to several endpoints of one host. */
  target: string
  status: DeliveryStatus
  /** Recorded attempts, including those of a lost run. The schedule goes on from there. */
  attemptsMade: number
  /** Epoch ms at which the next attempt is due by the record; null before the first, which is due at once. */
  nextAt: number | null
  /** Whether the target accepted its last delivery. */
  health: TargetHealth
  /** The result of the first attempt, if it was made here. */
  first?: AttemptResult
}

/**
 * Finds the deliveries of an event, ended ones included, and makes the first attempt if that is allowed here. Run again, it
 * returns the recorded attempt instead of sending it twice.
 */
export async function beginDeliveries(deps: DeliverWebhookDeps, input: BeginDeliveriesInput): Promise<Delivery[]> {
  const { projectId, environment, eventId, run, at, nextOffsetMs } = input
  const event = { projectId, sandbox: environment === 'sandbox', eventId, run }
  const found = await findDeliveriesOfEvent(deps.orm, { ...event, now: deps.clock.now() })
  const [only] = found
  if (only === undefined || found.length > 1 || !mayBeginAtOnce(only)) return found.map(deliveryOf)
  const { deliveryId, delivery } = only
  const given = { projectId, environment, deliveryId, run, attempt: 0, at, nextOffsetMs, health: 'good' as const }
  const first = await makeAttempt(deps, given, delivery, deps.limits.atOnce.tryAcquire)
  if (first === null) return [deliveryOf(only)]
  return [{ ...deliveryOf(only), ...progressAfter(first), first }]
}

/**
 * Whether the first attempt may run inside the first workflow task, which saves the round trips of an activity. It occupies a
 * workflow slot, so the target must have accepted its last delivery. It delays the timers of other targets, so the event must
 * have only one.
 */
function mayBeginAtOnce({ delivery: { status }, attemptsMade, previousStatus }: EventDelivery): boolean {
  return status === 'pending' && attemptsMade === 0 && healthOf(previousStatus) === 'good'
}

function progressAfter({ delivered, startedAt, nextAt }: AttemptResult) {
  const status: DeliveryStatus = delivered ? 'delivered' : nextAt === null ? 'failed' : 'pending'
  return { status, attemptsMade: startedAt === null ? 0 : 1, nextAt }
}

function deliveryOf({ deliveryId, delivery, attemptsMade, releaseAt, previousStatus }: EventDelivery): Delivery {
  const { endpoint, targetUrl, status } = delivery
  return {
    deliveryId,
    target: nameOf(endpoint?.url ?? targetUrl, endpoint?.id ?? null),
    status,
    attemptsMade,
    // Before the first attempt the record may hold an earlier instant, for a run that a sweep started.
    nextAt: attemptsMade === 0 ? null : (releaseAt?.getTime() ?? null),
    health: healthOf(previousStatus),
  }
}

function healthOf(previousStatus: DeliveryStatus | null): TargetHealth {
  return previousStatus === null ? 'unknown' : previousStatus === 'delivered' ? 'good' : 'bad'
}

function nameOf(url: string, endpointId: string | null): string {
  const host = URL.canParse(url) ? new URL(url).host : 'invalid URL'
  return endpointId === null ? host : `${host} · ${endpointId}`
}
