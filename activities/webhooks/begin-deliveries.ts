import type { TargetHealth } from '../../domain/endpoint-health.ts'
import type { DeliveryStatus } from '../../src/persistence/entities/delivery.ts'
import {
  type EventDelivery,
  findDeliveriesOfEvent,
} from '../../src/persistence/queries/webhooks/deliveries-of-event.ts'
import type { WebhookWorkflowInput } from '../../workflows/inputs.ts'
import { type AttemptResult, type DeliverWebhookDeps, makeAttempt } from './deliver.ts'

export interface BeginDeliveriesInput extends WebhookWorkflowInput {
  /** Workflow time in epoch ms at which the deliveries were to be begun. */
  at: number
  /** When the first retry is planned, in ms after the start of the first attempt. */
  nextOffsetMs: number | null
}

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
  /** How the first attempt has ended, where it was made at once. */
  first?: AttemptResult
}

/**
 * Finds where an event goes to, with what has ended already and must not be sent again, and makes the first attempt where
 * that may be done at once. Run again, it finds what was recorded and goes no further.
 */
export async function beginDeliveries(deps: DeliverWebhookDeps, input: BeginDeliveriesInput): Promise<Delivery[]> {
  const { projectId, environment, eventId, run, at, nextOffsetMs } = input
  const event = { projectId, sandbox: environment === 'sandbox', eventId, run }
  const found = await findDeliveriesOfEvent(deps.orm, { ...event, now: deps.clock.now() })
  const [only] = found
  if (only === undefined || found.length > 1 || !mayBeginAtOnce(only)) return found.map(deliveryOf)
  const { deliveryId, delivery } = only
  const given = { projectId, environment, deliveryId, run, attempt: 0, at, nextOffsetMs, health: 'good' as const }
  const first = await makeAttempt(deps, given, delivery, deps.limits.atOnce)
  if (first === null) return [deliveryOf(only)]
  return [{ ...deliveryOf(only), ...progressAfter(first), first }]
}

/**
 * The first attempt may run inside the first workflow task, which spares the round trips of an activity. But it holds
 * a slot for workflows as long as it takes, so it must not go to a target of which nothing is known, or that did not
 * accept what it got last; and it holds back the timers of the other targets, so there must be none.
 */
function mayBeginAtOnce({ delivery: { status }, attemptsMade, previousStatus }: EventDelivery): boolean {
  return status === 'pending' && attemptsMade === 0 && healthOf(previousStatus) === 'good'
}

function progressAfter({ delivered, reason, nextAt }: AttemptResult) {
  const status: DeliveryStatus = delivered ? 'delivered' : nextAt === null ? 'failed' : 'pending'
  return { status, attemptsMade: reason === 'already_ended' ? 0 : 1, nextAt }
}

function deliveryOf({ deliveryId, delivery, attemptsMade, releaseAt, previousStatus }: EventDelivery): Delivery {
  const { endpoint, targetUrl, status } = delivery
  return {
    deliveryId,
    target: nameOf(endpoint?.url ?? targetUrl, endpoint?.id ?? null),
    status,
    attemptsMade,
    // Of a run that a sweep has started, the record says before the first attempt since when it is due.
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
