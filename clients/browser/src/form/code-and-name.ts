import { digitsOf } from './digits.ts'

/** American Express prints four digits on the front, the others three on the back. */
const LONG_CODE = 4
const CODE = 3

/** How many digits the security code has; `least` and `most` differ while the scheme is not known. */
export function codeLength(scheme: string | null): { least: number; most: number } {
  if (scheme === 'american express') return { least: LONG_CODE, most: LONG_CODE }
  return { least: CODE, most: scheme === null ? LONG_CODE : CODE }
}

/** Keeps a fourth digit that was typed before the number of the card. */
export function formatCode(text: string): string {
  return digitsOf(text).slice(0, LONG_CODE)
}

export type CodeProblem = 'cvcMissing' | 'cvcInvalid'

export function problemOfCode(code: string, scheme: string | null): CodeProblem | null {
  if (code === '') return 'cvcMissing'
  const { least, most } = codeLength(scheme)
  return code.length >= least && code.length <= most ? null : 'cvcInvalid'
}

export type NameProblem = 'nameMissing' | 'nameInvalid'

const NAME_LENGTH_MAX = 255
/** As many digits as no name has: a number of a card in the wrong field would be stored in the clear. */
const DIGITS_MAX = 8

export function problemOfName(name: string, isRequired: boolean): NameProblem | null {
  const text = name.trim()
  if (text === '') return isRequired ? 'nameMissing' : null
  return text.length <= NAME_LENGTH_MAX && digitsOf(text).length <= DIGITS_MAX ? null : 'nameInvalid'
}
