import { hasValidCheckDigit, lengthsOf } from './card-number.ts'
import { maskCardNumbers } from './secret-text.ts'

/** As long as the ids that Visa and Mastercard give to payments. */
const SCHEME_ID = /(?<!\d)\d{15}(?!\d)/g

/**
 * True where an id of a scheme holds what may be a card number. Of ids of 15 digits one in thirty would hold a number of
 * 13 digits by chance, so they are looked at as a whole: as a number of American Express.
 */
export function holdsCardNumber(id: string): boolean {
  const text = id.replace(SCHEME_ID, (digits) => (isCardNumber(digits) ? digits : '')).replaceAll('_', '-')
  return maskCardNumbers(text) !== text
}

function isCardNumber(digits: string): boolean {
  return lengthsOf(digits).includes(digits.length) && hasValidCheckDigit(digits)
}
