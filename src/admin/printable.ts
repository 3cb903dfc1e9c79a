/**
 * What a terminal obeys instead of showing it, and what moves the letters around it: control characters, separators of
 * lines, and the marks of the direction of writing.
 */
const OBEYED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Whether a terminal shows a text as it is. */
export function isPrintable(text: string): boolean {
  return text.search(OBEYED) === -1
}

/**
 * A text from the database as a terminal may have it, with the numbers of the characters that it would obey.
 *
 * @example printable('a\x1b[2Jb') === 'a\\u{1b}[2Jb'
 */
export function printable(text: string): string {
  return text.replace(OBEYED, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
