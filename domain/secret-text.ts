import { hasValidCheckDigit, lengthsOfPrefix, PREFIX_DIGITS } from './card-number.ts'

const REDACTED = '[redacted]'

/**
 * Our own secrets in a text: the result of an authentication, an invoice's client secret, a secret key, a signing secret,
 * a one-time link, and HTTP Basic credentials, whose base64 begins with an encoded `proj_` or `test-proj_`.
 */
const OUR_SECRET =
  /\b(gway_req_|ivs_|key_(?:live|sandbox|test)_|whsec_|whsk_|hflink_|cHJval|dGVzdC1wcm9qX)[0-9A-Za-z+/=_-]+/g

/** Secrets of merchants at their gateways, by the prefixes of Stripe and Adyen. */
const GATEWAY_SECRET = /\b((?:sk|rk)_(?:live|test)_|AQE)[0-9A-Za-z+/=_-]{8,}/g

/** Credentials after the scheme of an `Authorization` header, anywhere in a text. Shorter words are ordinary words. */
const CREDENTIALS = /\b((?:Basic|Bearer)\s+)[0-9A-Za-z+/=._~-]{20,}/gi

/** User name and password in an address. */
const USER_INFO = /(:\/\/)[^\s/?#"<>\\]*(?=@)/g

/** The text with possible card numbers and secrets masked, and otherwise unchanged. */
export function withoutSecrets(text: string): string {
  const withoutWords = [OUR_SECRET, GATEWAY_SECRET, CREDENTIALS, USER_INFO].reduce(
    (left, secret) => left.replace(secret, `$1${REDACTED}`),
    text,
  )
  return maskCardNumbers(withoutWords)
}

/** The last digits that stay visible, so that people can tell cards apart. PCI DSS allows these and the first six. */
const DIGITS_SHOWN = 4

/** Longer rows of digits are masked completely, so that an attacker cannot make us search them. */
const SEARCHED_MAX = 64

/**
 * What people write between the digits of a number: blanks and dashes of any width, marks that nobody sees, and these signs. A
 * colon is none of them: a date with its time would be a row of digits.
 */
const SEPARATOR = String.raw`[\s\p{Pd}\p{Cf}−,./_·•]`

/** 13 digits (the shortest card number) or more, also with separators between them. */
const DIGITS_IN_A_ROW = new RegExp(String.raw`\d(?:${SEPARATOR}{0,3}\d){12,}`, 'gu')

const SEPARATORS = new RegExp(SEPARATOR, 'gu')
const PART_OF_NUMBER = new RegExp(String.raw`^(?:\d|${SEPARATOR})$`, 'u')

/** Whether a character may stand within a number that is written in groups. */
export function isPartOfNumber(character: string): boolean {
  return PART_OF_NUMBER.test(character)
}

/**
 * Masks possible card numbers in a text: digits with the prefix and length of a scheme and a valid check digit, also inside
 * a longer row of digits. Other numbers are sometimes masked by chance.
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

/** Possible numbers may overlap: the visible digits of one may be hidden by another. */
function hiddenPlaces(digits: string): boolean[] {
  const isHidden: boolean[] = []
  const hasCheckDigit = checkDigitsOf(digits)
  const last = digits.length - PREFIX_DIGITS
  // The end of the hidden digits of all numbers that have begun so far.
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
 * Returns a test whether the digits from `start` to before `end` have a valid check digit (ISO/IEC 7812-1, annex B). Every
 * second digit is doubled, counted from the last. Prefix sums of both doublings are computed once, so that each test is
 * cheap.
 */
function checkDigitsOf(digits: string): (start: number, end: number) => boolean {
  // Prefix sums, with the digits at even, or odd, places doubled.
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

/** The length of payment ids of Visa and Mastercard. */
const SCHEME_ID = /(?<!\d)\d{15}(?!\d)/g

/**
 * Whether an id of a scheme may contain a card number. One in thirty ids of 15 digits contains a valid number of 13 digits
 * by chance, so ids of that length are only compared as a whole, with numbers of American Express.
 */
export function holdsCardNumber(id: string): boolean {
  const text = id.replace(SCHEME_ID, (digits) => (isCardNumber(digits) ? digits : ''))
  return maskCardNumbers(text) !== text
}

/**
 * Whether a text holds a card number that begins and ends where groups of digits do. Unlike `maskCardNumbers` it does not
 * look inside a longer group, of which many hold a valid number by chance.
 */
export function hasCardNumber(text: string): boolean {
  const folded = withoutOtherNumbers(text)
  for (const [row] of folded.matchAll(DIGITS_IN_A_ROW)) {
    const groups = row.split(/ +/)
    for (const [start] of groups.entries()) {
      let digits = ''
      for (let end = start; end < groups.length && digits.length < CARD_DIGITS_MAX; end += 1) {
        digits += groups[end]
        if (isCardNumber(digits)) return true
      }
    }
  }
  return false
}

const CARD_DIGITS_MAX = 19

/** An international bank account number, in one piece or in groups of four. Source: ISO 13616-1. */
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?\b/g
/** A number to dial, with its country: `+49 (0)1511 / 2345678`. */
const PHONE = /\+\d[\d\s()./\p{Pd}]*/gu

/**
 * A text in which a bank account or a number to dial is no row of digits: one in five printed German accounts, and one in ten
 * mobile numbers, hold a valid card number by chance. Digits of other widths and alphabets are read like those on the card, and
 * each separator is a blank.
 */
function withoutOtherNumbers(text: string): string {
  const folded = text.normalize('NFKC').replace(PHONE, '').replace(SEPARATORS, ' ')
  return folded.replace(IBAN, (account) => (isIban(account) ? '' : account))
}

/** The account with its first four places at the end, letters as 10 to 35, leaves 1 when it is divided by 97. */
function isIban(account: string): boolean {
  const places = account.replaceAll(' ', '')
  let rest = 0
  for (const place of places.slice(4) + places.slice(0, 4)) rest = Number(`${rest}${Number.parseInt(place, 36)}`) % 97
  return rest === 1
}

/** 4-4-4-4, with up to three digits more, and 4-6-5 or 4-6-4. More groups of four are the number of a parcel or an account. */
const PRINTED =
  /(?<!\d)(?<!\d{4} {1,3})(?=((?:\d{4} {1,3}){3}\d{4}(?: {0,3}\d{1,3})?(?!\d| {1,3}\d{4})|\d{4} {1,3}\d{6} {1,3}\d{4,5}(?!\d)))/g
const PRINTED_DIGITS = 16

/** Whether a text holds a card number in groups as on the card, as hardly any id is written. */
export function hasPrintedCardNumber(text: string): boolean {
  for (const [, printed = ''] of withoutOtherNumbers(text).matchAll(PRINTED)) {
    const digits = printed.replace(/\D/g, '')
    if (isCardNumber(digits) || isCardNumber(digits.slice(0, PRINTED_DIGITS))) return true
  }
  return false
}

function isCardNumber(digits: string): boolean {
  const lengths = lengthsOfPrefix(Number(digits.slice(0, PREFIX_DIGITS)))
  return lengths.includes(digits.length) && hasValidCheckDigit(digits)
}
