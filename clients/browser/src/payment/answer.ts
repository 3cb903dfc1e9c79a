import type { Failure } from '../errors.ts'
import type { PaymentResult } from '../published.ts'

/** What the API has answered to one request. */
export interface Reply {
  status: number
  /** An empty object where the body was no JSON. */
  body: Readonly<Record<string, unknown>>
  /** From the header `Retry-After`; null without one. */
  retryAfterMs: number | null
}

export interface CustomerAction {
  type: string
  value: string
  /** The bank's page refuses to be shown in a frame. */
  isFullPage: boolean
}

/** Where a payment stands. */
export type Answer =
  | { kind: 'paid'; result: PaymentResult }
  /** The customer has to act. */
  | { kind: 'action'; action: CustomerAction }
  /** The outcome is not known. `isWaiting`: it may be the customer who is waited for. */
  | { kind: 'open'; isWaiting: boolean }
  /** Nothing has been tried. */
  | { kind: 'untouched' }
  /** `isRefusal`: only the call was refused, which says nothing of the payment. */
  | { kind: 'failed'; failure: Failure; isRefusal?: boolean }

/** Statuses that end by themselves. Source: ProcessOut's client libraries retry the same ones. */
const PASSING_STATUSES: readonly number[] = [408, 409, 425, 429, 500, 502, 503, 504]

/** True if the same request may be answered otherwise a little later, and must then be sent with the same key. */
export function isPassing({ status, body }: Reply): boolean {
  // After so many failures, more tries make it worse.
  return PASSING_STATUSES.includes(status) && body.error_type !== 'request.rate.too-many-failures'
}

/** A payment that was made and is no more: no success for who pays. */
const GIVEN_BACK: readonly string[] = ['voided', 'refunded']

/** The answer to `capture`, `authorize` or `three-d-s`. */
export function readPaymentReply(invoiceId: string, { status, body }: Reply): Answer {
  // Without the flag it is a failure: a page of a proxy has none. Only the payment's own failure has an outcome.
  if (status !== 200 || body.success !== true)
    return { kind: 'failed', failure: failureOf(invoiceId, { status, body }), isRefusal: body.outcome === undefined }
  const action = readAction(body.customer_action)
  if (action !== null) return { kind: 'action', action }
  const { status: stands } = objectIn(body.transaction)
  if (typeof stands === 'string' && GIVEN_BACK.includes(stands))
    return { kind: 'failed', failure: ended(invoiceId, stands) }
  // `three-d-s` answers without an outcome.
  const isPaid =
    body.outcome === 'success' || (body.outcome !== 'pending' && (stands === 'authorized' || stands === 'completed'))
  if (!isPaid) return { kind: 'open', isWaiting: stands === 'waiting' }
  return { kind: 'paid', result: resultOf(invoiceId, stands === 'authorized' ? 'authorized' : 'completed', body) }
}

/** The answer to `GET /invoices/{id}?expand[]=transaction`. */
export function readInvoiceReply(invoiceId: string, { status, body }: Reply): Answer {
  if (status !== 200 || body.success !== true)
    return { kind: 'failed', failure: failureOf(invoiceId, { status, body }) }
  const invoice = objectIn(body.invoice)
  const transaction = objectIn(invoice.transaction)
  switch (invoice.status) {
    case 'authorized':
    case 'completed':
      return {
        kind: 'paid',
        result: {
          invoice_id: invoiceId,
          status: invoice.status,
          transaction_id: textIn(invoice.transaction_id),
          customer_token_id: null,
        },
      }
    case 'processing':
      return { kind: 'open', isWaiting: transaction.status === 'waiting' }
    case 'pending':
      return { kind: 'untouched' }
    case 'failed': {
      const code = textIn(transaction.error_code) ?? 'payment.declined'
      return { kind: 'failed', failure: { code, detail: 'The payment of the invoice has failed.', invoiceId } }
    }
    default:
      return { kind: 'failed', failure: ended(invoiceId, String(invoice.status)) }
  }
}

function ended(invoiceId: string, status: string): Failure {
  return {
    code: 'request.validation.invalid-state',
    detail: `The invoice takes no payment: it is ${status}.`,
    invoiceId,
  }
}

export function failureOf(invoiceId: string | null, { status, body }: Pick<Reply, 'status' | 'body'>): Failure {
  return {
    code: textIn(body.error_type) ?? 'server.internal-error',
    detail: textIn(body.message) ?? `The API answered ${status}.`,
    requestId: textIn(body.request_id),
    invoiceId,
  }
}

function readAction(value: unknown): CustomerAction | null {
  const { type, value: address, metadata } = objectIn(value)
  if (typeof type !== 'string' || typeof address !== 'string') return null
  const { no_iframe: noFrame } = objectIn(metadata)
  return { type, value: address, isFullPage: noFrame === 'true' || noFrame === true }
}

function resultOf(invoiceId: string, status: PaymentResult['status'], body: Reply['body']): PaymentResult {
  const { id } = objectIn(body.transaction)
  return {
    invoice_id: invoiceId,
    status,
    transaction_id: textIn(id),
    customer_token_id: textIn(body.customer_token_id),
  }
}

export function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
