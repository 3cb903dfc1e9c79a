import { retryInstant } from '../../domain/backoff.ts'
import type { Environment } from '../../domain/environment.ts'
import { makeIdentifier, type RandomBytes } from '../../domain/identifiers.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Clock } from '../../src/clock.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import {
  type AttemptOutcome,
  type DeliveryForAttempt,
  type DeliveryOwner,
  endDelivery,
  findDeliveryForAttempt,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import type { WebhookStarter } from '../../src/temporal/webhook-starter.ts'
import type { Vault } from '../../src/vault/vault.ts'
import type { HostSlots, TargetHealth } from '../../src/webhooks/host-slots.ts'
import type { SendResult, WebhookSender } from '../../src/webhooks/send.ts'
import { failures } from '../failures.ts'
import { bookAttempt } from './book-attempt.ts'

export interface DeliverWebhookDeps {
  orm: Orm
  webhookSender: WebhookSender
  webhookStarter: WebhookStarter
  hostSlots: HostSlots
  vault: Pick<Vault, 'openWebhookSecret'>
  clock: Clock
  randomBytes: RandomBytes
}

export interface DeliverWebhookInput {
  projectId: string
  environment: Environment
  deliveryId: string
  /** 0 for the first sending of the event, n for the nth that was asked for. */
  run: number
  /** 0 is the first attempt, 1 to 12 are the retries. */
  attempt: number
  /** Workflow time in epoch ms at which the attempt was asked for. */
  at: number
  /** When the next attempt is planned if this one fails, in ms after the start of the first; null after the last. */
  nextOffsetMs: number | null
  /** Whether the target accepted what it was sent last. */
  health: TargetHealth
  /** Whether it runs inside a workflow task, where it must not wait for a place. */
  isAtOnce: boolean
}

/** How an attempt ended, as a history shows it. */
export interface DeliverWebhookResult {
  delivered: boolean
  /** HTTP status of the answer, where there was one. */
  status: number | null
  /**
   * Why it was not delivered; `already_ended` where nothing was sent because the delivery is over, `host_busy` where
   * nothing was sent because too many attempts to the host run inside workflow tasks.
   */
  reason: string | null
  responseTimeMs: number
  /** Epoch ms, from which the schedule counts; null where nothing was sent yet. */
  firstAttemptAt: number | null
  /** Epoch ms at which the next attempt is due; null where none follows. */
  nextAt: number | null
}

/** The merchant has switched the endpoint off: nothing is sent, and the schedule goes on in case it is switched on. */
const NOT_SENT: SendResult & { reason: null | string } = {
  delivered: false,
  status: null,
  reason: null,
  responseTimeMs: 0,
  excerpt: null,
  retryAt: null,
}

/**
 * Makes one attempt of a delivery and records it. A failed attempt is a result, not an error; an error is a fault of
 * ours (a database that cannot be reached) or a crowd at the host, after which the attempt is to be run again.
 *
 * Run again, it sends only where nothing was recorded: a merchant may get an attempt twice, after a crash between
 * sending and recording, but never goes without one. It reads before it sends, so that an outage of the database
 * does not send the same attempt over and over.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  input: DeliverWebhookInput,
): Promise<DeliverWebhookResult> {
  const { run, attempt } = input
  const delivery = await findDeliveryForAttempt(deps.orm, ownerOf(input), {
    run,
    attempt,
    now: deps.clock.now(),
  })
  return deliver(deps, input, delivery)
}

/** Makes an attempt of a delivery as it was just read: null where the project has no such delivery. */
export async function deliver(
  deps: DeliverWebhookDeps,
  input: DeliverWebhookInput,
  delivery: DeliveryForAttempt | null,
): Promise<DeliverWebhookResult> {
  const { projectId, environment } = input
  if (delivery === null || delivery.run !== input.run) return alreadyEnded(delivery)
  if (delivery.recorded !== null) return recordedResult(delivery, delivery.recorded, input)
  if (delivery.status !== 'pending') return alreadyEnded(delivery)
  if (delivery.endpoint?.isDeleted === true) {
    await endDelivery(deps.orm.em.fork(), ownerOf(input), deps.clock.now())
    return alreadyEnded(delivery)
  }
  const url = delivery.endpoint?.url ?? delivery.targetUrl
  // A worker's clock behind skipped time, or behind the server's, must not date an attempt before it was asked for.
  const startedAt = Math.max(input.at, deps.clock.now().getTime())
  if (delivery.endpoint?.disabledReason === 'merchant') {
    return book(deps, input, delivery, { url, startedAt, sent: NOT_SENT, reason: 'endpoint_disabled' })
  }
  const host = hostOf(url)
  const turn = deps.hostSlots.take({ ...input, host, target: delivery.endpoint?.id ?? projectId })
  if (!turn.isTaken) {
    if (input.isAtOnce) return notSent('host_busy')
    throw failures.hostBusy(host, turn.waitMs)
  }
  try {
    const sent = await deps.webhookSender.send({ url, environment, ...messageOf(deps, delivery) })
    return await book(deps, input, delivery, { url, startedAt, sent, reason: sent.reason })
  } finally {
    turn.giveBack()
  }
}

function ownerOf({ projectId, environment, deliveryId }: DeliverWebhookInput): DeliveryOwner {
  return { projectId, sandbox: environment === 'sandbox', deliveryId }
}

function messageOf({ vault }: DeliverWebhookDeps, { eventId, eventName, endpoint }: DeliveryForAttempt) {
  return {
    // One that has come over two endpoints is two messages, each to be verified with its own secret.
    messageId: endpoint === null ? eventId : `${eventId}-${endpoint.id}`,
    body: { event_id: eventId, event_type: eventName },
    secrets: (endpoint?.secrets ?? []).map(({ scheme, ...sealed }) => {
      return { scheme, secret: vault.openWebhookSecret(endpoint?.id ?? '', sealed) }
    }),
  }
}

interface Attempted {
  url: string
  /** Epoch ms. */
  startedAt: number
  sent: Omit<SendResult, 'reason'>
  /** Null when it was delivered. */
  reason: string | null
}

async function book(
  deps: DeliverWebhookDeps,
  input: DeliverWebhookInput,
  delivery: DeliveryForAttempt,
  { url, startedAt, sent, reason }: Attempted,
): Promise<DeliverWebhookResult> {
  const owner = ownerOf(input)
  const endedAt = startedAt + sent.responseTimeMs
  const firstAttemptAt = delivery.firstAttemptAt?.getTime() ?? startedAt
  const nextAt = sent.delivered ? null : plannedAt(input, firstAttemptAt, sent.retryAt)
  const isOver = nextAt === null
  const outcome = { responseCode: sent.status, failureReason: reason, responseTimeMs: sent.responseTimeMs }
  const events: FiredEvent[] = []
  const isRecorded = await bookAttempt(deps.orm, { ...deps, fired: (event) => events.push(event) }, delivery.endpoint, {
    ...owner,
    ...outcome,
    id: makeIdentifier('deliveryAttempt', deps.randomBytes),
    run: input.run,
    attempt: input.attempt,
    requestUrl: url,
    responseBody: sent.excerpt?.body ?? null,
    responseHeaders: sent.excerpt?.headers ?? null,
    startedAt: new Date(startedAt),
    status: sent.delivered ? 'delivered' : isOver ? 'failed' : 'pending',
    releaseAt: isOver ? null : new Date(Math.max(nextAt, endedAt)),
    endedAt: isOver ? new Date(endedAt) : null,
  })
  // The sweep starts what cannot be started now; this attempt must not be made again for it.
  await Promise.allSettled(events.map((event) => deps.webhookStarter.start(event)))
  if (isRecorded) return { ...resultOf(outcome), firstAttemptAt, nextAt }
  // The attempt ran twice, and the other was recorded first.
  const { run, attempt } = input
  const standing = await findDeliveryForAttempt(deps.orm, owner, { run, attempt, now: deps.clock.now() })
  return standing?.recorded == null ? alreadyEnded(standing) : recordedResult(standing, standing.recorded, input)
}

function plannedAt(
  { attempt, nextOffsetMs }: DeliverWebhookInput,
  firstAttemptAt: number,
  askedFor: number | null,
): number | null {
  if (nextOffsetMs === null) return null
  return retryInstant(attempt + 1, { firstAttemptAt, plannedAt: firstAttemptAt + nextOffsetMs, askedFor })
}

function recordedResult(
  { firstAttemptAt }: DeliveryForAttempt,
  recorded: NonNullable<DeliveryForAttempt['recorded']>,
  input: DeliverWebhookInput,
): DeliverWebhookResult {
  const result = resultOf(recorded)
  const startedAt = firstAttemptAt?.getTime() ?? input.at
  const planned = result.delivered ? null : plannedAt(input, startedAt, null)
  const nextAt = planned === null ? null : (recorded.releaseAt?.getTime() ?? planned)
  return { ...result, firstAttemptAt: startedAt, nextAt }
}

function resultOf({ responseCode, failureReason, responseTimeMs }: AttemptOutcome) {
  return { delivered: failureReason === null, status: responseCode, reason: failureReason, responseTimeMs }
}

/** Somebody else has ended the delivery or sends it anew, or its row is gone; either way nothing is left to send. */
function alreadyEnded(delivery: DeliveryForAttempt | null): DeliverWebhookResult {
  return { ...notSent('already_ended'), delivered: delivery?.status === 'delivered' }
}

function notSent(reason: 'already_ended' | 'host_busy'): DeliverWebhookResult {
  return { delivered: false, status: null, reason, responseTimeMs: 0, firstAttemptAt: null, nextAt: null }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
