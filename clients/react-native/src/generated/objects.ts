// Made by `npm run node-client`.

/**
 * Such as `card.declined`.
 */
export type ErrorCode = string

/**
 * What is sent with an authorization; the client secret is a header.
 */
export interface PaymentOptions {
  /**
   * Needed where nothing is authorized yet: a card (`card_…`), a token (`tok_…`), a customer for the default token (`cust_…`), or the continuation of a step of 3-D Secure (`gway_req_…`).
   */
  source?: string | null | undefined
  /**
   * You show the steps of 3-D Secure yourself, by `customer_action`; otherwise the customer is sent to a page.
   */
  enable_three_d_s_2?: boolean | null | undefined
  /**
   * Whether money is only reserved. Absent it is true of `authorize` and false of `capture`.
   */
  authorize_only?: boolean | null | undefined
  /**
   * When a payment of the invoice is captured by itself.
   */
  auto_capture_at?: string | null | undefined
  /**
   * How much is captured; all that is reserved by default.
   */
  capture_amount?: string | null | undefined
  /**
   * The scheme that is used where the card carries it; before that of token, card and gateway.
   */
  preferred_scheme?: string | null | undefined
  /**
   * Whether the authorization may be raised later.
   */
  incremental?: boolean | null | undefined
  /**
   * The lines of the invoice to capture: their sum is the amount. A line is captured once; leave the field out for everything.
   *
   * @minItems 1
   * @maxItems 1000
   */
  invoice_detail_ids?: readonly string[] | null | undefined
  /**
   * Send it although the scheme has advised against trying this card again.
   */
  override_mac_blocking?: boolean | null | undefined
  /**
   * The scheme’s id of the first payment of a series; by default that of the token’s first payment.
   */
  initial_scheme_transaction_id?: string | null | undefined
  /**
   * Take the money at once where the gateway does not support separate authorization and capture; never with `auto_capture_at`.
   */
  allow_fallback_to_sale?: boolean | null | undefined
  /**
   * Store the card as a token of the invoice’s customer once the payment is approved; needs `client_secret`.
   */
  save_source?: boolean | null | undefined
}
/**
 * The answer to an authorization.
 */
export interface PaymentAnswer {
  /**
   * Always true.
   */
  success: boolean
  /**
   * `pending`: the customer has to act, or the gateway has not decided. The transaction and its events tell the outcome.
   */
  outcome: 'success' | 'pending'
  customer_action?: CustomerAction | undefined
  /**
   * The stored payment source that was charged, or that the card has just become.
   */
  customer_token_id: string | null
  /**
   * The payment as it is now; missing where the step has just begun and nothing of it is on the record yet.
   */
  transaction?: Transaction | undefined
}
/**
 * A step that the customer has to take.
 */
export interface CustomerAction {
  /**
   * `fingerprint`: load `value` in a hidden frame; `redirect`: show it in a frame; `url`: in a frame or as a full page; the mobile ones are for the library of an app.
   */
  type: 'fingerprint' | 'redirect' | 'url' | 'fingerprint-mobile' | 'challenge-mobile'
  /**
   * An address, or for the mobile types base64 of JSON.
   */
  value: string
}
/**
 * The payment of an invoice.
 */
export interface Transaction {
  /**
   * The transaction.
   */
  id: string
  /**
   * How far the payment came.
   */
  status:
    | 'waiting'
    | 'pending'
    | 'authorized'
    | 'pending-capture'
    | 'completed'
    | 'failed'
    | 'voided'
    | 'partially-refunded'
    | 'refunded'
    | 'in-review'
    | 'blocked'
    | 'retrieval-request'
    | 'fraud-notification'
    | 'chargeback-initiated'
    | 'solved'
    | 'reversed'
  /**
   * What the invoice asked for when it was paid, with every increment.
   */
  amount: string
  /**
   * What was reserved in all, with every increment.
   */
  authorized_amount: string
  /**
   * What was captured in all.
   */
  captured_amount: string
  /**
   * The currency of every amount of the transaction.
   */
  currency: string
  /**
   * Why the last try failed; one of the error codes, or a word of the gateway.
   */
  error_code: string | null
}
/**
 * An invoice.
 */
export interface Invoice {
  /**
   * The invoice.
   */
  id: string
  /**
   * The name of the invoice, which the customer reads on the payment page.
   */
  name: string
  /**
   * What is to be paid.
   */
  amount: string
  /**
   * The currency of every amount of the invoice, by ISO 4217.
   */
  currency: string
  /**
   * How far the invoice came. It follows from its payment: `pending` before the first try, `expired` where `expires_at` has passed unpaid.
   */
  status: 'pending' | 'processing' | 'authorized' | 'completed' | 'failed' | 'canceled' | 'expired' | 'refunded'
  /**
   * Where the customer comes back to after the payment page or an authentication.
   */
  return_url: string | null
  device: Device
  /**
   * The payment of the invoice.
   */
  transaction: Transaction | null
}
/**
 * Where it is paid.
 */
export interface Device {
  /**
   * Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.
   */
  channel: 'web' | 'ios' | 'android'
}
/**
 * Why a request is refused.
 */
export interface Refusal {
  error_type: ErrorCode
  /**
   * What went wrong, in a sentence for you.
   */
  message: string
  /**
   * The `X-Request-Id` of the answer, by which support finds this case.
   */
  request_id: string
  /**
   * The fields that are wrong, 20 at most.
   */
  invalid_fields?: InvalidField[] | undefined
}
/**
 * A field that is wrong.
 */
export interface InvalidField {
  /**
   * The name of the field, with dots where it is nested.
   */
  name: string
  /**
   * What is wrong with it.
   */
  message: string
}
