/**
 * What rules look at. Null is a value that is missing. Values are written as they are stored: countries and currencies
 * in capitals, schemes and other words in small letters.
 */
export interface RoutingFacts {
  /** Fixes what `rand()` and a split by weight give for this payment. */
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
  /** By `VelocityNeed.key`. A count that is not there is missing, as that of a card where no card is used. */
  velocities: ReadonlyMap<string, number>
}
