import { z } from 'zod'

/** Source: RFC 5321, section 4.5.3.1.3: the longest path, without its brackets. */
export const EMAIL_LENGTH_MAX = 254

/** Whether a person of the dashboard can have the address. */
export function isEmailAddress(text: string): boolean {
  return text.length <= EMAIL_LENGTH_MAX && z.email().safeParse(text).success
}
