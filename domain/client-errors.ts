import type { ErrorCode } from './errors.ts'

/**
 * What a client is not told: that the issuer has given a card up, or which part of what was entered is wrong. Whoever
 * tests stolen cards would learn from it which ones to drop, and would guess security codes and addresses one by one.
 */
const HIDDEN_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  'card.stolen',
  'card.lost',
  'card.keep-card',
  'card.blacklisted',
  'card.already-blocked',
  'card.dont-retry',
  'card.high-risk',
  'card.possible-fraud',
  'card.possible-counterfeit',
  'card.security-violation',
  'card.failed-cvc',
  'card.failed-cvc-and-avs',
  'card.failed-avs',
  'card.failed-avs-address',
  'card.failed-avs-postal',
  'card.invalid-cvc',
  'card.invalid-address',
  'card.invalid-avs',
  'card.invalid-zip',
  // An earlier advice of the scheme about the same card.
  'request.transaction-blocked',
])

const HIDDEN_AS = 'card.declined' satisfies ErrorCode

/** The code of a failed payment as a client is told it; the merchant is told the code itself. */
export function codeForClients(code: string): string {
  return HIDDEN_CODES.has(code) ? HIDDEN_AS : code
}
