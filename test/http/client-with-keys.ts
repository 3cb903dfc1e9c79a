import type { Merchant } from './interface.ts'

/** An answer with the bytes of its body. */
export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
  body: any
}

/** A request with an `Idempotency-Key`, or without one where it is undefined. */
export type PostWithKey = (
  path: string,
  key: string | undefined,
  body?: object | string,
  method?: string,
) => Promise<RawAnswer>

/** A client that shows the bytes, for what must be the same to the byte. */
export function createClientWithKeys(
  url: string,
  { projectId, secretKey }: Pick<Merchant, 'projectId' | 'secretKey'>,
): PostWithKey {
  const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
  return async (path, key, body = {}, method = 'POST') => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization,
        'content-type': typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
}

/** `true` on an answer that was given before, null on any other. */
export const replayed = ({ headers }: RawAnswer): string | null => headers.get('idempotent-replayed')
