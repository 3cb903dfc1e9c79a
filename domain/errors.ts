import type { ErrorEntry, RetryClass } from './errors/entry.ts'
import { PAYMENT_ERRORS } from './errors/payment.ts'
import { REQUEST_ERRORS } from './errors/request.ts'

export { type ErrorEntry, PAYMENT_FAILED, type RetryClass } from './errors/entry.ts'

/**
 * The one list of error codes: HTTP status, the sentence a merchant reads, and what to do. A more exact sentence may
 * take the place of the general one where the error is raised; the code and the status may not differ.
 * 400 bad input or state, 401 authentication, 403 a key or project that may not, 404 unknown or foreign, 405 and 413 transport, 409 in flight, 410 every
 * failure of a payment, 429 too many, 5xx ours.
 */
export const ERRORS = { ...REQUEST_ERRORS, ...PAYMENT_ERRORS }

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/** What a failed payment needs before another try; null for a code that no payment fails with, or that is not ours. */
export function retryClassOf(code: string): RetryClass | null {
  return entryOf(code)?.retryClass ?? null
}

/**
 * True where nothing was done and the reason goes away by itself, so that our own scheduler may ask again unchanged:
 * a failure of the machinery, never a decision of an issuer or a gateway.
 */
export function isPassing(code: string): boolean {
  return entryOf(code)?.isPassing === true
}

function entryOf(code: string): ErrorEntry | null {
  return isErrorCode(code) ? ERRORS[code] : null
}
