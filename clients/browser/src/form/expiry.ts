import { hasExpired } from '../../../../domain/card-expiry.ts'
import { withPlainDigits } from './digits.ts'

export interface Expiry {
  month: number
  year: number
}

const SEPARATOR = ' / '
/** Two digits of a year mean this century, as on the card. */
const CENTURY = 2000

/**
 * The date as `MM / YY`, of whatever was typed, pasted or filled in: `1230`, `12/2030`, `12-30`, `2030-12`, `3/30`.
 *
 * @param isDeleting leaves out what would be added by itself, or it could not be deleted.
 */
export function formatExpiry(typed: string, isDeleting = false): string {
  const text = withPlainDigits(typed)
  const [, isoYear, isoMonth] = /^\D*20(\d\d)\D*(0[1-9]|1[0-2])\D*$/.exec(text) ?? []
  if (isoYear !== undefined && isoMonth !== undefined) return isoMonth + SEPARATOR + isoYear
  const [first = '', ...others] = text.split(/\D+/).filter((part) => part !== '')
  const isSeparated = /\d\D/.test(text)
  const { month, rest } = splitMonth(first, isSeparated, isDeleting)
  const year = shortYear((rest + others.join('')).slice(0, 4))
  if (year !== '') return month + SEPARATOR + year
  return isSeparated && !isDeleting && month.length === 2 ? month + SEPARATOR : month
}

/** The month, and the digits behind it that belong to the year already. */
function splitMonth(digits: string, isSeparated: boolean, isDeleting: boolean): { month: string; rest: string } {
  const [one = '', two = ''] = digits
  if (isDeleting && two === '') return { month: one, rest: '' }
  // No month begins with 2 to 9.
  if (/[2-9]/.test(one) && !(isSeparated && two !== '')) return { month: `0${one}`, rest: digits.slice(1) }
  if (one === '1' && two === '' && isSeparated) return { month: '01', rest: '' }
  // 13 can only be January and a year that begins with 3.
  if (one === '1' && /[3-9]/.test(two) && !isSeparated) return { month: '01', rest: digits.slice(1) }
  return { month: digits.slice(0, 2), rest: digits.slice(2) }
}

function shortYear(digits: string): string {
  return digits.length === 4 && digits.startsWith('20') ? digits.slice(2) : digits
}

/** The date of a formatted text; null where it is not complete or no date. */
export function expiryOf(text: string): Expiry | null {
  const [, month, year] = /^(0[1-9]|1[0-2]) \/ (\d\d)$/.exec(text) ?? []
  return month === undefined || year === undefined ? null : { month: Number(month), year: CENTURY + Number(year) }
}

export type ExpiryProblem = 'expiryMissing' | 'expiryInvalid' | 'expiryPast'

export function problemOfExpiry(text: string, now: Date): ExpiryProblem | null {
  if (text === '') return 'expiryMissing'
  const expiry = expiryOf(text)
  if (expiry === null) return 'expiryInvalid'
  return hasExpired(expiry, now) ? 'expiryPast' : null
}

/** True as soon as the date is complete, or cannot become one. */
export function isWhole(text: string): boolean {
  const [, month, year = ''] = /^(\d\d)(?: \/ (\d*))?$/.exec(text) ?? []
  if (month === undefined) return false
  const isMonth = /^(0[1-9]|1[0-2])$/.test(month)
  // `20` may be the beginning of 2030.
  return !isMonth || (year.length === 2 && year !== '20')
}
