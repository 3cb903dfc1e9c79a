import { permitWait, retryInstant } from '../../domain/backoff.ts'
import type { TargetHealth } from '../../domain/endpoint-health.ts'
import type { Environment } from '../../domain/environment.ts'
import { makeIdentifier, type RandomBytes } from '../../domain/identifiers.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { Clock } from '../../src/clock.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import {
  type DeliveryForAttempt,
  type DeliveryOwner,
  endDelivery,
  findDeliveryForAttempt,
  type RecordedAttempt,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import type { Vault } from '../../src/vault/vault.ts'
import type { LimitedAttempt, WebhookLimits } from '../../src/webhooks/concurrency-limit.ts'
import type { SendResult, WebhookSender } from '../../src/webhooks/send.ts'
import type { WebhookStarter } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { recordDelivery } from './record-delivery.ts'

export interface DeliverWebhookDeps {
  orm: Orm
  webhookSender: WebhookSender
  webhookStarter: WebhookStarter
  limits: WebhookLimits
  vault: Pick<Vault, 'decryptWebhookSecret'>
  clock: Clock
  randomBytes: RandomBytes
}

/** The input of one attempt. */
export interface AttemptInput {
  projectId: string
  environment: Environment
  deliveryId: string
  /** 0 for the first sending of the event, n for its nth resend. */
  run: number
  /** 0 is the first attempt, 1 to 12 are the retries. */
  attempt: number
  /** Workflow time in epoch ms at which the workflow scheduled the attempt. */
  at: number
  /** When the next attempt is planned if this one fails, in ms after the start of the first; null after the last. */
  nextOffsetMs: number | null
  /** Whether the target accepted its last delivery. */
  health: TargetHealth
}

/** The result of an attempt. */
export interface AttemptResult {
  /** 0 is the first attempt. */
  attempt: number
  /** ISO 8601; null if nothing was sent, because the delivery has ended. */
  startedAt: string | null
  delivered: boolean
  /** HTTP status of the answer, if there was one. */
  status: number | null
  /** Why it was not delivered; `already_ended`, or `endpoint_deleted`, if nothing was sent because the delivery has ended. */
  reason: string | null
  responseTimeMs: number
  /** Epoch ms at which the next attempt is due; null if none follows. */
  nextAt: number | null
}

/** The activity's try number, from 1, and the epoch ms at which it was due by the Temporal server's clock. */
interface Try {
  number: number
  dueAt: number
}

/** The merchant has disabled the endpoint. Nothing is sent; the schedule goes on in case it is enabled again. */
const NOT_SENT: SendResult & { reason: null | string } = {
  delivered: false,
  status: null,
  reason: null,
  responseTimeMs: 0,
  excerpt: null,
  retryAt: null,
}

/**
 * Makes one attempt of a delivery and records it. A failed attempt is a result. Errors are our own faults (such as an
 * unreachable database) or a missing permit; Temporal then retries the activity.
 *
 * A retry sends only an attempt that was not recorded. After a crash between sending and recording, the merchant gets it
 * twice, but never misses it. The database is read before sending, so that an outage does not resend the attempt repeatedly.
 *
 * @throws ApplicationFailure if no permit is free.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  input: AttemptInput,
  { number, dueAt }: Try,
): Promise<AttemptResult> {
  const { run, attempt } = input
  const { attempts } = deps.limits
  const read = () => findDeliveryForAttempt(deps.orm, ownerOf(input), { run, attempt, now: deps.clock.now() })
  const given = { ...input, at: Math.max(input.at, dueAt) }
  const delivery = await read()
  const atOnce = await makeAttempt(deps, given, delivery, attempts.tryAcquire)
  if (atOnce !== null) return atOnce
  const target = limitedOf(input, urlOf(delivery))
  const release = await attempts.acquire(target)
  try {
    // As it is after the wait: it may have ended, or go to another host.
    const permitOf = ({ host }: LimitedAttempt) => (host === target.host ? release : null)
    const result = release && (await makeAttempt(deps, given, await read(), permitOf))
    if (result === null) throw failures.noPermit(target.host, permitWait(number, Math.random))
    return result
  } finally {
    release?.()
  }
}

/**
 * Makes an attempt of a delivery, unless it is recorded already.
 *
 * @param delivery as just read; null if the project has no such delivery
 * @param permitOf gives a permit for it
 * @returns null if there is no permit.
 */
export async function makeAttempt(
  deps: DeliverWebhookDeps,
  input: AttemptInput,
  delivery: DeliveryForAttempt | null,
  permitOf: WebhookLimits['atOnce']['tryAcquire'],
): Promise<AttemptResult | null> {
  if (delivery === null || delivery.run !== input.run) return alreadyEnded(input, delivery)
  if (delivery.recorded !== null) return recordedResult(delivery, delivery.recorded)
  if (delivery.status !== 'pending') return alreadyEnded(input, delivery)
  if (delivery.endpoint?.isDeleted === true) {
    await endDelivery(deps.orm.em.fork(), ownerOf(input), deps.clock.now())
    return alreadyEnded(input, delivery)
  }
  const url = urlOf(delivery)
  if (delivery.endpoint?.disabledReason === 'merchant') {
    return record(deps, input, delivery, { url, ...startOf(deps, input), sent: NOT_SENT, reason: 'endpoint_disabled' })
  }
  const release = permitOf(limitedOf(input, url))
  if (release === null) return null
  try {
    const start = startOf(deps, input)
    const sent = await deps.webhookSender.send({ url, environment: input.environment, ...messageOf(deps, delivery) })
    return await record(deps, input, delivery, { url, ...start, sent, reason: sent.reason })
  } finally {
    release()
  }
}

/** A clock behind the server's, or behind skipped time, must not date an attempt before it was scheduled. */
function startOf({ clock }: DeliverWebhookDeps, { at }: AttemptInput): Pick<Attempted, 'startedAt' | 'aheadMs'> {
  const now = clock.now().getTime()
  const startedAt = Math.max(at, now)
  return { startedAt, aheadMs: startedAt - now }
}

function limitedOf({ environment, projectId, health }: AttemptInput, url: string): LimitedAttempt {
  return { environment, projectId, host: hostOf(url), isTrusted: health === 'good' }
}

function ownerOf({ projectId, environment, deliveryId }: AttemptInput): DeliveryOwner {
  return { projectId, sandbox: environment === 'sandbox', deliveryId }
}

function urlOf(delivery: DeliveryForAttempt | null): string {
  return delivery?.endpoint?.url ?? delivery?.targetUrl ?? ''
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}

function messageOf({ vault }: DeliverWebhookDeps, { eventId, eventName, endpoint }: DeliveryForAttempt) {
  return {
    // An event for two endpoints is two messages, each verified with its own secret.
    messageId: endpoint === null ? eventId : `${eventId}-${endpoint.id}`,
    body: { event_id: eventId, event_type: eventName },
    secrets: (endpoint?.secrets ?? []).map(({ scheme, ...encrypted }) => {
      return { scheme, secret: vault.decryptWebhookSecret(endpoint?.id ?? '', encrypted) }
    }),
  }
}

interface Attempted {
  url: string
  /** Epoch ms. */
  startedAt: number
  /** How far that is ahead of the wall clock, by which the receiver names its instants. */
  aheadMs: number
  sent: Omit<SendResult, 'reason'>
  /** Null if it was delivered. */
  reason: string | null
}

async function record(
  deps: DeliverWebhookDeps,
  input: AttemptInput,
  delivery: DeliveryForAttempt,
  { url, startedAt, aheadMs, sent, reason }: Attempted,
): Promise<AttemptResult> {
  const { run, attempt } = input
  const owner = ownerOf(input)
  const endedAt = startedAt + sent.responseTimeMs
  const askedFor = sent.retryAt === null ? null : sent.retryAt + aheadMs
  const nextAt = sent.delivered ? null : plannedAt(input, delivery.firstAttemptAt?.getTime() ?? startedAt, askedFor)
  const isOver = nextAt === null
  const outcome = { responseCode: sent.status, failureReason: reason, responseTimeMs: sent.responseTimeMs }
  const events: FiredEvent[] = []
  const changes = { ...deps, fired: (event: FiredEvent) => events.push(event) }
  const isRecorded = await recordDelivery(deps.orm, changes, delivery.endpoint, {
    ...owner,
    ...outcome,
    id: makeIdentifier('deliveryAttempt', deps.randomBytes),
    run,
    attempt,
    requestUrl: url,
    responseBody: sent.excerpt?.body ?? null,
    responseHeaders: sent.excerpt?.headers ?? null,
    startedAt: new Date(startedAt),
    status: sent.delivered ? 'delivered' : isOver ? 'failed' : 'pending',
    releaseAt: isOver ? null : new Date(Math.max(nextAt, endedAt)),
    endedAt: isOver ? new Date(endedAt) : null,
  })
  // A failed start must not repeat this attempt; the sweep starts the workflow later.
  await Promise.allSettled(events.map((event) => deps.webhookStarter.start(event)))
  if (isRecorded) return { ...resultOf({ attempt, startedAt: new Date(startedAt), ...outcome }), nextAt }
  // The attempt ran twice, and the other run was recorded first.
  const standing = await findDeliveryForAttempt(deps.orm, owner, { run, attempt, now: deps.clock.now() })
  return standing === null || standing.recorded === null
    ? alreadyEnded(input, standing)
    : recordedResult(standing, standing.recorded)
}

function plannedAt(
  { attempt, nextOffsetMs }: AttemptInput,
  firstAttemptAt: number,
  askedFor: number | null,
): number | null {
  if (nextOffsetMs === null) return null
  return retryInstant(attempt + 1, { firstAttemptAt, plannedAt: firstAttemptAt + nextOffsetMs, askedFor })
}

/** No attempt follows if the delivery has ended meanwhile. */
function recordedResult({ status, releaseAt }: DeliveryForAttempt, recorded: RecordedAttempt): AttemptResult {
  return { ...resultOf(recorded), nextAt: status === 'pending' ? (releaseAt?.getTime() ?? null) : null }
}

function resultOf({ attempt, startedAt, responseCode, failureReason, responseTimeMs }: RecordedAttempt) {
  return {
    attempt,
    startedAt: startedAt.toISOString(),
    delivered: failureReason === null,
    status: responseCode,
    reason: failureReason,
    responseTimeMs,
  }
}

/** Nothing is left to send: the delivery has ended, was resent as another run, or its row is gone. */
function alreadyEnded({ attempt }: AttemptInput, delivery: DeliveryForAttempt | null): AttemptResult {
  const delivered = delivery?.status === 'delivered'
  const nothing = { startedAt: null, status: null, responseTimeMs: 0, nextAt: null }
  const isDeletion = !delivered && delivery?.endpoint?.isDeleted === true
  return { attempt, ...nothing, delivered, reason: isDeletion ? 'endpoint_deleted' : 'already_ended' }
}
