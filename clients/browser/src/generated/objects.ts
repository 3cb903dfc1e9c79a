// Made by `npm run node-client`.

/**
 * A card that the API has stored. `id` is a source of one payment, or of a token.
 */
export interface Card {
  /**
   * The card. It is a `source` of payments and tokens.
   */
  id: string
  /**
   * The card scheme, such as `visa` or `mastercard`.
   */
  scheme: string
  /**
   * The second scheme of a co-badged card, such as `carte bancaire`.
   */
  co_scheme: string | null
  /**
   * The scheme that is used where the card carries it.
   */
  preferred_scheme: string | null
  /**
   * The kind of account behind the card, such as `credit`, `debit` or `prepaid`.
   */
  type: string | null
  /**
   * The last four digits of the number.
   */
  last_4_digits: string
  /**
   * The month of expiry, 1 to 12.
   */
  exp_month: number
  /**
   * The year of expiry, in four digits.
   */
  exp_year: number
  /**
   * Where the card was issued.
   */
  country_code: string | null
}
/**
 * The cardholder’s address.
 */
export interface CardContact {
  /**
   * The first line of the holder’s address.
   */
  address1?: string | null | undefined
  /**
   * The second line of the holder’s address.
   */
  address2?: string | null | undefined
  /**
   * The city of the holder’s address.
   */
  city?: string | null | undefined
  /**
   * The state or region of the holder’s address.
   */
  state?: string | null | undefined
  /**
   * The postal code of the holder’s address.
   */
  zip?: string | null | undefined
  /**
   * Where the holder lives.
   */
  billing_country_code?: string | null | undefined
}
/**
 * The options of a payment. Absent, `authorize_only` is false. The project must allow pages to choose `capture_amount` and lines.
 */
export interface PaymentOptions {
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
  /**
   * The client secret of the invoice, from its header `X-Service-Client-Secret`.
   */
  client_secret?: string | null | undefined
}
