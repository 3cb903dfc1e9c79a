import { blockedBy, NEVER_APPROVED } from './merchant-advice.ts'
import type { Decline } from './operation.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Of what a network counts, how much it lets pass without a fee. They change, so that each project can have its own. */
export interface NetworkLimits {
  /** Visa: tries of a card again after a decline of category 2, 3 or 4, in 30 days. */
  visaReattempts: number
  /** Mastercard: declines on one card in 24 hours. */
  mastercardDeclinesPerDay: number
  /** Mastercard: declines on one card over the same amount in 30 days. */
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

/** An operator may set lower and higher ones; none makes sense above a thousand tries of one card. */
export const NETWORK_LIMIT_MAX = 1000

/** The windows over which the networks count, in milliseconds. */
export const NETWORK_WINDOWS = { day: DAY_MS, month: 30 * DAY_MS } as const

/**
 * Declines of a card at a merchant that its network has heard of; calls that were not sent are not among them. The merchant
 * is the project: the networks count by acceptor, of which a gateway tells us nothing.
 */
export interface DeclineCounts {
  /** Of Visa's category 1, at any time, since the card was last approved. */
  neverApproved: number
  /** Of any other category in 30 days, since the card was last approved: after that it is not the same payment any more. */
  sinceApprovalInMonth: number
  inDay: number
  /** Over the amount and currency of this payment. */
  overAmountInMonth: number
}

/** The networks that count, by the schemes of their cards. */
const NETWORK_OF: Readonly<Record<string, 'visa' | 'mastercard'>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  maestro: 'mastercard',
}

export function isCounted(scheme: string): boolean {
  return Object.hasOwn(NETWORK_OF, scheme)
}

/** A try of a card, as its network judges it. */
export interface CountedTry {
  scheme: string
  limits: NetworkLimits
  /** True where the merchant overrides advice: it does not override the limits. */
  overridesAdvice: boolean
}

/** The refusal of a try that a network would charge for; null where it may be sent. */
export function refusedByNetwork(
  counts: DeclineCounts,
  { scheme, limits, overridesAdvice }: CountedTry,
): Decline | null {
  switch (NETWORK_OF[scheme]) {
    case 'visa':
      if (counts.neverApproved > 0 && !overridesAdvice) return blockedBy(NEVER_APPROVED, null)
      // The first decline is of the payment itself; the next try is the first reattempt.
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
 * Another code than that of a block: the card may be tried again when the window has moved on, and no other gateway may be
 * asked meanwhile, since the network counts over all of them.
 */
function tooOften(limit: string): Decline {
  return { code: 'card.maximum-attempts', gatewayCode: limit, isNotSent: true }
}
