/** Who sets a payment off, as its invoice tells it. */
export interface Initiation {
  merchantInitiatorType?: string | null | undefined
  initiationType?: string | null | undefined
}

/** True where the merchant sets the payment off without the customer; false for everything else. */
export function isMerchantInitiated({ merchantInitiatorType, initiationType }: Initiation): boolean {
  return merchantInitiatorType != null || initiationType === 'mit'
}
