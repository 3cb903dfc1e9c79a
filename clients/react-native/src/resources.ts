/** Objects of the service, as far as an app sees them. Amounts are decimal texts. */

export interface Transaction {
  id: string
  /** `authorized` or `completed` after a success. */
  status: string
  amount: string | null
  authorizedAmount: string | null
  capturedAmount: string | null
  currency: string | null
  /** Of a failed payment, such as `card.declined`. */
  errorCode: string | null
}

export interface Invoice {
  id: string
  name: string | null
  amount: string | null
  currency: string | null
  /** `pending`, `processing`, `authorized`, `completed`, `failed`, `canceled`, `expired` or `refunded`. */
  status: string
  returnUrl: string | null
  /** `web`, `ios` or `android`. */
  channel: string | null
  /** Null before the first attempt to pay. */
  transaction: Transaction | null
}

/** A payment that was authorized or captured. Deliver only what the merchant's server has checked, too. */
export interface AuthorizedInvoice {
  invoiceId: string
  transaction: Transaction
  /**
   * The stored source that was charged or that the card was saved as, `tok_…`. Null if there is none, and also if the
   * answer was lost and only the invoice told of the success.
   */
  customerTokenId: string | null
}
