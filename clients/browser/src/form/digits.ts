/** The zeros of the other scripts in which customers type numbers: Arabic, Persian, full-width. */
const ZEROS = [0x0660, 0x06f0, 0xff10] as const

/** Writes the digits of every script as 0 to 9. */
export function withPlainDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]/g, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = ZEROS.find((one) => code >= one && code < one + 10) ?? code
    return String(code - zero)
  })
}

/** The digits in a text, whatever stands between them. */
export function digitsOf(text: string): string {
  return withPlainDigits(text).replace(/\D/g, '')
}

export interface Edited {
  text: string
  /** Where the caret stands, in characters from the beginning. */
  caret: number
}

/** Replaces what was typed by its formatted form, with the caret behind the same digit as before. */
export function keepCaret(typed: Edited, format: (text: string) => string): Edited {
  const text = format(typed.text)
  if (typed.caret >= typed.text.length) return { text, caret: text.length }
  const before = digitsOf(typed.text.slice(0, typed.caret)).length
  let caret = 0
  for (let seen = 0; seen < before && caret < text.length; caret += 1) if (/\d/.test(text.charAt(caret))) seen += 1
  return { text, caret }
}
