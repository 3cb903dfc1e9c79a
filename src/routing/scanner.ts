import { nearestName } from '../../domain/nearest-name.ts'
import { TEXT_LENGTH_MAX } from '../../domain/routing/limits.ts'
import { type Place, RoutingTextError } from './text-error.ts'

const BLANK = /(?:\s+|\/\*.*?\*\/)*/sy
/** Letters, digits, and between them points and dashes: `metadata.plan`, `0.5`, `one-off`, `not-in`. */
const WORD = /-?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?/y
const QUOTED = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y
/** What is shown of something that was not expected. */
const SHOWN_LENGTH = 30

/** Reads a text from its beginning to its end, passing over blanks and comments. */
export class Scanner {
  readonly #text: string
  readonly #suggest: typeof nearestName
  #at = 0

  /**
   * @param suggest finds the known name that was probably meant.
   * @throws RoutingTextError for a text that is too long.
   */
  constructor(text: string, suggest: typeof nearestName = nearestName) {
    if (text.length > TEXT_LENGTH_MAX)
      throw new RoutingTextError({ line: 1, column: 1 }, `the text has more than ${TEXT_LENGTH_MAX} characters`)
    this.#text = text
    this.#suggest = suggest
  }

  /** Where the next thing begins. */
  offset(): number {
    this.#skip()
    return this.#at
  }

  placeOf(offset: number): Place {
    const lines = this.#text.slice(0, offset).split(/\r\n|\n|\r/)
    return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
  }

  isAtEnd(): boolean {
    return this.offset() >= this.#text.length
  }

  /** Whether this symbol comes next; takes nothing. */
  isNext(symbol: string): boolean {
    return this.#text.startsWith(symbol, this.offset())
  }

  /** Takes this symbol where it comes next. */
  take(symbol: string): boolean {
    const isThere = this.isNext(symbol)
    if (isThere) this.#at += symbol.length
    return isThere
  }

  /** Takes the one of these symbols that comes next; longer ones go first in the list. */
  takeOneOf(symbols: readonly string[]): string | null {
    return symbols.find((symbol) => this.take(symbol)) ?? null
  }

  expect(symbol: string): void {
    if (!this.take(symbol)) this.failNext([`"${symbol}"`])
  }

  /** Takes a name, a number or a word without quotes. */
  word(): string | null {
    return this.#takeMatch(WORD)
  }

  /** The word that comes next; takes nothing. */
  peekWord(): string | null {
    this.#skip()
    return this.#match(WORD)
  }

  /** Takes a text in double quotes, with the escapes of JSON. */
  quoted(): string | null {
    const beginning = this.offset()
    if (this.#text[beginning] !== '"') return null
    const literal = this.#takeMatch(QUOTED)
    if (literal === null) return this.fail(beginning, 'this quoted text has no end on its line')
    try {
      return JSON.parse(literal) as string
    } catch {
      return this.fail(beginning, 'this quoted text has an escape or a character that JSON does not know')
    }
  }

  /** Takes what comes before one of these characters, as it is, without the blanks around it. */
  rawUntil(stops: string): string {
    const text = this.#text
    const parts: string[] = []
    for (;;) {
      const beginning = this.offset()
      while (this.#at < text.length && !stops.includes(text[this.#at] as string) && !text.startsWith('/*', this.#at))
        this.#at += 1
      if (this.#at > beginning) parts.push(text.slice(beginning, this.#at))
      if (!text.startsWith('/*', this.#at)) return parts.join(' ').trim().replaceAll(/\s+/g, ' ')
    }
  }

  fail(offset: number, problem: string): never {
    throw new RoutingTextError(this.placeOf(offset), problem)
  }

  /** Complains about what comes next. */
  failNext(expected: readonly string[]): never {
    const place = this.placeOf(this.offset())
    throw new RoutingTextError(place, `${this.#shown()} is not expected here`, { expected })
  }

  /** Complains about a name that is not known. */
  failUnknown(offset: number, what: string, name: string, known: readonly string[]): never {
    const nearest = this.#suggest(name, known) ?? null
    throw new RoutingTextError(this.placeOf(offset), `${what} ${JSON.stringify(shortened(name))} is not known`, {
      expected: known,
      nearest,
    })
  }

  #skip(): void {
    this.#at += this.#match(BLANK)?.length ?? 0
    if (this.#text.startsWith('/*', this.#at)) this.fail(this.#at, 'this comment has no end')
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? null
  }

  #takeMatch(pattern: RegExp): string | null {
    this.#skip()
    const found = this.#match(pattern)
    this.#at += found?.length ?? 0
    return found
  }

  #shown(): string {
    const next = this.#match(WORD) ?? this.#match(QUOTED) ?? this.#text.slice(this.#at, this.#at + 1)
    return next === '' ? 'the end of the text' : JSON.stringify(shortened(next))
  }
}

function shortened(name: string): string {
  return name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name
}
