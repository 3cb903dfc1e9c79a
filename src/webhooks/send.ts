import type { Environment } from '../../domain/environment.ts'
import type { WebhookBody } from '../../domain/webhook-event.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type AnswerExcerpt, excerptOf } from './answer-excerpt.ts'
import { type Exchange, post } from './post.ts'
import { type SigningSecret, signatureHeaders } from './signature.ts'
import { createTargetGuard, type Refusal, type ResolveHost, type TargetCheck } from './target-guard.ts'

/** From the name look-up to the end of the answer. */
const ANSWER_TIMEOUT_MS = 10_000

/** As long as a whole retry schedule: a longer wait changes nothing, and a huge number is no valid instant. */
const SECONDS_MAX = 3 * 24 * 60 * 60

const USER_AGENT = 'Holdfast-Webhooks/1'

/** Why a webhook was not delivered, as a stable word. */
type DeliveryFailure =
  | Refusal
  | Extract<Exchange, { kind: 'unanswered' }>['reason']
  | 'redirect'
  /** The answer was neither a success nor a redirect. */
  | 'http_status'

export interface SendResult {
  /** True for a 2xx status. */
  delivered: boolean
  /** The HTTP status of the answer, if there was one. */
  status: number | null
  reason: DeliveryFailure | null
  responseTimeMs: number
  excerpt: AnswerExcerpt | null
  /** When the receiver asks for the next attempt, in epoch ms; null where it does not, or has accepted. */
  retryAt: number | null
}

export interface OutgoingWebhook {
  url: string
  environment: Environment
  /** The same in every attempt, so that the receiver can detect repetitions. */
  messageId: string
  body: WebhookBody
  /** Secrets to sign with; empty where the receiver has none. */
  secrets: readonly SigningSecret[]
}

export interface WebhookSender {
  /** Sends one webhook once. Never throws: every error is a result. */
  send(webhook: OutgoingWebhook): Promise<SendResult>
}

export interface WebhookSenderOptions {
  /** See `createTargetGuard`; from the setting DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS. */
  allowPrivateTargets: boolean
  clock?: Clock
  resolve?: ResolveHost
  timeoutMs?: number
}

/** The result of a post, with the part of the answer that may be kept. */
type Sent =
  | (Extract<Exchange, { kind: 'answered' }> & { excerpt: AnswerExcerpt })
  | Extract<Exchange, { kind: 'unanswered' }>

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { clock = systemClock, timeoutMs = ANSWER_TIMEOUT_MS } = options
  const guard = createTargetGuard(options)

  return {
    async send(webhook) {
      const startedAt = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const check = await orTimeout(guard.check(webhook.url, webhook.environment), signal)
      const exchange = check.kind === 'allowed' ? await postWebhook(check, webhook, clock.now(), signal) : check
      return { ...judge(exchange, clock.now()), responseTimeMs: Math.round(performance.now() - startedAt) }
    },
  }
}

async function postWebhook(
  { url, addresses }: Extract<TargetCheck, { kind: 'allowed' }>,
  { body: { event_id, event_type }, messageId: id, secrets }: OutgoingWebhook,
  timestamp: Date,
  signal: AbortSignal,
): Promise<Sent> {
  // Only these two fields: the receiver fetches the event by its id.
  const body = JSON.stringify({ event_id, event_type })
  const signature = signatureHeaders({ id, timestamp, body }, secrets)
  const headers = { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...signature }
  const exchange = await post({ url, addresses, headers, body, signal })
  if (exchange.kind !== 'answered') return exchange
  return { ...exchange, excerpt: excerptOf(exchange.body, exchange.headers, signature['webhook-signature']) }
}

/** A look-up cannot be interrupted, only abandoned. */
function orTimeout<T>(check: Promise<T>, signal: AbortSignal): Promise<T | { kind: 'unanswered'; reason: 'timeout' }> {
  const timeout = new Promise<{ kind: 'unanswered'; reason: 'timeout' }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'unanswered', reason: 'timeout' }), { once: true })
  })
  return Promise.race([check, timeout])
}

function judge(
  exchange: Sent | Extract<TargetCheck, { kind: 'refused' }>,
  now: Date,
): Omit<SendResult, 'responseTimeMs'> {
  if (exchange.kind !== 'answered') {
    return { delivered: false, status: null, reason: exchange.reason, excerpt: null, retryAt: null }
  }
  const { status, headers, excerpt } = exchange
  if (status >= 200 && status <= 299) return { delivered: true, status, reason: null, excerpt, retryAt: null }
  const reason = status >= 300 && status <= 399 ? 'redirect' : 'http_status'
  return { delivered: false, status, reason, excerpt, retryAt: readRetryAfter(headers['retry-after'], now.getTime()) }
}

/**
 * When a receiver wants the next attempt, in epoch ms: `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 *
 * @returns null where the header is missing or has another form.
 */
export function readRetryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null
  const text = value.trim()
  if (/^\d+$/.test(text)) return now + Math.min(Number(text), SECONDS_MAX) * 1000
  const instant = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text) ? Date.parse(text) : NaN
  return Number.isNaN(instant) ? null : instant
}
