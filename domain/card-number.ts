/** Ranges of leading digits by scheme. Source: ISO/IEC 7812 ranges as published by the schemes. */
const RANGES: readonly (readonly [scheme: string, from: number, to: number])[] = [
  ['visa', 4, 4],
  ['mastercard', 51, 55],
  ['mastercard', 2221, 2720],
  ['american express', 34, 34],
  ['american express', 37, 37],
  ['diners club', 300, 305],
  ['diners club', 3095, 3095],
  ['diners club', 36, 36],
  ['diners club', 38, 39],
  ['jcb', 3528, 3589],
  ['discover', 6011, 6011],
  ['discover', 644, 649],
  ['discover', 65, 65],
  ['union pay', 62, 62],
  ['union pay', 81, 81],
  ['maestro', 50, 50],
  ['maestro', 56, 58],
  ['maestro', 6304, 6304],
  ['maestro', 6759, 6759],
  ['maestro', 6761, 6763],
  ['mir', 2200, 2204],
  ['troy', 9792, 9792],
]

/** How many digits the numbers of a scheme have. Source: ISO/IEC 7812 ranges as published by the schemes. */
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  visa: [13, 16, 19],
  'american express': [15],
  'diners club': [14],
}
const OTHER_LENGTHS: readonly number[] = [16, 17, 18, 19]

/** The scheme that a card number belongs to by its first digits, or `unknown`. */
export function schemeOf(number: string): string {
  const range = RANGES.find(([, from, to]) => {
    const leading = Number(number.slice(0, String(from).length))
    return from <= leading && leading <= to
  })
  return range?.[0] ?? 'unknown'
}

/** The possible lengths of a card number with these first digits; empty if no scheme has such numbers. */
export function lengthsOf(number: string): readonly number[] {
  const scheme = schemeOf(number)
  return scheme === 'unknown' ? [] : (LENGTHS[scheme] ?? OTHER_LENGTHS)
}

/** How many first digits identify the scheme of a number. */
export const PREFIX_DIGITS = 4

let lengthsByPrefix: (readonly number[])[] | undefined

/**
 * `lengthsOf` for all numbers with these first four digits, from a table, since a long row of digits needs it at every
 * place.
 *
 * @param prefix from 0 to 9999.
 */
export function lengthsOfPrefix(prefix: number): readonly number[] {
  lengthsByPrefix ??= Array.from({ length: 10 ** PREFIX_DIGITS }, (_, digits) =>
    lengthsOf(String(digits).padStart(PREFIX_DIGITS, '0')),
  )
  return lengthsByPrefix[prefix] ?? []
}

/** The check digit of ISO/IEC 7812, which detects one wrong digit or two swapped neighbours. */
export function hasValidCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

/** Since 2022 numbers of 16 digits and more have an IIN of eight digits; shorter ones keep six. */
export function iinOf(number: string): string {
  return number.slice(0, number.length >= 16 ? 8 : 6)
}
