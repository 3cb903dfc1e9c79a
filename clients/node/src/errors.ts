import type {
  CustomerAction,
  ErrorCode,
  FailedPayment,
  InvalidField,
  Refund,
  Transaction,
} from './generated/schemas.ts'
import type { LastResponse } from './last-response.ts'

interface Details {
  code?: string | null | undefined
  idempotencyKey: string | null
  invalidFields?: readonly InvalidField[] | undefined
  lastResponse?: LastResponse | undefined
}

/**
 * A request that was not answered as it was asked. There is one class for each thing that a caller does about it. No
 * error holds the request, a secret or a card number.
 */
export class HoldfastError extends Error {
  override readonly name: string = 'HoldfastError'
  /** A code of docs/errors.md, or one of a later version; null where the service has not answered. */
  readonly code: ErrorCode | (string & {}) | null
  /** Null without an answer. */
  readonly status: number | null
  /** By which support and the request log find the request. */
  readonly requestId: string | null
  /** With which the same request can be sent again, once. Null for what changes nothing. */
  readonly idempotencyKey: string | null
  /** The fields that are wrong. */
  readonly invalidFields: readonly InvalidField[]
  /** In how many seconds to send the request again, where the service has said so. */
  readonly retryAfter: number | null
  /** With the rate limit. Null without an answer. */
  readonly lastResponse: LastResponse | null

  constructor(message: string, { code = null, idempotencyKey, invalidFields = [], lastResponse }: Details) {
    super(message)
    this.code = code
    this.status = lastResponse?.status ?? null
    this.requestId = lastResponse?.requestId ?? null
    this.idempotencyKey = idempotencyKey
    this.invalidFields = invalidFields
    this.retryAfter = secondsOf(lastResponse?.header('retry-after'))
    this.lastResponse = lastResponse ?? null
  }
}

/** 400, 405, 413: correct the program; `invalidFields` says where. */
export class InvalidRequestError extends HoldfastError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the project id or the secret key is wrong, or was revoked. */
export class AuthenticationError extends HoldfastError {
  override readonly name = 'AuthenticationError'
}

/** 403: the key may not be used for this, or the project is suspended. */
export class PermissionError extends HoldfastError {
  override readonly name = 'PermissionError'
}

/** 404: there is no such object in this project and environment. */
export class NotFoundError extends HoldfastError {
  override readonly name = 'NotFoundError'
}

/**
 * 409: the object is busy. With `request.still-processing` the outcome of an earlier step is not known yet: call again
 * later, with the idempotency key of this error.
 */
export class ConflictError extends HoldfastError {
  override readonly name = 'ConflictError'
}

/** 429: wait for `retryAfter` seconds, and let other requests follow at the pace of the limit. */
export class RateLimitError extends HoldfastError {
  override readonly name = 'RateLimitError'
}

/** 408, 425 and 5xx: the service cannot answer now. Call again later, with the idempotency key of this error. */
export class UnavailableError extends HoldfastError {
  override readonly name = 'UnavailableError'
}

/**
 * No answer, or none of the service. What was asked for may have been done: call again with the idempotency key of this
 * error, which does it once.
 */
export class ConnectionError extends HoldfastError {
  override readonly name = 'ConnectionError'
}

/** 410: the payment failed, and is not tried again by itself. Another source may pay the same invoice. */
export class DeclinedError extends HoldfastError {
  override readonly name: string = 'DeclinedError'
  /** As it is now, with the scheme's advice about another try. */
  readonly transaction: Transaction | null
  /** Of a refund: the refund, which has failed. */
  readonly refund: Refund | null

  constructor(message: string, details: Details & { payment: Partial<FailedPayment> }) {
    super(message, details)
    this.transaction = details.payment.transaction ?? null
    this.refund = details.payment.refund ?? null
  }
}

/** 410 where the bank wants its customer: send the customer to `action.value`, and repeat the call afterwards. */
export class CustomerActionRequiredError extends HoldfastError {
  override readonly name = 'CustomerActionRequiredError'
  readonly action: CustomerAction
  readonly transaction: Transaction | null

  constructor(message: string, details: Details & { payment: Partial<FailedPayment>; action: CustomerAction }) {
    super(message, details)
    this.action = details.action
    this.transaction = details.payment.transaction ?? null
  }
}

const BY_STATUS: Readonly<Record<number, typeof HoldfastError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  405: InvalidRequestError,
  408: UnavailableError,
  409: ConflictError,
  413: InvalidRequestError,
  425: UnavailableError,
  429: RateLimitError,
  431: InvalidRequestError,
}

/** The error for an answer that says no. Its body may come from a proxy, and have any form. */
export function errorOf(body: unknown, lastResponse: LastResponse): HoldfastError {
  const { status, idempotencyKey } = lastResponse
  const payment: Partial<FailedPayment> = typeof body === 'object' && body !== null ? body : {}
  const { error_type: code, invalid_fields: invalidFields, customer_action: action } = payment
  const message =
    payment.message ?? `Something in front of the service answered with ${status}: check apiUrl if it stays so.`
  const details = { code, idempotencyKey, invalidFields, lastResponse }
  if (status === 410 && action) return new CustomerActionRequiredError(message, { ...details, payment, action })
  if (status === 410) return new DeclinedError(message, { ...details, payment })
  const Kind = status >= 500 ? UnavailableError : (BY_STATUS[status] ?? HoldfastError)
  return new Kind(message, details)
}

/** `Retry-After` in seconds, or as a date, as proxies write it. */
function secondsOf(retryAfter: string | null | undefined): number | null {
  if (!retryAfter) return null
  if (/^\d{1,9}$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}
