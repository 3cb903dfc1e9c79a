import { ERRORS, type ErrorCode, statusOf } from '../../domain/errors.ts'
import type { InvalidField } from '../objects/error-body.ts'
import type { Usage } from '../rate-limit/buckets.ts'

export type { InvalidField } from '../objects/error-body.ts'

/** The details of an error besides its code. */
export interface ApiErrorDetails {
  /** A more exact sentence instead of the code's general one. */
  message?: string
  invalidFields?: readonly InvalidField[] | undefined
  /** For 401, 405 and the like. `Retry-After` follows from the code. */
  headers?: Readonly<Record<string, string>>
}

/** An error answer with a code of the list. Its text is written for the merchant. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly invalidFields: readonly InvalidField[] | undefined
  readonly headers: Readonly<Record<string, string>>

  /** @param details a text is the message. */
  constructor(code: ErrorCode, details: string | ApiErrorDetails = {}) {
    const { message, invalidFields, headers = {} } = typeof details === 'string' ? { message: details } : details
    super(message ?? ERRORS[code].message)
    this.code = code
    this.invalidFields = invalidFields
    this.headers = headers
  }

  get status(): number {
    return statusOf(this.code)
  }
}

/** A refusal that depends on the current state. */
export function invalidState(message: string): ApiError {
  return new ApiError('request.validation.invalid-state', message)
}

/** The error of an empty bucket, with the time until the next request passes. */
export function rateExceeded({ moreInMs }: Pick<Usage, 'moreInMs'>): ApiError {
  const seconds = Math.max(1, Math.ceil(moreInMs / 1000))
  return new ApiError('request.rate.exceeded', {
    message: `Too many requests: the next one passes in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`,
    headers: { 'Retry-After': String(seconds) },
  })
}

/** The challenge of every 401. Source: RFC 9110, section 15.5.2. */
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="holdfast", charset="UTF-8"' } as const

export function unauthenticated(details: Omit<ApiErrorDetails, 'headers'> = {}): ApiError {
  return new ApiError('request.authentication.invalid', { ...details, headers: CHALLENGE })
}
