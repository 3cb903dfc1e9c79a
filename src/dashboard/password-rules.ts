import { dictionary } from '@zxcvbn-ts/language-common'
import { invalidField } from '../http/input/input.ts'

/** Source: PCI DSS 4.0.1, requirement 8.3.6, as well as the letter and the digit. */
const LENGTH_MIN = 12

/** The commonest passwords of published leaks, some 50,000, that are long enough to be chosen. */
const COMMON = new Set(dictionary['passwords-common']?.filter(({ length }) => length >= LENGTH_MIN))

/** One word over and over, with digits behind it: twice as long, and no harder to guess. */
const ONE_WORD = /^(.+?)\1+\d*$/u

/** @throws ApiError 400 where a password that somebody chooses is too easy to guess. */
export function refuseWeakPassword(field: string, password: string, email: string): void {
  const weakness = weaknessOf(password, email)
  if (weakness !== null) throw invalidField(field, weakness)
}

/**
 * What is wrong with a password that somebody chooses, to be read after its name; null where nothing is.
 *
 * @param email the address of the account.
 */
function weaknessOf(password: string, email: string): string | null {
  const text = password.normalize('NFC').toLowerCase()
  if ([...text].length < LENGTH_MIN) return `must have ${LENGTH_MIN} characters at least`
  if (!/\p{L}/u.test(text) || !/\p{N}/u.test(text)) return 'must have a letter and a digit'
  if (text.includes(email)) return 'must not be your email address'
  if (ONE_WORD.test(text)) return 'must not be one word over and over'
  if (COMMON.has(text)) return 'is one of the commonest passwords'
  return null
}
