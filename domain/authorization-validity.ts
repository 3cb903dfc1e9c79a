/** A capture may happen up to seven days after the authorization. */
export const AUTHORIZATION_VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

/**
 * How long authorizations are valid at one account of a gateway. Some schemes allow less than seven days: Visa gives
 * merchant-initiated payments 4 days and 18 hours (source: Stripe's documentation of extended authorizations). A rule
 * without a scheme or an initiation applies to all of them.
 */
export interface ValidityRule {
  scheme?: string
  initiation?: 'customer' | 'merchant'
  seconds: number
}

/** The shortest validity of all matching rules, in milliseconds; at most seven days. */
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
