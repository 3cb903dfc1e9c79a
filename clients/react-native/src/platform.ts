/**
 * What the library uses of the platform. React Native, browsers and Node have all of it; the types are written out,
 * since each platform has its own declarations.
 */

export type Fetch = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    signal: never
    redirect: 'error'
    credentials: 'omit'
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>

declare const fetch: Fetch
declare const setTimeout: (run: () => void, milliseconds: number) => unknown
declare const clearTimeout: (timer: never) => void
declare const AbortController: new () => { signal: unknown; abort(): void }

/** The answer to one HTTP request, read to its end. */
export interface Reply {
  status: number
  retryAfter: string | null
  text: string
}

/** The connection failed, or there was no answer in time. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed'
}

/** @throws ConnectionFailed whatever the reason: platforms word it differently, and some repeat what was sent. */
export async function exchange(
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string },
  { timeoutMs, fetch: own }: { timeoutMs: number; fetch: Fetch | undefined },
): Promise<Reply> {
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(), timeoutMs)
  try {
    const send = own ?? fetch
    // A redirect would hand the request to somebody else. React Native follows it all the same: the service sends none.
    const signal = aborter.signal as never
    const response = await send(url, { ...request, signal, redirect: 'error', credentials: 'omit' })
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), text: await response.text() }
  } catch {
    throw new ConnectionFailed('The service did not answer.')
  } finally {
    clearTimeout(timer as never)
  }
}

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Undefined if the promise has not ended by then; how it ends later is nobody's concern. */
export async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: unknown
  const timeIsUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  promise.catch(() => {})
  try {
    return await Promise.race([promise, timeIsUp])
  } finally {
    clearTimeout(timer as never)
  }
}

/** Unique for the requests of one invoice, which is all that it has to be: an invoice has a handful. */
export function uniqueKey(): string {
  const part = () =>
    Math.floor(Math.random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  return `${part()}${part()}${part()}-${Date.now().toString(16)}`
}
