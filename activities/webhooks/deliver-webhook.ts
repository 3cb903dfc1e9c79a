import type { Environment } from '../../domain/environment.ts'
import { makeIdentifier, type RandomBytes } from '../../domain/identifiers.ts'
import type { Clock } from '../../src/clock.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import {
  type AttemptOutcome,
  type DeliveryForAttempt,
  type DeliveryOwner,
  findDeliveryForAttempt,
  recordAttempt,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import type { WebhookSender } from '../../src/webhooks/send.ts'

export interface DeliverWebhookDeps {
  orm: Orm
  webhookSender: WebhookSender
  clock: Clock
  randomBytes: RandomBytes
}

export interface DeliverWebhookInput {
  projectId: string
  environment: Environment
  deliveryId: string
  /** 0 is the first attempt, 1 to 12 are the retries. */
  attempt: number
  /** Workflow time in epoch ms at which the attempt was asked for. */
  at: number
  /** Workflow time in epoch ms at which the next attempt is planned if this one fails; null after the last. */
  nextAt: number | null
}

/** How an attempt ended, as a history shows it. */
export interface DeliverWebhookResult {
  delivered: boolean
  /** HTTP status of the answer, where there was one. */
  status: number | null
  /** Why it was not delivered; `already_ended` where nothing was sent because the delivery is over. */
  reason: string | null
  responseTimeMs: number
}

/**
 * Makes one attempt of a delivery and records it. A failed attempt is a result, not an error; an error is a fault of
 * ours (a database that cannot be reached), after which the attempt is to be run again.
 *
 * Run again, it sends only where nothing was recorded: a merchant may get an attempt twice, after a crash between
 * sending and recording, but never goes without one. It reads before it sends, so that an outage of the database
 * does not send the same attempt over and over.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  input: DeliverWebhookInput,
): Promise<DeliverWebhookResult> {
  const { projectId, environment, deliveryId, attempt } = input
  const owner = { projectId, sandbox: environment === 'sandbox', deliveryId }
  const delivery = await findDeliveryForAttempt(deps.orm.em.fork(), owner, attempt)
  if (delivery?.recorded != null) return resultOf(delivery.recorded)
  if (delivery?.status !== 'pending') return alreadyEnded(delivery)

  // A worker's clock behind skipped time, or behind the server's, must not date an attempt before it was asked for.
  const startedAt = Math.max(input.at, deps.clock.now().getTime())
  const { targetUrl: url, eventId, eventName } = delivery
  const sent = await deps.webhookSender.send({ url, environment, body: { event_id: eventId, event_type: eventName } })
  const outcome = { responseCode: sent.status, failureReason: sent.reason, responseTimeMs: sent.responseTimeMs }
  return resultOf(await record(deps, owner, input, startedAt, outcome))
}

/** Returns the outcome that stands, which is another's where this attempt ran twice and that one was recorded first. */
async function record(
  { orm, randomBytes }: DeliverWebhookDeps,
  owner: DeliveryOwner,
  { attempt, nextAt }: DeliverWebhookInput,
  startedAt: number,
  outcome: AttemptOutcome,
): Promise<AttemptOutcome> {
  const em = orm.em.fork()
  const endedAt = startedAt + outcome.responseTimeMs
  const isDelivered = outcome.failureReason === null
  const isOver = isDelivered || nextAt === null
  const isRecorded = await recordAttempt(em, {
    ...owner,
    ...outcome,
    id: makeIdentifier('deliveryAttempt', randomBytes),
    attempt,
    startedAt: new Date(startedAt),
    status: isDelivered ? 'delivered' : nextAt === null ? 'failed' : 'pending',
    releaseAt: isOver ? null : new Date(Math.max(nextAt, endedAt)),
    endedAt: isOver ? new Date(endedAt) : null,
  })
  if (isRecorded) return outcome
  const standing = await findDeliveryForAttempt(em, owner, attempt)
  return standing?.recorded ?? outcome
}

function resultOf({ responseCode, failureReason, responseTimeMs }: AttemptOutcome): DeliverWebhookResult {
  return { delivered: failureReason === null, status: responseCode, reason: failureReason, responseTimeMs }
}

/** Somebody else has ended the delivery, or its row is gone; either way nothing is left to send. */
function alreadyEnded(delivery: DeliveryForAttempt | null): DeliverWebhookResult {
  return { delivered: delivery?.status === 'delivered', status: null, reason: 'already_ended', responseTimeMs: 0 }
}
