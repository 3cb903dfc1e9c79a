/**
 * The groups of an invoice's fields that are read and written as a whole, each one JSON column. They are passed to gateways
 * and fraud tools; no decision here uses them. Absent values are null; amounts are minor units of the invoice's currency;
 * instants are RFC 3339 in UTC.
 */

export interface Device {
  id: string | null
  ipAddress: string | null
  threedsSdk: string | null
  platform: string | null
}

export interface PostalAddress {
  address1: string | null
  address2: string | null
  city: string | null
  state: string | null
  countryCode: string | null
  zip: string | null
}

export type BillingAddress = PostalAddress

export interface Phone {
  number: string | null
  dialingCode: string | null
}

export interface Shipping extends PostalAddress {
  amountMinor: number | null
  method: string | null
  provider: string | null
  delay: string | null
  phoneNumber: string | null
  phone: Phone | null
  email: string | null
  firstName: string | null
  lastName: string | null
  expectsShippingAt: string | null
  relayStoreName: string | null
}

export interface Tax {
  amountMinor: number | null
  /** Percent, as the merchant wrote it. */
  rate: string | null
}

export interface RiskAssessment {
  /** As the merchant wrote it; fraud tools have different scales. */
  score: string | null
  isLegit: boolean | null
  skipGatewayRules: boolean | null
}

/** Data for fraud tools, in their own formats. */
export interface ExternalFraudTools {
  forter: unknown
  ravelin: unknown
  signifyd: unknown
  riskified: unknown
}
