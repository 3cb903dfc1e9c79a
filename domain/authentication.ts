/**
 * Customer authentication with 3-D Secure. A gateway either authenticates without the customer (frictionless), or asks the
 * customer to act: see `customer-action.ts`. Source of the values: EMVCo's specification of 3-D Secure 2.
 */

/** Who the customer's program is. Native applications show the steps by a library of their own. */
export const DEVICE_CHANNELS = ['web', 'ios', 'android'] as const
export type DeviceChannel = (typeof DEVICE_CHANNELS)[number]

/**
 * Result of an authentication. Y: authenticated; A: attempted, where the issuer does not take part; C: a challenge is due;
 * N: failed; R: the issuer rejects it; U: technical failure; I: informational only.
 */
export const TRANS_STATUSES = ['Y', 'A', 'C', 'N', 'R', 'U', 'I'] as const
export type TransStatus = (typeof TRANS_STATUSES)[number]

export const AUTHENTICATION_STATUSES = ['authenticated', 'attempted', 'failed', 'rejected', 'unavailable'] as const

/** How a payment was authenticated; shown with the transaction and recorded with the outcome of its authorization. */
export interface AuthenticationResult {
  /** The version of the protocol: `1.0.2`, `2.1.0`, `2.2.0`. */
  version: string
  status: (typeof AUTHENTICATION_STATUSES)[number]
  /** The issuer's first answer. Null for version 1, which has none. */
  aresTransStatus: TransStatus | null
  /** The answer to the challenge; null without one. */
  cresTransStatus: TransStatus | null
  /** The electronic commerce indicator, two digits; null if the gateway does not report it. */
  eci: string | null
  dsTransId: string | null
  serverTransId: string | null
  /** Whether the issuer's fingerprint page was loaded in time; null if the issuer has none. */
  fingerprintCompleted: boolean | null
  wasChallenged: boolean
  /** The issuer, and not the merchant, is liable for fraud. */
  hasLiabilityShift: boolean
}

/** An authentication that the merchant has made elsewhere, for this payment only. */
export interface ExternalAuthentication {
  version: string
  transStatus: 'Y' | 'A'
  eci: string
  /** The issuer's proof, base64. Secret: it is in no log, history or answer. */
  cavv: string
  /** Version 1. */
  xid: string | null
  /** Version 2. */
  dsTransId: string | null
  wasChallenged: boolean
}

/** What the customer's browser tells about itself, by which issuers judge the risk. Source: EMVCo's specification. */
export interface BrowserDetails {
  /** The header `Accept` of its requests. */
  acceptHeader: string
  userAgent: string
  /** BCP 47, such as `de-AT`. */
  language: string
  /** Bits per pixel. */
  colorDepth: number
  /** In pixels. */
  screenHeight: number
  screenWidth: number
  /** In minutes, from the browser's time to UTC. */
  timeZoneOffset: number
  javaEnabled: boolean
  ipAddress: string | null
}

/** The authentication that the merchant and its routing rules want. */
export interface WantedAuthentication {
  /** A customer is there: neither a payment of the merchant's own nor one by telephone. */
  isAttended: boolean
  /** A routing rule demands it; a frictionless one is enough. */
  isRequired: boolean
  /** One of `CHALLENGE_INDICATORS`. */
  challengeIndicator: string | null
  /** One of `SCA_EXEMPTION_REASONS`. */
  exemption: string | null
  /** The merchant has authenticated the customer elsewhere. */
  isExternal: boolean
  /** Web unless the customer's program shows the steps of an app by itself. */
  channel: DeviceChannel
}

/** What the gateway is told about the authentication of an authorization. */
export interface AuthenticationRequest extends Omit<WantedAuthentication, 'isAttended' | 'isExternal'> {
  /** False if nobody can act: a card that needs an authentication is then declined with `card.needs-authentication`. */
  isPossible: boolean
  /** Where the bank's page sends the browser, by GET or POST. Nobody can guess it. Null if `isPossible` is false. */
  returnUrl: string | null
  external: ExternalAuthentication | null
  /** Absent if it is not known. */
  browser?: BrowserDetails
}

/** Liability shifts to the issuer for these results. Source: the schemes' rules of 3-D Secure. */
export function shiftsLiability(status: AuthenticationResult['status']): boolean {
  return status === 'authenticated' || status === 'attempted'
}
