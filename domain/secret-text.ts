import { hasValidCheckDigit, lengthsOf, lengthsOfPrefix, PREFIX_DIGITS } from './card-number.ts'

const REDACTED = '[redacted]'

/**
 * Our own secrets inside a longer text: the result of an authentication, the client secret of an invoice, a secret key,
 * a signing secret, and `proj_` or `test-proj_` with what follows it, as HTTP Basic encodes them.
 */
const OUR_SECRET = /\b(gway_req_|ivs_|key_(?:live|sandbox|test)_|whsec_|whsk_|cHJval|dGVzdC1wcm9qX)[0-9A-Za-z+/=_-]+/g

/** Secrets of merchants at their gateways, by how Stripe's and Adyen's begin. */
const GATEWAY_SECRET = /\b((?:sk|rk)_(?:live|test)_|AQE)[0-9A-Za-z+/=_-]{8,}/g

/** What stands behind the scheme of a header, wherever somebody has copied it to; shorter words are ordinary ones. */
const CREDENTIALS = /\b((?:Basic|Bearer)\s+)[0-9A-Za-z+/=._~-]{20,}/gi

/** A text without what may be a card number and without secrets, to the letter otherwise. */
export function withoutSecrets(text: string): string {
  const withoutWords = [OUR_SECRET, GATEWAY_SECRET, CREDENTIALS].reduce(
    (left, secret) => left.replace(secret, `$1${REDACTED}`),
    text,
  )
  return maskCardNumbers(withoutWords)
}

/** What people see of a number so that they can tell their cards apart; PCI DSS allows these and the first six. */
const DIGITS_SHOWN = 4

/** More digits in a row than this are nobody's text; they are masked whole, so that nobody can make us search them. */
const SEARCHED_MAX = 64

/** 13 digits, the shortest card number, and more, as people write them: with blanks, dots or dashes between. */
const DIGITS_IN_A_ROW = /\d(?:[\s.-]{0,3}\d){12,}/g

/**
 * Masks what may be a card number in a text: digits that begin like those of a scheme, are as many as that scheme has,
 * and end in a right check digit, also within a longer row of digits. Now and then that is a number of another kind.
 */
export function maskCardNumbers(text: string): string {
  return text.replace(DIGITS_IN_A_ROW, maskRow)
}

function maskRow(row: string): string {
  const digits = row.replace(/\D/g, '')
  if (digits.length > SEARCHED_MAX) return row.replace(/\d/g, '*')
  const isHidden = hiddenPlaces(digits)
  if (!isHidden.includes(true)) return row
  let place = 0
  let masked = ''
  for (const character of row) masked += isDigit(character) && isHidden[place++] ? '*' : character
  return masked
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9'
}

/** Numbers may overlap in a row of digits: the digits that one shows may be hidden by another. */
function hiddenPlaces(digits: string): boolean[] {
  const isHidden: boolean[] = []
  const hasCheckDigit = checkDigitsOf(digits)
  const last = digits.length - PREFIX_DIGITS
  // The place before which all that began so far hides its digits.
  let hiddenUntil = 0
  for (let start = 0; start < digits.length; start += 1) {
    const lengths = start > last ? [] : lengthsOfPrefix(Number(digits.slice(start, start + PREFIX_DIGITS)))
    for (const length of lengths) {
      const end = start + length
      if (end <= digits.length && hasCheckDigit(start, end)) hiddenUntil = Math.max(hiddenUntil, end - DIGITS_SHOWN)
    }
    isHidden.push(start < hiddenUntil)
  }
  return isHidden
}

/**
 * Whether the digits from a place to before another end in their check digit: ISO/IEC 7812-1, annex B. Every second
 * digit is doubled, counted from the last one; both ways of doubling are summed up once, so that asking costs nothing.
 */
function checkDigitsOf(digits: string): (start: number, end: number) => boolean {
  // Of the first digits, none to all, with those doubled whose place is even, and odd.
  const evenSums = [0]
  const oddSums = [0]
  let evenSum = 0
  let oddSum = 0
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(place) - ZERO
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    evenSum += place % 2 === 0 ? doubled : digit
    oddSum += place % 2 === 0 ? digit : doubled
    evenSums.push(evenSum)
    oddSums.push(oddSum)
  }
  return (start, end) => {
    const sums = end % 2 === 0 ? evenSums : oddSums
    return ((sums[end] ?? 0) - (sums[start] ?? 0)) % 10 === 0
  }
}

const ZERO = '0'.charCodeAt(0)

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
