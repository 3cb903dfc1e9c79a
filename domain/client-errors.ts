import type { ErrorCode } from './errors.ts'

/**
 * Codes that are hidden from clients: that the issuer has blocked a card, or which entered value is wrong. A fraudster who
 * tests stolen cards would learn which ones to drop, and could guess security codes and addresses one by one.
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
  // Earlier advice of the scheme about the card.
  'request.transaction-blocked',
])

const HIDDEN_AS = 'card.declined' satisfies ErrorCode

/** The code of a failed payment for clients. Merchants see the original code. */
export function codeForClients(code: string): string {
  return HIDDEN_CODES.has(code) ? HIDDEN_AS : code
}
