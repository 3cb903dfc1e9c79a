/** A place in a text; both count from 1, columns in characters as a person sees them in an editor. */
export interface Place {
  line: number
  column: number
}

/** What is wrong with the text of a rule set, and where. The message is for the merchant. */
export class RoutingTextError extends Error {
  override readonly name = 'RoutingTextError'
  readonly line: number
  readonly column: number
  /** What could have stood there; empty where the place is right and what it says is not. */
  readonly expected: readonly string[]
  /** The known name that was probably meant. */
  readonly nearest: string | null
  /** What else is wrong, where the text can be read as rules; each with a place of its own. */
  readonly others: readonly RoutingTextError[]

  constructor(
    place: Place,
    problem: string,
    { expected = [], nearest = null }: Expectation = {},
    others: readonly RoutingTextError[] = [],
  ) {
    super(`Line ${place.line}, column ${place.column}: ${problem}${endOf(problem, expected, nearest)}`)
    this.line = place.line
    this.column = place.column
    this.expected = expected
    this.nearest = nearest
    this.others = others
  }
}

export interface Expectation {
  expected?: readonly string[]
  nearest?: string | null
}

/** More would hide the sentence behind a list. */
const NAMED_MAX = 20

/** The end of the sentence. */
function endOf(problem: string, expected: readonly string[], nearest: string | null): string {
  if (nearest !== null) return `; did you mean ${nearest}?`
  if (expected.length === 0) return problem.endsWith('?') ? '' : '.'
  const more = expected.length > NAMED_MAX ? ' and others' : ''
  return `; expected ${expected.slice(0, NAMED_MAX).join(', ')}${more}.`
}
