import { type ErrorEntry, PAYMENT_FAILED, type RetryClass } from './errors/entry.ts'
import { PAYMENT_ERRORS } from './errors/payment.ts'
import { REQUEST_ERRORS } from './errors/request.ts'

export { type ErrorEntry, PAYMENT_FAILED, RETRY_CLASSES, type RetryClass } from './errors/entry.ts'

/**
 * All error codes with HTTP status, message and advice for the merchant. Code that raises an error may replace the message
 * by a more exact one, but not the code or the status. 400 bad input or state, 401 authentication, 403 not permitted to the
 * key or project, 404 unknown or foreign, 405 and 413 transport, 409 in flight, 410 every failed payment, 429 too many
 * requests, 5xx errors of this service.
 */
export const ERRORS = { ...REQUEST_ERRORS, ...PAYMENT_ERRORS }

export type ErrorCode = keyof typeof ERRORS

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code)
}

/** The form of every code. Workers of a later version have codes that are not in the list. */
const FORM = /^[a-z]+(?:\.[a-z0-9-]+)+$/

export function hasFormOfCode(text: string): boolean {
  return FORM.test(text)
}

/** The HTTP status of a refusal; with a code of a later version 400 where it is about the request. */
export function statusOf(code: string): number {
  if (isErrorCode(code)) return ERRORS[code].status
  return code.startsWith('request.') ? 400 : PAYMENT_FAILED
}

/** What a failed payment needs before another try; null for unknown codes and codes with which no payment fails. */
export function retryClassOf(code: string): RetryClass | null {
  return entryOf(code)?.retryClass ?? null
}

/**
 * True if nothing was done for a temporary technical reason, so that our own scheduler may repeat the step unchanged. Never
 * true for a decision of an issuer or a gateway.
 */
export function isPassing(code: string): boolean {
  return entryOf(code)?.isPassing === true
}

function entryOf(code: string): ErrorEntry | null {
  return isErrorCode(code) ? ERRORS[code] : null
}
