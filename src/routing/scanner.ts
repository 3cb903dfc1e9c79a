import { nearestName } from '../../domain/nearest-name.ts'
import { TEXT_LENGTH_MAX } from '../../domain/routing/limits.ts'

/** What is wrong with the text of a rule set, and where. The message is for the merchant. */
export class RoutingTextError extends Error {
  override readonly name = 'RoutingTextError'
  /** Line and column count from 1, columns in characters as an editor shows them. */
  readonly line: number
  readonly column: number
  /** The other problems of a text that can be read as rules, each with its own place. */
  readonly others: readonly RoutingTextError[]

  constructor(line: number, column: number, problem: string, others: readonly RoutingTextError[] = []) {
    super(`Line ${line}, column ${column}: ${problem}${problem.endsWith('?') ? '' : '.'}`)
    this.line = line
    this.column = column
    this.others = others
  }
}

const BLANK = /(?:\s+|\/\*.*?\*\/)*/sy
/** Letters, digits, and between them points and dashes: `metadata.plan`, `0.5`, `one-off`, `not-in`. */
const WORD = /-?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_.])?/y
const QUOTED = /"(?:[^"\\\r\n]|\\[^\r\n])*"/y
/** Longer numbers are above every limit. */
const WHOLE_NUMBER = /^\d{1,6}$/
const SHOWN_LENGTH = 30

/**
 * Reads a text from its beginning to its end, and passes over blanks and comments. It remembers what was looked for in
 * vain at the present place, so that `fail` can say what was expected there.
 */
export class Scanner {
  /** By rules and parts of conditions. */
  readonly places = new Map<object, { offset: number; properties?: ReadonlyMap<string, number> }>()
  readonly #text: string
  readonly #suggest: typeof nearestName
  #at = 0
  #expected: { at: number; names: Set<string> } = { at: 0, names: new Set() }

  /**
   * @param suggest finds the known name that was probably meant.
   * @throws RoutingTextError for a text that is too long.
   */
  constructor(text: string, suggest: typeof nearestName = nearestName) {
    if (text.length > TEXT_LENGTH_MAX)
      throw new RoutingTextError(1, 1, `the text has more than ${TEXT_LENGTH_MAX} characters`)
    this.#text = text
    this.#suggest = suggest
  }

  /** Where the next thing begins. */
  offset(): number {
    this.#at += this.#find(BLANK).length
    if (this.#text.startsWith('/*', this.#at)) this.failAt(this.#at, 'this comment has no end')
    return this.#at
  }

  /** Keeps where a rule or a part of a condition begins, and the properties of a rule, for what is found out later. */
  placed<Node extends object>(node: Node, offset: number, properties?: ReadonlyMap<string, number>): Node {
    this.places.set(node, { offset, ...(properties && { properties }) })
    return node
  }

  /** Where a thing stands: its property where that was written. */
  locate(at: object, property: string | null): number {
    const place = this.places.get(at)
    return place?.properties?.get(property ?? '') ?? place?.offset ?? 0
  }

  /** Whether this symbol comes next. */
  isNext(symbol: string): boolean {
    return this.#text.startsWith(symbol, this.offset())
  }

  /** @param expected what the error calls this end. */
  isAtEnd(...expected: string[]): boolean {
    return this.offset() >= this.#text.length || this.#miss(expected)
  }

  take(symbol: string): boolean {
    if (!this.isNext(symbol)) return this.#miss([`"${symbol}"`])
    this.#at += symbol.length
    return true
  }

  expect(symbol: string): void {
    if (!this.take(symbol)) this.fail()
  }

  /** Takes this word; one in capitals in whatever case it is written. */
  takeWord(word: string): boolean {
    this.offset()
    const next = this.#find(WORD)
    if (next !== word && next.toUpperCase() !== word) return this.#miss([word])
    this.#at += word.length
    return true
  }

  /** Takes what a sticky pattern finds; null where it finds nothing. */
  match(pattern: RegExp, expected: readonly string[] = []): string | null {
    this.offset()
    const found = this.#find(pattern)
    if (found === '') this.#miss(expected)
    this.#at += found.length
    return found === '' ? null : found
  }

  /** Takes a name, a number or another text without quotes. */
  word(...expected: string[]): string {
    return this.match(WORD, expected) ?? this.fail()
  }

  /** Takes a whole number; null where no word comes. */
  wholeNumber(): number | null {
    const offset = this.offset()
    const word = this.match(WORD, ['a whole number'])
    if (word === null) return null
    return WHOLE_NUMBER.test(word) ? Number(word) : this.failAt(offset, 'a whole number is expected here')
  }

  /** Takes a text in double quotes, with the escapes of JSON. */
  quoted(...expected: string[]): string | null {
    const beginning = this.offset()
    if (!this.isNext('"')) {
      this.#miss(expected)
      return null
    }
    const literal = this.match(QUOTED) ?? this.failAt(beginning, 'this quoted text has no end on its line')
    try {
      return JSON.parse(literal) as string
    } catch {
      return this.failAt(beginning, 'this quoted text has an escape or a character that JSON does not know')
    }
  }

  /** Takes a text with or without quotes. */
  text(): string {
    return this.quoted() ?? this.word('a value')
  }

  /** Takes one thing, or several with commas between. */
  list<Item>(take: (scanner: Scanner) => Item): Item[] {
    const items: Item[] = []
    do items.push(take(this))
    while (this.take(','))
    return items
  }

  /** Takes one of these names; `expected` could stand there, too. */
  oneOf<Name extends string>(names: readonly Name[], what: string, ...expected: string[]): Name {
    const offset = this.offset()
    const word = this.word(...names, ...expected)
    return names.find((name) => name === word) ?? this.failUnknown(offset, what, word, names)
  }

  /** Complains about what comes next, and says what was looked for. */
  fail(): never {
    const offset = this.offset()
    const next = this.#find(WORD) || this.#find(QUOTED) || this.#text.slice(offset, offset + 1)
    const shown = next === '' ? 'the end of the text' : JSON.stringify(shortened(next))
    return this.failAt(offset, `${shown} is not expected here; expected ${[...this.#expected.names].join(', ')}`)
  }

  failAt(offset: number, problem: string): never {
    throw this.errorAt(offset, problem)
  }

  errorAt(offset: number, problem: string, others: readonly RoutingTextError[] = []): RoutingTextError {
    const lines = this.#text.slice(0, offset).split(/\r\n|\n|\r/)
    return new RoutingTextError(lines.length, [...(lines.at(-1) ?? '')].length + 1, problem, others)
  }

  /** Complains about a name that is none of the known ones. */
  failUnknown(offset: number, what: string, word: string, known: readonly string[]): never {
    const nearest = this.#suggest(word, known)
    const advice = nearest === undefined ? `expected ${known.join(', ')}` : `did you mean ${nearest}?`
    return this.failAt(offset, `${what} ${JSON.stringify(shortened(word))} is not known; ${advice}`)
  }

  #miss(names: readonly string[]): false {
    if (this.#expected.at !== this.#at) this.#expected = { at: this.#at, names: new Set() }
    for (const name of names) this.#expected.names.add(name)
    return false
  }

  #find(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    return pattern.exec(this.#text)?.[0] ?? ''
  }
}

function shortened(name: string): string {
  return name.length > SHOWN_LENGTH ? `${name.slice(0, SHOWN_LENGTH)}…` : name
}
