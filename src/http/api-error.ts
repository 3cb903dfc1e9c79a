import { ERRORS, type ErrorCode } from '../../domain/errors.ts'
import type { InvalidField } from '../presenters/error-body.ts'

export type { InvalidField } from '../presenters/error-body.ts'

/** What is told beside the code. */
export interface ApiErrorDetails {
  /** A more exact sentence in place of the general one of the code. */
  message?: string
  invalidFields?: readonly InvalidField[]
  /** For 401, 405 and the like. `Retry-After` follows from the code. */
  headers?: Readonly<Record<string, string>>
}

/** A request that is answered with an error of the list. Its text is written for the merchant. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly invalidFields: readonly InvalidField[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, { message, invalidFields, headers = {} }: ApiErrorDetails = {}) {
    super(message ?? ERRORS[code].message)
    this.code = code
    this.invalidFields = invalidFields
    this.headers = headers
  }

  get status(): number {
    return ERRORS[this.code].status
  }
}
