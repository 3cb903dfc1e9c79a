/** What is left in the bucket that the request counted towards. */
export interface RateLimit {
  /** `primary`, `secondary` (events) or `sandbox`: each has a bucket of its own. */
  readonly name: string | null
  /** Requests a minute. It can change with any answer. */
  readonly limit: number
  readonly remaining: number
}

/**
 * What came with an answer beside its body. Headers are behind methods, so that a log of it shows no client secret.
 */
export class LastResponse {
  readonly status: number
  /** By which support and the request log find the request. */
  readonly requestId: string | null
  /** Null for what changes nothing. */
  readonly idempotencyKey: string | null
  /** Whether this is the kept answer of an earlier request with the same key. */
  readonly isReplayed: boolean
  /** Null where something in front of the service has answered. */
  readonly rateLimit: RateLimit | null
  readonly #headers: Headers

  constructor(status: number, headers: Headers, idempotencyKey: string | null) {
    this.status = status
    this.requestId = headers.get('x-request-id')
    this.idempotencyKey = idempotencyKey
    this.isReplayed = headers.get('idempotent-replayed') === 'true'
    this.rateLimit = rateLimitOf(headers)
    this.#headers = headers
  }

  header(name: string): string | null {
    return this.#headers.get(name)
  }

  /** Of an invoice that was created or retrieved: what proves to the service that a page may pay it. */
  clientSecret(): string | null {
    return this.#headers.get('x-service-client-secret')
  }
}

/** The object of an answer, with what came beside it in a property that neither JSON nor a log shows. */
export type Answered<T> = T & { readonly lastResponse: LastResponse }

export function answered<T extends object>(value: T, lastResponse: LastResponse): Answered<T> {
  return Object.defineProperty(value, 'lastResponse', { value: lastResponse, enumerable: false }) as Answered<T>
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const limit = headers.get('x-ratelimit')
  const remaining = headers.get('x-ratelimit-remaining')
  if (limit === null || remaining === null) return null
  const name = /^"([^"]+)"/.exec(headers.get('ratelimit') ?? '')?.[1] ?? null
  return { name, limit: Number(limit), remaining: Number(remaining) }
}
