import { styleText } from 'node:util'
import type { Io } from '../io.ts'

type Format = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

/** Colours where the stream is a terminal, and NO_COLOR or FORCE_COLOR say nothing else. */
export type Paint = (format: Format, text: string) => string

export const painterOf =
  (stream: Io['stdout' | 'stderr']): Paint =>
  (format, text) =>
    styleText(format, text, { stream })

const GOOD = /^(?:success|succeeded|authorized|completed|active|won|true|2\d\d)$/
const OPEN = /^(?:pending.*|waiting|requested|3\d\d|partially-.*)$/
const BAD = /^(?:failed|declined|voided|expired|lost|[45]\d\d)$/

/** A word of state in the colour of its meaning. */
export function paintState(paint: Paint, word: string, text = word): string {
  if (GOOD.test(word)) return paint('green', text)
  if (OPEN.test(word)) return paint('yellow', text)
  return BAD.test(word) ? paint('red', text) : text
}

/** What others have written could move the cursor, change what stands on the screen, or be half of a character. */
export const printable = (text: string) => text.toWellFormed().replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, '�')
