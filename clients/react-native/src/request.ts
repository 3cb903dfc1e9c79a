import { PaymentError } from './errors.ts'
import type { PaymentOptions } from './generated/objects.ts'

/**
 * How the app takes control back from the browser: its custom scheme, such as `com.example.shop`, or host and path of
 * the HTTPS addresses that open it (universal links).
 */
export type WebAuthenticationCallback = string | { host: string; path: string }

/**
 * What is to be authorized, with the options of the interface. What is left out is left to the invoice and the
 * project.
 */
export interface AuthorizationRequest {
  /** `iv_…`. */
  invoiceId: string
  /** `card_…`, `tok_…` or `cust_…`: the id of a payment source, never a card number. */
  source: string
  /** Has to match the `return_url` of the invoice. Needed if that is an HTTPS address. */
  webAuthenticationCallback?: WebAuthenticationCallback
  /** Proves that the merchant gave the invoice to this app: needed for stored sources and `saveSource`. */
  clientSecret?: string
  /** False captures the money at once; otherwise the merchant's server captures. */
  authorizeOnly?: boolean
  /** ISO 8601 with an offset or `Z`: when the service captures by itself. */
  autoCaptureAt?: string
  /** A decimal text in the digits of the currency. Only where the project lets apps choose it. */
  captureAmount?: string
  /** Of a card with two schemes, such as `carte bancaire`. */
  preferredScheme?: string
  incremental?: boolean
  /** Lines of the invoice to capture. Only where the project lets apps choose them. */
  invoiceDetailIds?: readonly string[]
  /** Only where the project lets apps override. */
  overrideMacBlocking?: boolean
  /** Only where the project lets apps override. */
  initialSchemeTransactionId?: string
  allowFallbackToSale?: boolean
  /** Stores the card for the invoice's customer once the payment is approved. */
  saveSource?: boolean
}

const INVOICE_ID = /^iv_[A-Za-z0-9_-]{1,200}$/
const SOURCE = /^(?:card|tok|cust|gway_req)_[A-Za-z0-9_+/=-]+$/

/** Digits as they are on a card, also in groups. */
const CARD_NUMBER = /^[0-9](?:[ -]?[0-9]){11,18}$/

/**
 * @throws PaymentError for an id that is none, and for a card number in place of a source, which it does not repeat.
 */
export function checkRequest({ invoiceId, source, saveSource, clientSecret }: AuthorizationRequest): void {
  checkInvoiceId(invoiceId)
  if (CARD_NUMBER.test(source)) throw invalid('source has to be an id such as card_…, never a card number.')
  if (!SOURCE.test(source)) throw invalid('source has to be the id of a payment source, such as card_….')
  if (saveSource === true && clientSecret === undefined)
    throw invalid('saveSource needs the clientSecret of the invoice.')
}

export function checkInvoiceId(invoiceId: string): void {
  if (!INVOICE_ID.test(invoiceId)) throw invalid('invoiceId has to be an id such as iv_….')
}

/** The JSON of a request with this source, its fields in the order of the interface's table. */
export function bodyOf(request: AuthorizationRequest, source: string): string {
  return JSON.stringify({
    source,
    enable_three_d_s_2: true,
    authorize_only: request.authorizeOnly,
    auto_capture_at: request.autoCaptureAt,
    capture_amount: request.captureAmount,
    preferred_scheme: request.preferredScheme,
    incremental: request.incremental,
    invoice_detail_ids: request.invoiceDetailIds,
    override_mac_blocking: request.overrideMacBlocking,
    initial_scheme_transaction_id: request.initialSchemeTransactionId,
    allow_fallback_to_sale: request.allowFallbackToSale,
    save_source: request.saveSource,
  } satisfies PaymentOptions)
}

/** Whether both are the same payment. */
export function isSameRequest(one: AuthorizationRequest, other: AuthorizationRequest): boolean {
  const all = (request: AuthorizationRequest) => [
    request.invoiceId,
    request.clientSecret,
    request.webAuthenticationCallback,
    bodyOf(request, request.source),
  ]
  return JSON.stringify(all(one)) === JSON.stringify(all(other))
}

function invalid(message: string): PaymentError {
  return new PaymentError('invalid-request', message)
}
