/**
 * Stripe counts in the smallest unit like we do, but for these currencies in other steps than ISO 4217. The factor turns our
 * minor units into theirs; a negative one divides. Source: Stripe's documentation, "Supported currencies".
 */
const FACTORS: ReadonlyMap<string, number> = new Map([
  // Without decimals in ISO 4217, with two at Stripe, which must be zero.
  ['ISK', 100],
  ['UGX', 100],
  // With two decimals in ISO 4217, without any at Stripe.
  ['MGA', -100],
])

/** Three decimals, of which Stripe wants the last one to be zero. */
const LAST_DIGIT_ZERO: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])

const LAST_DIGIT = 10

/** Our minor units in Stripe's; null where Stripe cannot express them, because nothing is ever rounded. */
export function toStripeAmount(amountMinor: number, currency: string): number | null {
  if (LAST_DIGIT_ZERO.has(currency)) return amountMinor % LAST_DIGIT === 0 ? amountMinor : null
  const factor = FACTORS.get(currency) ?? 1
  if (factor > 0) return amountMinor * factor
  return amountMinor % -factor === 0 ? amountMinor / -factor : null
}

/** Stripe's units in ours. An amount that is none of ours comes out as a fraction, which equals nothing that was asked. */
export function fromStripeAmount(amount: number, currency: string): number {
  const factor = FACTORS.get(currency.toUpperCase()) ?? 1
  return factor > 0 ? amount / factor : amount * -factor
}
