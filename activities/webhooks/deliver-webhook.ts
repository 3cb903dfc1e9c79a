import { latestRetryInstant, nameOfAttempt, retryInstant } from '../../domain/backoff.ts'
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
import type { GiveWay } from '../../src/temporal/give-way.ts'
import type { Vault } from '../../src/vault/vault.ts'
import type { HostSlots, TargetHealth } from '../../src/webhooks/host-slots.ts'
import type { RunsLately } from '../../src/webhooks/runs-lately.ts'
import type { SendResult, WebhookSender } from '../../src/webhooks/send.ts'
import type { ShortWaits } from '../../src/webhooks/short-waits.ts'
import type { WebhookStarter } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { bookAttempt } from './book-attempt.ts'

export interface DeliverWebhookDeps {
  orm: Orm
  webhookSender: WebhookSender
  webhookStarter: WebhookStarter
  hostSlots: HostSlots
  shortWaits: ShortWaits
  giveWay: GiveWay
  runsLately: RunsLately
  vault: Pick<Vault, 'openWebhookSecret'>
  clock: Clock
  randomBytes: RandomBytes
}

/** One attempt. */
export interface AttemptInput {
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

/** Attempts, one after the other, until one is accepted or the last of them was made. */
export interface DeliverWebhookInput extends Omit<AttemptInput, 'nextOffsetMs'> {
  /** The last attempt that it makes; a later one is left to the workflow. */
  lastAttempt: number
  /** When retry n is planned, at place n - 1, in ms after the start of the first attempt. */
  retryOffsetsMs: readonly number[]
}

/** An attempt and its answer, as a history shows it. */
interface MadeAttempt {
  /** 0 is the first attempt. */
  attempt: number
  /** ISO 8601; null where no attempt was recorded. */
  startedAt: string | null
  /** HTTP status of the answer, where there was one. */
  status: number | null
  /**
   * Why it was not delivered; `already_ended` where nothing was sent because the delivery is over, `host_busy` where
   * nothing was sent because too many attempts to the host run inside workflow tasks.
   */
  reason: string | null
  responseTimeMs: number
}

/** How an attempt ended. */
export interface AttemptResult extends MadeAttempt {
  delivered: boolean
  /** Epoch ms, from which the schedule counts; null where nothing was sent yet. */
  firstAttemptAt: number | null
  /** Epoch ms at which the next attempt is due; null where none follows. */
  nextAt: number | null
}

/** How the last of some attempts ended, and what those before it were answered. */
export interface DeliverWebhookResult extends AttemptResult {
  earlier: MadeAttempt[]
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
 * How long after its beginning a run of the activity still begins an attempt, which takes up to 10 s more: so long it may
 * wait for the next one to be due. Such a wait holds a slot for activities, and a process that is killed meanwhile is missed
 * only when the time for the whole run is over.
 */
const BEGINS_ATTEMPTS_FOR_MS = 10_000

/** How long an attempt to a target that did not accept what it got last gives way to others. */
const ATTEMPT_GIVES_WAY_MAX_MS = 200

/**
 * Makes attempts of a delivery and records each. A failed attempt is a result, not an error; an error is a fault of
 * ours (a database that cannot be reached), a crowd at the host, or a next attempt that is far off, at which the activity
 * is to be run again.
 *
 * Run again, it sends only what was not recorded: a merchant may get an attempt twice, after a crash between
 * sending and recording, but never goes without one. It reads before it sends, so that an outage of the database
 * does not send the same attempt over and over.
 *
 * @returns the last attempt, and all before it from the one on that was asked for, those of earlier runs included.
 */
export async function deliverWebhook(
  deps: DeliverWebhookDeps,
  input: DeliverWebhookInput,
): Promise<DeliverWebhookResult> {
  const clock = notBehind(deps.clock, input.at)
  const beginsUntil = clock.now().getTime() + BEGINS_ATTEMPTS_FOR_MS
  const earlier: MadeAttempt[] = []
  for (let { attempt, at, health } = input; ; ) {
    const { run, lastAttempt, retryOffsetsMs } = input
    const asked = { run, attempt, lastAttempt, now: deps.clock.now() }
    const delivery = await findDeliveryForAttempt(deps.orm, ownerOf(input), asked)
    const nextOffsetMs = retryOffsetsMs[attempt] ?? null
    const result = await deliver({ ...deps, clock }, { ...input, attempt, at, health, nextOffsetMs }, delivery)
    const before = (delivery?.recorded ?? []).filter((recorded) => recorded.attempt < result.attempt)
    earlier.push(...before.map((recorded) => answerOf(resultOf(recorded))))
    if (result.nextAt === null || result.attempt >= lastAttempt) return { ...result, earlier }
    await untilDue({ ...deps, clock }, result, result.nextAt, beginsUntil)
    earlier.push(answerOf(result))
    attempt = result.attempt + 1
    // A timer may come a moment early.
    at = Math.max(at, result.nextAt)
    health = 'bad'
  }
}

function answerOf({ attempt, startedAt, status, reason, responseTimeMs }: MadeAttempt): MadeAttempt {
  return { attempt, startedAt, status, reason, responseTimeMs }
}

/** A worker's clock behind skipped time, or behind the server's, must not date an attempt before it was asked for. */
function notBehind(clock: Clock, instant: number): Clock {
  const behindMs = Math.max(0, instant - clock.now().getTime())
  return { now: () => new Date(clock.now().getTime() + behindMs) }
}

/**
 * Waits for the next attempt where it is due soon.
 *
 * @throws ApplicationFailure where it is not, so that Temporal runs the activity again at its instant. What it says is what
 *   the page of the run shows meanwhile.
 */
async function untilDue(
  { clock, shortWaits }: DeliverWebhookDeps,
  { attempt, status, reason }: AttemptResult,
  nextAt: number,
  beginsUntil: number,
): Promise<void> {
  const waitMs = () => nextAt - clock.now().getTime()
  const isSoon = Math.max(clock.now().getTime(), nextAt) <= beginsUntil
  if (isSoon && (waitMs() <= 0 || (await shortWaits.wait(waitMs())))) return
  const answer = status === null ? reason : `HTTP ${status}`
  const next = `${nameOfAttempt(attempt + 1)} follows at ${new Date(nextAt).toISOString()}`
  // Counted anew: a wait that a stop has ended is over in part.
  throw failures.notAccepted(`Not accepted (${nameOfAttempt(attempt)}: ${answer}); ${next}.`, waitMs())
}

/**
 * Makes an attempt of a delivery as it was just read: null where the project has no such delivery. Where it is on record
 * already, it gives what is recorded, and of several the last.
 */
export async function deliver(
  deps: DeliverWebhookDeps,
  input: AttemptInput,
  delivery: DeliveryForAttempt | null,
): Promise<AttemptResult> {
  const { projectId, environment } = input
  if (delivery === null || delivery.run !== input.run) return alreadyEnded(input, delivery)
  const recorded = delivery.recorded.at(-1)
  if (recorded !== undefined) return recordedResult(delivery, recorded)
  if (delivery.status !== 'pending') return alreadyEnded(input, delivery)
  if (delivery.endpoint?.isDeleted === true) {
    await endDelivery(deps.orm.em.fork(), ownerOf(input), deps.clock.now())
    return alreadyEnded(input, delivery)
  }
  const url = delivery.endpoint?.url ?? delivery.targetUrl
  const startsNow = () => Math.max(input.at, deps.clock.now().getTime())
  if (delivery.endpoint?.disabledReason === 'merchant') {
    return book(deps, input, delivery, { url, startedAt: startsNow(), sent: NOT_SENT, reason: 'endpoint_disabled' })
  }
  const host = hostOf(url)
  const turn = deps.hostSlots.take({ ...input, host, target: delivery.endpoint?.id ?? projectId })
  if (!turn.isTaken) {
    if (input.isAtOnce) return notSent(input.attempt, 'host_busy')
    throw failures.hostBusy(host, turn.waitMs)
  }
  try {
    await letOthersGoFirst(deps, input, delivery)
    const startedAt = startsNow()
    const sent = await deps.webhookSender.send({ url, environment, ...messageOf(deps, delivery) })
    return await book(deps, input, delivery, { url, startedAt, sent, reason: sent.reason })
  } finally {
    turn.giveBack()
  }
}

/** What is sent to a target that did not accept what it got last gives way to what is sent to others. */
async function letOthersGoFirst(
  { giveWay, clock }: DeliverWebhookDeps,
  { attempt, health, isAtOnce }: AttemptInput,
  { firstAttemptAt }: DeliveryForAttempt,
): Promise<void> {
  if (health !== 'bad') {
    giveWay.begins()
    return
  }
  // Inside a workflow task it would hold a slot for them.
  if (isAtOnce) return
  // No retry leaves its row for this, and one that comes after it, because the attempt before took so long, waits no more.
  const isRetry = attempt > 0 && firstAttemptAt !== null
  const leftMs = isRetry
    ? latestRetryInstant(attempt, firstAttemptAt.getTime()) - clock.now().getTime()
    : ATTEMPT_GIVES_WAY_MAX_MS
  await giveWay.turn(Math.min(ATTEMPT_GIVES_WAY_MAX_MS, leftMs))
}

function ownerOf({ projectId, environment, deliveryId }: Omit<AttemptInput, 'nextOffsetMs'>): DeliveryOwner {
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
  input: AttemptInput,
  delivery: DeliveryForAttempt,
  { url, startedAt, sent, reason }: Attempted,
): Promise<AttemptResult> {
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
  if (isRecorded)
    return {
      ...resultOf({ attempt: input.attempt, startedAt: new Date(startedAt), ...outcome }),
      firstAttemptAt,
      nextAt,
    }
  // The attempt ran twice, and the other was recorded first.
  const { run, attempt } = input
  const asked = { run, attempt, lastAttempt: attempt, now: deps.clock.now() }
  const standing = await findDeliveryForAttempt(deps.orm, owner, asked)
  const recorded = standing?.recorded[0]
  return standing === null || recorded === undefined
    ? alreadyEnded(input, standing)
    : recordedResult(standing, recorded)
}

function plannedAt(
  { attempt, nextOffsetMs }: AttemptInput,
  firstAttemptAt: number,
  askedFor: number | null,
): number | null {
  if (nextOffsetMs === null) return null
  return retryInstant(attempt + 1, { firstAttemptAt, plannedAt: firstAttemptAt + nextOffsetMs, askedFor })
}

/** Nothing follows where the delivery has ended meanwhile. */
function recordedResult(
  { status, firstAttemptAt, releaseAt }: DeliveryForAttempt,
  recorded: RecordedAttempt,
): AttemptResult {
  const nextAt = status === 'pending' ? (releaseAt?.getTime() ?? null) : null
  return { ...resultOf(recorded), firstAttemptAt: firstAttemptAt?.getTime() ?? null, nextAt }
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

/** Somebody else has ended the delivery or sends it anew, or its row is gone; either way nothing is left to send. */
function alreadyEnded({ attempt }: AttemptInput, delivery: DeliveryForAttempt | null): AttemptResult {
  const next = attempt + (delivery?.recorded.length ?? 0)
  return { ...notSent(next, 'already_ended'), delivered: delivery?.status === 'delivered' }
}

function notSent(attempt: number, reason: 'already_ended' | 'host_busy'): AttemptResult {
  const nothing = { startedAt: null, delivered: false, status: null, responseTimeMs: 0 }
  return { attempt, ...nothing, reason, firstAttemptAt: null, nextAt: null }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
