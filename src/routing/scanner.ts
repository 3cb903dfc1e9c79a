import { nearestName } from '../../domain/nearest-name.ts'
import { TEXT_LENGTH_MAX } from '../../domain/routing/limits.ts'
import { type Place, RoutingTextError } from './text-error.ts'

/** Reads a text from its beginning to its end, passing over blanks and comments. */
export interface Scanner {
  /** Where the next thing begins. */
  offset(): number
  placeOf(offset: number): Place
  isAtEnd(): boolean
  /** Whether this symbol comes next; takes nothing. */
  isNext(symbol: string): boolean
  /** Takes this symbol where it comes next. */
  take(symbol: string): boolean
  /** Takes the one of these symbols that comes next; longer ones go first in the list. */
  takeOneOf(symbols: readonly string[]): string | null
  expect(symbol: string): void
  /** Takes a name, a number or a word without quotes. */
  word(): string | null
  /** The word that comes next; takes nothing. */
  peekWord(): string | null
  /** Takes a text in double quotes, with the escapes of JSON. */
  quoted(): string | null
  /** Takes what comes before one of these characters, as it is, without the blanks around it. */
  rawUntil(stops: string): string
  fail(offset: number, problem: string): never
  /** Complains about what comes next. */
  failNext(expected: readonly string[]): never
  /** Complains about a name that is not known. */
  failUnknown(offset: number, what: string, name: string, known: readonly string[]): never
}

const BLANK = /(?:\s+|\/\*.*?\*\/)*/sy
/** Letters, digits, and between them points and dashes: `metadata.plan`, `0.5`, `one-off`, `not-in`. */
const WORD = /-?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?/y
const QUOTED = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y
/** What is shown of something that was not expected. */
const SHOWN_LENGTH = 30

/**
 * @param suggest finds the known name that was probably meant.
 * @throws RoutingTextError for a text that is too long.
 */
export function createScanner(text: string, suggest: typeof nearestName = nearestName): Scanner {
  if (text.length > TEXT_LENGTH_MAX)
    throw new RoutingTextError({ line: 1, column: 1 }, `the text has more than ${TEXT_LENGTH_MAX} characters`)
  let at = 0

  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  const skip = (): void => {
    at += match(BLANK)?.length ?? 0
    if (text.startsWith('/*', at)) fail(at, 'this comment has no end')
  }
  const placeOf = (offset: number): Place => {
    const lines = text.slice(0, offset).split(/\r\n|\n|\r/)
    return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
  }
  function fail(offset: number, problem: string): never {
    throw new RoutingTextError(placeOf(offset), problem)
  }
  const shown = (): string => {
    const next = match(WORD) ?? match(QUOTED) ?? text.slice(at, at + 1)
    if (next === '') return 'the end of the text'
    return JSON.stringify(next.length > SHOWN_LENGTH ? `${next.slice(0, SHOWN_LENGTH)}…` : next)
  }
  function failNext(expected: readonly string[]): never {
    skip()
    throw new RoutingTextError(placeOf(at), `${shown()} is not expected here`, { expected })
  }
  const isNext = (symbol: string): boolean => {
    skip()
    return text.startsWith(symbol, at)
  }
  const take = (symbol: string): boolean => {
    const isThere = isNext(symbol)
    if (isThere) at += symbol.length
    return isThere
  }
  const takeMatch = (pattern: RegExp): string | null => {
    skip()
    const found = match(pattern)
    at += found?.length ?? 0
    return found
  }

  return {
    offset() {
      skip()
      return at
    },
    placeOf,
    isAtEnd() {
      skip()
      return at >= text.length
    },
    isNext,
    take,
    takeOneOf: (symbols) => symbols.find(take) ?? null,
    expect(symbol) {
      if (!take(symbol)) failNext([`"${symbol}"`])
    },
    word: () => takeMatch(WORD),
    peekWord() {
      skip()
      return match(WORD)
    },
    quoted() {
      skip()
      const beginning = at
      if (text[at] !== '"') return null
      const literal = takeMatch(QUOTED)
      if (literal === null) fail(beginning, 'this quoted text has no end on its line')
      try {
        return JSON.parse(literal) as string
      } catch {
        return fail(beginning, 'this quoted text has an escape or a character that JSON does not know')
      }
    },
    rawUntil(stops) {
      const parts: string[] = []
      for (;;) {
        skip()
        const beginning = at
        while (at < text.length && !stops.includes(text[at] as string) && !text.startsWith('/*', at)) at += 1
        if (at > beginning) parts.push(text.slice(beginning, at))
        if (!text.startsWith('/*', at)) return parts.join(' ').trim().replaceAll(/\s+/g, ' ')
      }
    },
    fail,
    failNext,
    failUnknown(offset, what, name, known) {
      const nearest = suggest(name, known) ?? null
      const short = name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name
      throw new RoutingTextError(placeOf(offset), `${what} ${JSON.stringify(short)} is not known`, {
        expected: known,
        nearest,
      })
    },
  }
}
