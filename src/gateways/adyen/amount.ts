import { exponentOf } from '../../../domain/money.ts'

/** An amount as Adyen writes it: whole minor units by Adyen's own count of decimals. */
export interface AdyenAmount {
  value: number
  currency: string
}

/**
 * Currencies whose minor unit at Adyen is not the one of ISO 4217. Source: Adyen, "Currency codes and minor units", the
 * rows marked as differing from the standard.
 */
const ADYEN_EXPONENTS: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }

/** The amount in Adyen's minor units; null where it cannot be written there without rounding. */
export function toAdyenAmount(amountMinor: number, currency: string): AdyenAmount | null {
  const value = shift(amountMinor, adyenExponentOf(currency) - exponentOf(currency))
  return value === null ? null : { value, currency }
}

/** Our minor units of an amount that Adyen tells; null for a currency or a value that is not a whole number of ours. */
export function fromAdyenAmount({ value, currency }: AdyenAmount): number | null {
  try {
    return shift(value, exponentOf(currency) - adyenExponentOf(currency))
  } catch {
    return null
  }
}

function adyenExponentOf(currency: string): number {
  return ADYEN_EXPONENTS[currency] ?? exponentOf(currency)
}

function shift(amount: number, digits: number): number | null {
  const shifted = digits >= 0 ? amount * 10 ** digits : amount / 10 ** -digits
  return Number.isSafeInteger(shifted) ? shifted : null
}
