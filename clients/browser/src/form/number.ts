import { hasValidCheckDigit, lengthsOf, schemeOf } from '../../../../domain/card-number.ts'
import { digitsOf } from './digits.ts'

/** Source: ISO/IEC 7812. */
const SHORTEST = 12
const LONGEST = 19

/** How the digits stand on the card, by scheme; the others in fours. */
const GROUPS: Readonly<Record<string, readonly number[]>> = {
  'american express': [4, 6, 5],
  'diners club': [4, 6, 4],
}
const FOURS: readonly number[] = [4, 4, 4, 4, 3]

/** The scheme by the first digits; null while it is not known. */
export function schemeOfNumber(digits: string): string | null {
  const scheme = schemeOf(digits)
  return scheme === 'unknown' ? null : scheme
}

/** The digits in groups, as many as a number of this scheme can have. */
export function formatNumber(text: string): string {
  const digits = digitsOf(text).slice(0, longestOf(digitsOf(text)))
  const groups: string[] = []
  let from = 0
  for (const length of GROUPS[schemeOf(digits)] ?? FOURS) {
    groups.push(digits.slice(from, from + length))
    from += length
  }
  groups.push(digits.slice(from))
  return groups.filter((group) => group !== '').join(' ')
}

export type NumberProblem = 'numberMissing' | 'numberIncomplete' | 'numberInvalid'

export function problemOfNumber(digits: string): NumberProblem | null {
  if (digits === '') return 'numberMissing'
  const lengths = lengthsOf(digits)
  const isLongEnough = lengths.length === 0 ? digits.length >= SHORTEST : lengths.includes(digits.length)
  if (isLongEnough) return hasValidCheckDigit(digits) ? null : 'numberInvalid'
  return digits.length < longestOf(digits) ? 'numberIncomplete' : 'numberInvalid'
}

/** True as soon as no further digit can make it right. */
export function isFull(digits: string): boolean {
  return digits.length >= longestOf(digits)
}

/** Of a scheme whose numbers are all but always 16 digits long, too: the longer ones exist. */
function longestOf(digits: string): number {
  const lengths = lengthsOf(digits)
  return lengths.length === 0 ? LONGEST : Math.max(...lengths)
}
