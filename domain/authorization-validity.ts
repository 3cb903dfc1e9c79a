/** A capture may happen up to seven days after the authorization. */
export const AUTHORIZATION_VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

/**
 * How long authorizations hold at one account of a gateway. Card schemes give less than the product promises in some
 * cases; Visa, for one, gives payments that a merchant initiates 4 days and 18 hours (source: Stripe's documentation of
 * extended authorizations). A rule without a scheme or an initiation holds for all of them.
 */
export interface ValidityRule {
  scheme?: string
  initiation?: 'customer' | 'merchant'
  seconds: number
}

/** The shortest validity of all rules that fit, in milliseconds; never more than seven days. */
export function authorizationValidityMs(
  rules: readonly ValidityRule[],
  { scheme, isMerchantInitiated }: { scheme: string | null; isMerchantInitiated: boolean },
): number {
  const initiation = isMerchantInitiated ? 'merchant' : 'customer'
  const fitting = rules.filter(
    (rule) =>
      (rule.scheme === undefined || rule.scheme === scheme) &&
      (rule.initiation === undefined || rule.initiation === initiation),
  )
  return Math.min(AUTHORIZATION_VALIDITY_MS, ...fitting.map(({ seconds }) => seconds * 1000))
}
