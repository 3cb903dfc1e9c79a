import type { WireRequest } from './requests.ts'

/** `not-sent` where no byte of the request can have left; `lost` where it may have arrived and no answer came. */
export type Answer =
  | { kind: 'answered'; status: number; body: unknown }
  | { kind: 'not-sent'; reason: string }
  | { kind: 'lost'; reason: string }

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
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/**
 * Asks once: nothing is repeated, and no redirection is followed, because it would take the card elsewhere. Nothing of what was
 * sent, nor of an error's text, is told.
 *
 * @param idempotencyKey our reference, where the request moves money
 */
export async function ask(
  baseUrl: string,
  apiKey: string,
  { method, path, body }: WireRequest,
  idempotencyKey: string | null,
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const answer = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== null && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    })
    return { kind: 'answered', status: answer.status, body: parse(await answer.text()) }
  } catch (error) {
    return failureOf(error)
  }
}

/** Null for what is no JSON object. */
function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** Errors are read by their fields: those of `fetch` may be of another realm than the caller's classes. */
function failureOf(error: unknown): Answer {
  const { name = 'unknown error', cause } = (error ?? {}) as { name?: string; cause?: { code?: string } }
  const code = cause?.code
  if (code !== undefined && BEFORE_THE_REQUEST.has(code)) return { kind: 'not-sent', reason: code }
  return { kind: 'lost', reason: code ?? name }
}
