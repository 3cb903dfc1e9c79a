import type { Transaction } from './resources.ts'

/**
 * Why an authorization did not succeed: one kind for each thing that an app does about it.
 *
 * - `invalid-request`: correct the app or the merchant's server.
 * - `source-refused`: create the card anew and authorize with that.
 * - `declined`: ask for another card; it may pay the same invoice.
 * - `authentication-failed`: let the customer try again, with this card or another one.
 * - `canceled`: go back to where the payment began; the same card may be used.
 * - `in-progress`: the invoice is being paid by another request, here or on another device; wait for that one.
 * - `pending`: the outcome is not known yet; show that the payment is processed, read the invoice later, and take no
 *   other payment.
 * - `try-later`: the service did nothing; offer another try after `retryAfterSeconds`.
 * - `connection-lost`: nobody here knows whether the request arrived; offer to try the same invoice again, which
 *   charges nothing twice.
 */
export type PaymentErrorKind =
  | 'invalid-request'
  | 'source-refused'
  | 'declined'
  | 'authentication-failed'
  | 'canceled'
  | 'in-progress'
  | 'pending'
  | 'try-later'
  | 'connection-lost'

/** One field of a request that the service does not accept. */
export interface InvalidField {
  name: string
  message: string
}

interface Details {
  errorType?: string | null
  requestId?: string | null
  invalidFields?: readonly InvalidField[]
  retryAfterSeconds?: number | null
  transaction?: Transaction | null
  cause?: unknown
}

/** Message and fields hold no card data, no source and no secret. */
export class PaymentError extends Error {
  override readonly name = 'PaymentError'
  readonly kind: PaymentErrorKind
  /** The code of the service, such as `card.no-money`; null if the library itself has ended the payment. */
  readonly errorType: string | null
  /** Names the answer to support staff. */
  readonly requestId: string | null
  readonly invalidFields: readonly InvalidField[]
  /** Of `try-later`, if the service says so. */
  readonly retryAfterSeconds: number | null
  /** Of `pending`: as it was read last. */
  readonly transaction: Transaction | null
  /** What the app's own service threw. */
  override readonly cause: unknown

  constructor(kind: PaymentErrorKind, message: string, details: Details = {}) {
    super(message)
    this.kind = kind
    this.errorType = details.errorType ?? null
    this.requestId = details.requestId ?? null
    this.invalidFields = details.invalidFields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.transaction = details.transaction ?? null
    this.cause = details.cause
  }
}

/** The app's service throws it if the customer closes the window or aborts. */
export class CustomerCanceled extends Error {
  override readonly name = 'CustomerCanceled'

  constructor() {
    super('The customer has canceled.')
  }
}

interface Refusal {
  error_type: string | null
  message: string | null
  request_id: string | null
  outcome: string | null
  invalid_fields: readonly InvalidField[]
}

/** The error for an answer that says no. */
export function errorOf(status: number, answer: Refusal, retryAfterSeconds: number | null): PaymentError {
  const { error_type: errorType, request_id: requestId, outcome, invalid_fields: invalidFields } = answer
  const message = answer.message ?? `The service answered with status ${status}.`
  if (status === PAYMENT_FAILED || outcome === 'failed') return paymentError(errorType, message, requestId)
  if (status === TOO_LATE || status === 429 || status >= 500)
    return new PaymentError('try-later', message, { errorType, requestId, retryAfterSeconds })
  if (errorType !== null && SOURCE_ERROR.test(errorType))
    return new PaymentError('source-refused', message, { errorType, requestId })
  return new PaymentError('invalid-request', message, { errorType, requestId, invalidFields })
}

/** The error for a payment that has failed with this code. A code that is not known is a decline. */
export function paymentError(errorType: string | null, message: string, requestId: string | null = null): PaymentError {
  return new PaymentError(kindOf(errorType), message, { errorType, requestId })
}

function kindOf(errorType: string | null): PaymentErrorKind {
  if (errorType === null) return 'declined'
  if (CANCELED.has(errorType)) return 'canceled'
  if (AUTHENTICATION.has(errorType)) return 'authentication-failed'
  return errorType === 'card.pending-3ds' ? 'in-progress' : 'declined'
}

/** The error for an invoice that no card can pay any more. */
export function invoiceIsOver(status: string): PaymentError {
  return new PaymentError('invalid-request', `The invoice takes no payment any more: it is ${status}.`)
}

/** The request did not arrive in time; the service did nothing. */
const TOO_LATE = 408

/** The status of every payment that failed. */
const PAYMENT_FAILED = 410

/** What is wrong is the source, and not the request. */
const SOURCE_ERROR = /^(?:request\.source\.|card\.|resource\.(?:card|token|customer)\.)/

const CANCELED = new Set(['customer.canceled', 'customer.cancelled', 'card.canceled-by-client'])

const AUTHENTICATION = new Set([
  'card.couldnt-3ds',
  'card.eci-conflict',
  'card.exemption-declined',
  'card.expired-3ds',
  'card.failed-3ds',
  'card.failed-3ds-technical',
  'card.invalid-eci',
  'card.invalid-pares',
  'card.invalid-ucaf',
  'card.invalid-vpas',
  'card.missing-3ds',
  'card.needs-authentication',
])
