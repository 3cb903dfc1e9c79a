import { encodeBase64 } from './base64.ts'
import { type CustomerAction, readAction } from './customer-actions.ts'
import { errorOf, invoiceIsOver, type PaymentError } from './errors.ts'
import type * as wire from './generated/objects.ts'
import { ConnectionFailed, exchange, type Fetch, sleep } from './platform.ts'
import { type AuthorizationRequest, bodyOf } from './request.ts'
import type { Invoice, Transaction } from './resources.ts'
import type { Timing } from './timing.ts'
import { type Answer, readAnswer } from './wire.ts'

/** What the service says to a request to pay. A no is a `PaymentError`. */
export type PaymentAnswer =
  | { kind: 'paid'; transaction: Transaction; customerTokenId: string | null }
  /** The outcome comes later, and the customer has nothing to do. */
  | { kind: 'open'; transaction: Transaction | null }
  | { kind: 'asks'; action: CustomerAction }

/** A request was repeated until its time was up, and at least one of its attempts may have arrived. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered'
}

export interface Connection {
  baseUrl: string
  projectId: string
  timing: Timing
  fetch: Fetch | undefined
}

interface HttpRequest {
  method: string
  path: string
  headers?: Record<string, string>
  body?: string
}

/** How one attempt ended that is worth another one. */
interface FailedAttempt {
  /** What the service said, if it did nothing. */
  refusal: PaymentError | null
  retryAfterMs: number | null
  mayHaveArrived: boolean
}

export type Api = ReturnType<typeof createApi>

/** The two requests of the library, each repeated while the connection fails. */
export function createApi(connection: Connection) {
  const { timing, projectId } = connection
  const headers = { Accept: 'application/json', Authorization: `Basic ${encodeBase64(`${projectId}:`)}` }

  return {
    /** @throws Unanswered if it could not be read. */
    async invoice(invoiceId: string, attempts = timing.attempts): Promise<Invoice> {
      const path = `/invoices/${invoiceId}?expand=transaction`
      const { invoice } = await send({ method: 'GET', path }, attempts, (answer) => answer.invoice !== null)
      return invoice as Invoice
    },

    /**
     * Asks for the authorization, with the same key in every attempt: the service carries it out once.
     *
     * @throws Unanswered if it may have arrived and no answer came.
     */
    async authorize(
      request: AuthorizationRequest,
      { source, key, attempts = timing.attempts }: { source: string; key: string; attempts?: number },
    ): Promise<PaymentAnswer> {
      const secret = request.clientSecret
      const post = {
        method: 'POST',
        path: `/invoices/${request.invoiceId}/authorize`,
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
          ...(secret === undefined ? {} : { 'X-Service-Client-Secret': secret }),
        },
        body: bodyOf(request, source),
      }
      return paymentAnswerOf(await send(post, attempts, isAboutPayment))
    },
  }

  /**
   * Sends the request until it is answered.
   *
   * @param isExpected whether the body of a success is the one that was asked for.
   * @throws PaymentError for an answer that says no.
   */
  async function send(
    request: HttpRequest,
    attempts: number,
    isExpected: (answer: Answer) => boolean,
  ): Promise<Answer> {
    let mayHaveArrived = false
    for (let number = 1; ; number += 1) {
      const attempt = await tryOnce(request, isExpected)
      if ('success' in attempt) return attempt
      mayHaveArrived ||= attempt.mayHaveArrived
      const retryAfterMs = attempt.retryAfterMs ?? 0
      if (number >= attempts || retryAfterMs > timing.longestRetryAfterMs) {
        if (mayHaveArrived || attempt.refusal === null) throw new Unanswered('The service did not answer.')
        throw attempt.refusal
      }
      await sleep(Math.max(retryAfterMs, pauseAfter(number, timing)))
    }
  }

  async function tryOnce(
    { path, headers: more = {}, ...request }: HttpRequest,
    isExpected: (answer: Answer) => boolean,
  ): Promise<Answer | FailedAttempt> {
    const lost = { refusal: null, retryAfterMs: null, mayHaveArrived: true }
    try {
      const sent = { ...request, headers: { ...headers, ...more } }
      const { status, retryAfter, text } = await exchange(`${connection.baseUrl}${path}`, sent, {
        timeoutMs: timing.requestTimeoutMs,
        fetch: connection.fetch,
      })
      const answer = readAnswer(text)
      // Networks with a page of their own to log in answer for the service, and with its statuses.
      if (answer === null) return lost
      if (answer.success) return status >= 200 && status < 300 && isExpected(answer) ? answer : lost
      return judge(status, answer, retryAfter)
    } catch (error) {
      if (error instanceof ConnectionFailed) return lost
      throw error
    }
  }
}

/** @throws PaymentError unless another attempt is worth it. */
function judge(status: number, answer: Answer, retryAfter: string | null): FailedAttempt {
  const seconds = retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null
  const retryAfterMs = seconds === null ? null : seconds * 1000
  const refusal = errorOf(status, answer, seconds)
  const type = answer.error_type ?? ''
  if (PASSING.has(status)) return { refusal, retryAfterMs, mayHaveArrived: !NOTHING_DONE.has(type) }
  if (status === 429 && type !== TOO_MANY_FAILURES) return { refusal, retryAfterMs, mayHaveArrived: false }
  if (status === 409 && type === STILL_PROCESSING) return { refusal: null, retryAfterMs, mayHaveArrived: true }
  throw refusal
}

/** Too late to read the request, and errors of the service or of what stands in front of it. */
const PASSING = new Set([408, 500, 502, 503, 504])

/** The service says that it has not begun. */
const NOTHING_DONE = new Set(['request.timeout', 'request.not-started'])

/** The first request with the key is under way. */
const STILL_PROCESSING = 'request.still-processing'

/** Whoever tries cards gets it; another attempt makes it worse. */
const TOO_MANY_FAILURES = 'request.rate.too-many-failures'

/** Between half of the pause and all of it, so that apps that lost the service together do not return together. */
function pauseAfter(number: number, { firstPauseMs, longestPauseMs }: Timing): number {
  const pause = Math.min(firstPauseMs * 2 ** (number - 1), longestPauseMs)
  return pause * (1 - Math.random() / 2)
}

function isAboutPayment({ outcome, transaction }: Answer): boolean {
  return outcome === 'pending' || (outcome === 'success' && transaction !== null)
}

/** The payment was made and is no more, which is no success for the customer. */
const GIVEN_BACK: ReadonlySet<string> = new Set<wire.Transaction['status']>(['voided', 'refunded'])

/** @throws PaymentError for a payment that was given back. */
function paymentAnswerOf(answer: Answer): PaymentAnswer {
  const { outcome, transaction, customer_action: action, customer_token_id: customerTokenId } = answer
  if (action !== null) return { kind: 'asks', action: readAction(action) }
  if (transaction !== null && GIVEN_BACK.has(transaction.status)) throw invoiceIsOver(transaction.status)
  if (outcome === 'success' && transaction !== null) return { kind: 'paid', transaction, customerTokenId }
  return { kind: 'open', transaction }
}
