import { base64, randomKey } from '../bytes.ts'
import type { Reply } from './answer.ts'
import { isPassing, objectIn } from './answer.ts'

/** The API waits 30 s for an outcome, and then says that it is pending. */
const TRY_LASTS_MS = 35_000
/** How long a request is repeated, from its first failure on. */
const RETRY_FOR_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000

export interface Clock {
  now(): number
  wait(milliseconds: number): Promise<void>
}

/** One HTTP request; rejects where no answer came. */
export type Send = (request: Request) => Promise<Reply>

export interface Request {
  method: 'GET' | 'POST'
  /** Below the address of the API. */
  path: string
  body?: object
  headers?: Readonly<Record<string, string>>
}

export interface Unanswered {
  /** The last answer that said to come again; null where there was none at all. */
  last: Reply | null
  /** False where the browser was offline all the time, so that nothing has left it. */
  wasSent: boolean
  /** Sends the very request once more; null where that has no answer that stays either. */
  again(): Promise<Reply | null>
}

/** The browser is offline, and nothing was sent. */
export class Offline extends Error {}

export type Outcome = { kind: 'answered'; reply: Reply } | ({ kind: 'unanswered' } & Unanswered)

export interface ApiClient {
  get(path: string): Promise<Outcome>
  /** Each call has an idempotency key of its own, and its repetitions the same one. */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Outcome>
}

export function createApiClient(send: Send, clock: Clock, makeKey: () => string = randomKey): ApiClient {
  return {
    get: (path) => sendUntilAnswered(() => send({ method: 'GET', path }), clock),
    post(path, body, headers = {}) {
      const request: Request = { method: 'POST', path, body, headers: { ...headers, 'Idempotency-Key': makeKey() } }
      return sendUntilAnswered(() => send(request), clock)
    },
  }
}

/** Repeats a request with growing pauses until it has an answer that stays, or the time is over. */
async function sendUntilAnswered(once: () => Promise<Reply>, { now, wait }: Clock): Promise<Outcome> {
  const again = () =>
    once().then(
      (reply) => (isPassing(reply) ? null : reply),
      () => null,
    )
  let last: Reply | null = null
  let wasSent = false
  let end = Number.POSITIVE_INFINITY
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const reply = await once().catch((error: unknown) => {
      wasSent ||= !(error instanceof Offline)
      return null
    })
    wasSent ||= reply !== null
    if (reply !== null && !isPassing(reply)) return { kind: 'answered', reply }
    last = reply ?? last
    end = Math.min(end, now() + RETRY_FOR_MS)
    const delay = Math.max(pause, reply?.retryAfterMs ?? 0)
    if (now() + delay >= end) return { kind: 'unanswered', last, wasSent, again }
    await wait(delay)
  }
}

/** A client key: the project id, and no password. */
function authorizationOf(projectId: string): string {
  return `Basic ${base64(`${projectId}:`)}`
}

/** Sends by the browser's `fetch`, without cookies. */
export function createSend(apiUrl: string, projectId: string): Send {
  return async ({ method, path, body, headers = {} }) => {
    if (!navigator.onLine) throw new Offline()
    const aborter = new AbortController()
    const timer = setTimeout(() => aborter.abort(), TRY_LASTS_MS)
    try {
      const response = await fetch(apiUrl + path, {
        method,
        headers: {
          Authorization: authorizationOf(projectId),
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: aborter.signal,
      })
      // The answer may break off in the middle, which is no answer.
      const text = await response.text()
      return { status: response.status, body: objectIn(parsed(text)), retryAfterMs: retryAfterIn(response.headers) }
    } finally {
      clearTimeout(timer)
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function retryAfterIn(headers: Headers): number | null {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : null
}
