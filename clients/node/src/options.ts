export interface HoldfastOptions {
  /** `proj_…`, or in the sandbox `test-proj_…`. */
  projectId: string
  /** `key_live_…` or `key_sandbox_…`; it decides the environment. */
  secretKey: string
  /** Where the service is reached, such as `https://payments.example`. */
  apiUrl: string
  /** How long one attempt may take, 60 s by default. The service answers a payment within 30 s. */
  timeoutMs?: number | undefined
  /** How often a request is sent again, 3 times by default; 0 never. */
  maxRetries?: number | undefined
  /** Instead of Node's own, for a proxy or for tests. */
  fetch?: typeof globalThis.fetch | undefined
  /** Your program, for the header `User-Agent`, which the request log shows. */
  appInfo?: { name: string; version?: string | undefined } | undefined
}

/** Of one call. */
export interface RequestOptions {
  /** What is to happen once: 1 to 255 printable ASCII characters. Without one, each call makes its own. */
  idempotencyKey?: string | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** Ends the call with the reason of the signal. What was sent may have been carried out. */
  signal?: AbortSignal | undefined
  /** Further headers, such as `X-Request-Id` or `Disable-Logging`. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Of a call by method and path. */
export interface RawOptions extends RequestOptions {
  /** The query of a `GET`, and the body of every other request. */
  params?: Readonly<Record<string, unknown>> | undefined
}

/** Of calls that can show related objects inside the objects of their answer. */
export interface Expanding {
  /** Such as `['transaction.operations']`. */
  expand?: readonly string[]
}

export interface ListParams {
  /** `field:value`; instants, numbers and amounts also `field>=value` and `field<value`. All of them must hold. */
  filter?: string | readonly string[]
  /** How many objects a page has: 10 by default, 100 at most and where all pages are read. */
  limit?: number
  /** The newest first (`desc`), unless you say otherwise. */
  order?: 'asc' | 'desc'
  /** The id of an object of the list: begins right after it. */
  start_after?: string
  /** The id of an object of the list: ends right before it, and goes on in that direction. */
  end_before?: string
}
