import type { Environment } from '../../domain/environment.ts'
import type { WebhookBody } from '../../domain/webhook-event.ts'
import { type Exchange, post } from './post.ts'
import { createTargetGuard, type Refusal, type ResolveHost, type TargetCheck } from './target-guard.ts'

/** From the look-up of the name to the end of the answer. Source: specification of the interface, 10 s. */
const ANSWER_TIMEOUT_MS = 10_000

const USER_AGENT = 'Holdfast-Webhooks/1'

/** Why a webhook counts as not delivered, as a stable word. */
type DeliveryFailure =
  | Refusal
  | Extract<Exchange, { kind: 'unanswered' }>['reason']
  /** The answer was a redirect; none is followed. */
  | 'redirect'
  /** The answer was neither a success nor a redirect. */
  | 'http_status'

interface SendResult {
  /** True for an answer with a 2xx status. */
  delivered: boolean
  /** HTTP status of the answer, where there was one. */
  status: number | null
  /** Null when it was delivered. */
  reason: DeliveryFailure | null
  responseTimeMs: number
}

export interface WebhookSender {
  /** Sends one webhook once. Never throws: whatever happens is a result. */
  send(webhook: { url: string; environment: Environment; body: WebhookBody }): Promise<SendResult>
}

export interface WebhookSenderOptions {
  /** See `createTargetGuard`; from the setting DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS. */
  allowPrivateTargets: boolean
  resolve?: ResolveHost
  timeoutMs?: number
}

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { timeoutMs = ANSWER_TIMEOUT_MS } = options
  const guard = createTargetGuard(options)

  return {
    async send({ url, environment, body }) {
      const startedAt = performance.now()
      const signal = AbortSignal.timeout(timeoutMs)
      const check = await orTimeout(guard.check(url, environment), signal)
      const exchange = check.kind === 'allowed' ? await postBody(check, body, signal) : check
      return { ...judge(exchange), responseTimeMs: Math.round(performance.now() - startedAt) }
    },
  }
}

function postBody(target: Extract<TargetCheck, { kind: 'allowed' }>, body: WebhookBody, signal: AbortSignal) {
  return post({
    url: target.url,
    addresses: target.addresses,
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT },
    // Nothing but these two, whatever else the object carries: the event is fetched by its id.
    body: JSON.stringify({ event_id: body.event_id, event_type: body.event_type }),
    signal,
  })
}

/** A resolver cannot be interrupted, only no longer waited for. */
function orTimeout<T>(check: Promise<T>, signal: AbortSignal): Promise<T | { kind: 'unanswered'; reason: 'timeout' }> {
  const timeout = new Promise<{ kind: 'unanswered'; reason: 'timeout' }>((resolve) => {
    signal.addEventListener('abort', () => resolve({ kind: 'unanswered', reason: 'timeout' }), { once: true })
  })
  return Promise.race([check, timeout])
}

function judge(exchange: Exchange | Extract<TargetCheck, { kind: 'refused' }>): Omit<SendResult, 'responseTimeMs'> {
  if (exchange.kind !== 'answered') return { delivered: false, status: null, reason: exchange.reason }
  const { status } = exchange
  if (status >= 200 && status <= 299) return { delivered: true, status, reason: null }
  return { delivered: false, status, reason: status >= 300 && status <= 399 ? 'redirect' : 'http_status' }
}
