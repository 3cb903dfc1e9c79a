import type clientInterface from '@adyen/api-library/lib/src/httpClient/clientInterface.js'

/**
 * How a call failed: `not-sent` where no byte of it can have left, `answered` where Adyen said no, `lost` for all the rest.
 * The text never holds anything of the request or of the answer but Adyen's own error code.
 */
export type CallFailure =
  | { kind: 'not-sent'; reason: string }
  | { kind: 'lost'; reason: string }
  | { kind: 'answered'; status: number; errorCode: string | null; isTransient: boolean }

export class CallFailed extends Error {
  readonly failure: CallFailure

  constructor(failure: CallFailure) {
    super(`A call to Adyen failed: ${failure.kind}.`)
    this.failure = failure
  }
}

/** Failures of name resolution and of a handshake: the request follows these, so it was not sent. */
const BEFORE_THE_REQUEST: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

const TEST_HOST = 'checkout-test.adyen.com'

export type HttpClient = clientInterface.default

/**
 * The transport of the client library over `fetch`. The library's own one opens a connection for every call, follows
 * redirects, and keeps of a connection failure the text alone, so that refused and lost could not be told apart.
 *
 * @param baseUrl takes the place of Adyen's test host, and of no live one; it ends with a slash where it has a path
 */
export function createHttpClient(baseUrl: string | null): HttpClient {
  return {
    async request(endpoint, json, config, _isApiKeyRequired, options = {}) {
      const url = new URL(endpoint)
      const address = baseUrl === null || url.hostname !== TEST_HOST ? url : new URL(url.pathname.slice(1), baseUrl)
      try {
        const answer = await fetch(address, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'x-api-key': config.apiKey ?? '',
            ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
          },
          body: json as string,
          // Following one would send the card to an address that nobody has chosen.
          redirect: 'manual',
          signal: options.signal ?? null,
        })
        return readAnswer(answer.status, answer.headers.get('transient-error'), await answer.text())
      } catch (error) {
        throw error instanceof CallFailed ? error : new CallFailed(failureOf(error))
      }
    },
  }
}

function readAnswer(status: number, transient: string | null, body: string): string {
  const answer = parse(body)
  if (status >= 200 && status < 300) {
    if (answer === null) throw new CallFailed({ kind: 'lost', reason: 'the answer cannot be read' })
    return body
  }
  const errorCode = answer !== null && 'errorCode' in answer ? String(answer.errorCode) : null
  throw new CallFailed({
    kind: 'answered',
    status,
    errorCode: errorCode !== null && /^[0-9_]{1,12}$/.test(errorCode) ? errorCode : null,
    isTransient: transient === 'true',
  })
}

function parse(body: string): object | null {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}

/** Reads errors by their fields: those of `fetch` may be of another realm than the caller's classes. */
function failureOf(error: unknown): CallFailure {
  const { name = 'unknown error', cause } = (error ?? {}) as { name?: string; cause?: unknown }
  if (name === 'AbortError' || name === 'TimeoutError') return { kind: 'lost', reason: name }
  const causes = causesOf(cause)
  const isBeforeTheRequest = causes.length > 0 && causes.every(isEarly)
  return { kind: isBeforeTheRequest ? 'not-sent' : 'lost', reason: causes[0]?.code ?? name }
}

interface Cause {
  code?: string
  syscall?: string
  errors?: readonly unknown[]
}

/** A host with several addresses fails with one error for each. */
function causesOf(cause: unknown): Cause[] {
  if (typeof cause !== 'object' || cause === null) return []
  const { errors } = cause as Cause
  return errors === undefined || errors.length === 0 ? [cause] : errors.flatMap(causesOf)
}

function isEarly({ code, syscall }: Cause): boolean {
  return BEFORE_THE_REQUEST.has(code ?? '') || syscall === 'connect' || syscall === 'getaddrinfo'
}
