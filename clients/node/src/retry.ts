import { setTimeout as sleep } from 'node:timers/promises'
import { ConflictError, ConnectionError, type HoldfastError, RateLimitError, UnavailableError } from './errors.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** Whoever is told to wait longer decides for himself. */
const LONGEST_RETRY_AFTER_S = 60

/**
 * How long to wait before a retry, in milliseconds; null where the answer stays the same, or comes too late. A decline is
 * never asked for again.
 *
 * @param number of the retry, from 1.
 */
export function pauseBefore(number: number, error: HoldfastError): number | null {
  if (!isPassing(error)) return null
  // Between half of the pause and all of it, so that callers that lost the service together do not return together.
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (number - 1), LONGEST_PAUSE_MS) * (1 - Math.random() / 2)
  if (error.retryAfter === null) return pause
  if (error.retryAfter > LONGEST_RETRY_AFTER_S) return null
  return Math.max(pause, error.retryAfter * 1000 * (1 + Math.random() / 4))
}

function isPassing(error: HoldfastError): boolean {
  if (error instanceof ConflictError) return error.code === 'request.still-processing'
  // The other reason is that too many attempts to pay have failed, and one more makes it worse.
  if (error instanceof RateLimitError) return error.code !== 'request.rate.too-many-failures'
  return error instanceof UnavailableError || error instanceof ConnectionError
}

/** @throws the reason of the signal, as soon as it is aborted. */
export async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  } finally {
    signal?.throwIfAborted()
  }
}
