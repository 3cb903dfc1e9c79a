/** A payment with the data that starts its workflow. */
export interface StartablePayment {
  projectId: string
  sandbox: boolean
  invoiceId: string
  amountMinor: number
  currency: string
  orderId: string | null
}
