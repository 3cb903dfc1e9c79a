import { ERRORS, type ErrorEntry } from '../errors.ts'
import { BLOCKED_CODE, isBlockedHereOnly } from '../merchant-advice.ts'
import type { Outcome } from '../operation.ts'
import { ATTEMPTS_MAX } from './limits.ts'
import type { Fallback } from './rule.ts'

/**
 * Soft all the same, but not to be taken elsewhere: something of the payment is or may still be under way, or it was the
 * customer who ended it, or the next try would be one too many for the card.
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
 * What a scheme says about trying again, in `Decline.merchantAdviceCode`: Mastercard's 03 (do not try again) and 21 (the
 * customer has stopped the payments), and Visa's category 1 (never reattempt). Sources: Mastercard's merchant advice codes, Visa's decline categories.
 */
const FINAL_ADVICE: ReadonlySet<string> = new Set(['03', '21', '1'])

const DO_NOT_RETRY = 'do-not-retry'

/**
 * The codes that a rule may list: failures that are certain, and soft. Hard declines are not among them. That a gateway is
 * barred for a card says nothing of another one, and nothing was sent.
 */
export const FALLBACK_CODES: readonly string[] = [...codesOfClass('later', 'other-gateway'), BLOCKED_CODE]

/** What leads on where a rule lists no codes: failures of a gateway or an acquirer, with which another one helps. */
export const DEFAULT_FALLBACK_CODES: readonly string[] = codesOfClass('other-gateway')

function codesOfClass(...classes: readonly string[]): string[] {
  return Object.entries<ErrorEntry>(ERRORS)
    .filter(([code, { retryClass }]) => classes.includes(retryClass ?? '') && !NEVER_ELSEWHERE.has(code))
    .map(([code]) => code)
}

/**
 * Where no rule says anything: only a call that certainly did not reach its gateway leads on, because a merchant who wrote
 * no rule has not asked for a card to be tried twice.
 */
export const FALLBACK_WITHOUT_RULES: Fallback = {
  enabled: true,
  errorCodes: ['gateway.network-error'],
  maxAttempts: ATTEMPTS_MAX,
}

/**
 * Whether a payment may go to the next gateway after this outcome. Only an answer that is certain opens the way: after an
 * unknown one the money may have moved, and a second gateway would take it twice.
 *
 * @param attemptsMade attempts of the payment so far, this one included
 */
export function mayFallBack(outcome: Outcome, fallback: Fallback, attemptsMade: number): boolean {
  if (outcome.kind !== 'declined' || !fallback.enabled) return false
  if (attemptsMade >= Math.min(fallback.maxAttempts, ATTEMPTS_MAX)) return false
  const { code, merchantAdviceCode, recommendationCode } = outcome
  // Before the advice, which here is that of the earlier decline.
  if (isBlockedHereOnly(outcome)) return isListed(BLOCKED_CODE, fallback)
  if (FINAL_ADVICE.has(merchantAdviceCode ?? '') || recommendationCode === DO_NOT_RETRY) return false
  return code !== BLOCKED_CODE && FALLBACK_CODES.includes(code) && isListed(code, fallback)
}

function isListed(code: string, { errorCodes }: Fallback): boolean {
  if (errorCodes.length > 0) return errorCodes.includes(code)
  return code === BLOCKED_CODE || DEFAULT_FALLBACK_CODES.includes(code)
}
