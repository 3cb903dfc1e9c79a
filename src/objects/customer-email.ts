import { domainToASCII } from 'node:url'
import { EMAIL_LENGTH_MAX } from './email-address.ts'

/**
 * Every sign of RFC 5322 and, from other alphabets, of RFC 6531; or anything in quotes. Dots stand anywhere: there are such
 * addresses, whatever the standard says.
 */
const LOCAL_PART = /^(?:[^\s\p{Cc}"(),:;<>@[\\\]]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])+")$/u

/** RFC 1123, with one dot at least. */
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})+$/i

/** A customer's address as it is kept, its domain in ASCII: `xn--` for those of other letters. Null for what is none. */
export function readEmailAddress(text: string): string | null {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(at, 0))
  const named = text.slice(at + 1)
  const domain = /^\p{ASCII}*$/u.test(named) ? named : domainToASCII(named)
  const address = `${local}@${domain}`
  return LOCAL_PART.test(local) && DOMAIN.test(domain) && address.length <= EMAIL_LENGTH_MAX ? address : null
}
