import { formatAmount } from '../../domain/money.ts'

/** Prints an amount of this row, or null where there is none. */
export function presentAmount(amountMinor: number | null | undefined, currency: string): string | null {
  return amountMinor == null ? null : formatAmount(amountMinor, currency)
}
