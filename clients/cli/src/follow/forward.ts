import http from 'node:http'
import https from 'node:https'
import { type Event, webhooks } from '../../../node/src/index.ts'

/** As long as the service waits for the answer of a receiver. */
const ANSWER_TIMEOUT_MS = 10_000

export interface Target {
  url: string
  /** `whsec_…` */
  secret: string
}

/** What became of it, in the words of a delivery. */
export interface Forwarded {
  /** Null without an answer. */
  status: number | null
  /** Null where it was accepted. */
  problem: string | null
  response_time_ms: number
}

/** Sends an event as the service sends it to a webhook endpoint: the same method, headers and body. */
export async function forward(
  event: Pick<Event, 'id' | 'name'>,
  target: Target,
  stop: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify({ event_id: event.id, event_type: event.name })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Holdfast-Webhooks/1',
    ...webhooks.sign(body, target.secret, { id: event.id, timestamp: new Date() }),
  }
  const startedAt = performance.now()
  const result = await post(
    target.url,
    headers,
    body,
    AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  ).then(
    (status) => ({ status, problem: problemOf(status) }),
    (error: Error) => ({ status: null, problem: `No answer from ${target.url}: ${reasonOf(error)}.` }),
  )
  return { ...result, response_time_ms: Math.round(performance.now() - startedAt) }
}

/** The status of the answer. `fetch` would send headers that no webhook has. */
function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  const { request } = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    const length = Buffer.byteLength(body)
    const sent = request(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': length },
      signal,
      agent: false,
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      response.resume()
    })
    sent.end(body)
  })
}

function problemOf(status: number): string | null {
  if (status >= 200 && status <= 299) return null
  return status >= 300 && status <= 399
    ? 'Redirects are not followed.'
    : 'It was not accepted; a real webhook would be retried.'
}

function reasonOf({ name, code, message }: NodeJS.ErrnoException): string {
  return name === 'AbortError' ? `none within ${ANSWER_TIMEOUT_MS / 1000} s` : (code ?? message)
}
