import { exponentOf, formatAmount } from '../../domain/money.ts'

/** An amount as customers of this language and region write it, with the digits that the currency has. */
export function formatMoney(amountMinor: number, currency: string, tag: string): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    // The locale data have other digits for some currencies than ISO 4217, by which the amount is charged.
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // As a text, the amount passes through no floating point.
  return format.format(formatAmount(amountMinor, currency) as Intl.StringNumericLiteral)
}
