/** The invoice's fields that say who initiates the payment. */
export interface Initiation {
  merchantInitiatorType?: string | null | undefined
  initiationType?: string | null | undefined
}

/** True if the customer orders by mail or telephone, so that the merchant enters the card and nobody can authenticate. */
export function isMoto({
  paymentType,
  ...initiation
}: Initiation & { paymentType?: string | null | undefined }): boolean {
  return paymentType === 'moto' && !isMerchantInitiated(initiation)
}

/** True if the merchant initiates the payment without the customer. */
export function isMerchantInitiated({ merchantInitiatorType, initiationType }: Initiation): boolean {
  return merchantInitiatorType != null || initiationType === 'mit'
}
