import { blockedBy, NEVER_APPROVED } from './merchant-advice.ts'
import type { Decline } from './operation.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** The counts up to which a network charges no fee. Networks change them, so each project can set its own. */
export interface NetworkLimits {
  /** Visa: repeated tries of a card after a decline of category 2, 3 or 4, in 30 days. */
  visaReattempts: number
  /** Mastercard: declines on one card in 24 hours. */
  mastercardDeclinesPerDay: number
  /** Mastercard: declines on one card with the same amount in 30 days. */
  mastercardDeclinesPerAmount: number
}

/**
 * Sources: Visa Core Rules of 18 April 2026 (20; 15 until 2025, which many acquirers still name); Mastercard's Transaction
 * Processing Excellence program (a fee for each try after 10 declines in 24 hours, and after 35 declines on the same
 * card, acceptor and amount in 30 days).
 */
export const NETWORK_LIMITS: NetworkLimits = {
  visaReattempts: 20,
  mastercardDeclinesPerDay: 10,
  mastercardDeclinesPerAmount: 35,
}

/** The highest limit that an operator may set; more than a thousand tries of one card make no sense. */
export const NETWORK_LIMIT_MAX = 1000

/** The windows over which the networks count, in milliseconds. */
export const NETWORK_WINDOWS = { day: DAY_MS, month: 30 * DAY_MS } as const

/**
 * A card's declines at a merchant that reached its network; calls that were not sent do not count. The networks count by
 * acceptor, which gateways do not report, so we count by project.
 */
export interface DeclineCounts {
  /** Declines of Visa's category 1 since the card's last approval. */
  neverApproved: number
  /** Declines of other categories in 30 days, since the card's last approval: an approval ends the series of reattempts. */
  sinceApprovalInMonth: number
  inDay: number
  /** Declines with the amount and currency of this payment. */
  overAmountInMonth: number
}

/** The networks with limits, by the schemes of their cards. */
const NETWORK_OF: Readonly<Record<string, 'visa' | 'mastercard'>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  maestro: 'mastercard',
}

export function isCounted(scheme: string): boolean {
  return Object.hasOwn(NETWORK_OF, scheme)
}

/** A try of a card, as input of the network limits. */
export interface CountedTry {
  scheme: string
  limits: NetworkLimits
  /** True if the merchant overrides advice, which does not override the limits. */
  overridesAdvice: boolean
}

/** The decline of a try for which a network would charge a fee; null if it may be sent. */
export function refusedByNetwork(
  counts: DeclineCounts,
  { scheme, limits, overridesAdvice }: CountedTry,
): Decline | null {
  switch (NETWORK_OF[scheme]) {
    case 'visa':
      if (counts.neverApproved > 0 && !overridesAdvice) return blockedBy(NEVER_APPROVED, null)
      // The first decline is the original try; the next try is the first reattempt.
      return counts.sinceApprovalInMonth > limits.visaReattempts ? tooOften('VISA_REATTEMPTS') : null
    case 'mastercard':
      if (counts.inDay >= limits.mastercardDeclinesPerDay) return tooOften('MASTERCARD_DECLINES_PER_DAY')
      return counts.overAmountInMonth >= limits.mastercardDeclinesPerAmount
        ? tooOften('MASTERCARD_DECLINES_PER_AMOUNT')
        : null
    default:
      return null
  }
}

/**
 * The code differs from that of a block: the card may be tried again once the window has moved on, and no other gateway
 * helps, since the network counts across gateways.
 */
function tooOften(limit: string): Decline {
  return { code: 'card.maximum-attempts', gatewayCode: limit, isNotSent: true }
}
