/**
 * The data of a payment that rules read. Null is a missing value. Countries and currencies are in upper case, schemes and
 * other words in lower case, as they are stored.
 */
export interface RoutingFacts {
  /** Determines `rand()` and splits by weight for this payment. */
  transactionId: string
  amountMinor: number
  currency: string
  customerCountry: string | null
  ipCountry: string | null
  cardCountry: string | null
  cardScheme: string | null
  cardCoScheme: string | null
  cardType: string | null
  cardCategory: string | null
  cardIin: string | null
  cardLast4: string | null
  cardFingerprint: string | null
  channel: string | null
  merchantInitiated: boolean
  paymentIntent: string | null
  incremental: boolean
  metadata: Readonly<Record<string, string>>
  isCardVerification: boolean
  /** By `VelocityNeed.key`. An absent count is a missing value, such as that of a card for a payment without one. */
  velocities: ReadonlyMap<string, number>
}
