import { ERRORS, type ErrorEntry } from '../errors.ts'
import { BLOCKED_CODE, isBlockedHereOnly } from '../merchant-advice.ts'
import type { Outcome } from '../operation.ts'
import { ATTEMPTS_MAX } from './limits.ts'
import type { Fallback } from './rule.ts'

/**
 * Soft declines without a fallback: the payment is, or may be, still under way, the customer canceled it, or the card has
 * reached its number of attempts.
 */
const NEVER_ELSEWHERE: ReadonlySet<string> = new Set([
  'card.canceled-by-client',
  'card.exceeded-pin-attempts',
  'card.maximum-attempts',
  'card.pending',
  'card.pending-3ds',
  'customer.cancelled',
  'gateway.transaction-pending',
])

/**
 * Values of `Decline.merchantAdviceCode` that forbid another try: Mastercard's 03 (do not try again) and 21 (the customer
 * has stopped the payments), and Visa's category 1 (never reattempt). Sources: Mastercard's merchant advice codes, Visa's
 * decline categories.
 */
const FINAL_ADVICE: ReadonlySet<string> = new Set(['03', '21', '1'])

const DO_NOT_RETRY = 'do-not-retry'

/**
 * The codes that a rule may list: certain and soft failures, no hard declines. An advice block is included, because nothing
 * was sent, and a block of one gateway does not concern the others.
 */
export const FALLBACK_CODES: readonly string[] = [...codesOfClass('later', 'other-gateway'), BLOCKED_CODE]

/** The codes for a rule that lists none: failures of a gateway or acquirer that another one may not repeat. */
export const DEFAULT_FALLBACK_CODES: readonly string[] = codesOfClass('other-gateway')

function codesOfClass(...classes: readonly string[]): string[] {
  return Object.entries<ErrorEntry>(ERRORS)
    .filter(([code, { retryClass }]) => classes.includes(retryClass ?? '') && !NEVER_ELSEWHERE.has(code))
    .map(([code]) => code)
}

/**
 * The fallback without a rule: only after a call that certainly did not reach its gateway, because the merchant has not
 * asked to try a card twice.
 */
export const FALLBACK_WITHOUT_RULES: Fallback = {
  enabled: true,
  errorCodes: ['gateway.network-error'],
  maxAttempts: ATTEMPTS_MAX,
}

/**
 * Whether a payment may go to the next gateway after this outcome. Only a certain failure allows it: after an unknown
 * outcome the first gateway may have reserved or taken the money, and the customer would be charged twice.
 *
 * @param attemptsMade attempts of the payment so far, this one included
 */
export function mayFallBack(outcome: Outcome, fallback: Fallback, attemptsMade: number): boolean {
  if (outcome.kind !== 'declined' || !fallback.enabled) return false
  if (attemptsMade >= Math.min(fallback.maxAttempts, ATTEMPTS_MAX)) return false
  const { code, merchantAdviceCode, recommendationCode } = outcome
  // Checked before the advice, which in a blocked decline is that of the earlier decline.
  if (isBlockedHereOnly(outcome)) return isListed(BLOCKED_CODE, fallback)
  if (FINAL_ADVICE.has(merchantAdviceCode ?? '') || recommendationCode === DO_NOT_RETRY) return false
  return code !== BLOCKED_CODE && FALLBACK_CODES.includes(code) && isListed(code, fallback)
}

function isListed(code: string, { errorCodes }: Fallback): boolean {
  if (errorCodes.length > 0) return errorCodes.includes(code)
  return code === BLOCKED_CODE || DEFAULT_FALLBACK_CODES.includes(code)
}
