/** The invoice's fields that say who initiates the payment. */
export interface Initiation {
  merchantInitiatorType?: string | null | undefined
  initiationType?: string | null | undefined
}

/** True if the merchant initiates the payment without the customer. */
export function isMerchantInitiated({ merchantInitiatorType, initiationType }: Initiation): boolean {
  return merchantInitiatorType != null || initiationType === 'mit'
}
