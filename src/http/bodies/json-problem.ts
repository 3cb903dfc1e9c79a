import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'

/** What is wrong at a place, as it is told; of all others only the place is told. */
const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'there is no name in double quotes and no value of JSON',
  InvalidNumberFormat: 'there is no number of JSON',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma or the end of the object or list is expected',
  CloseBraceExpected: 'a comma or } is expected',
  CloseBracketExpected: 'a comma or ] is expected',
  EndOfFileExpected: 'nothing more is expected',
  InvalidCommentToken: 'there is a comment, which JSON has not',
  UnexpectedEndOfString: 'a text begins that is not closed in its line',
  InvalidEscapeCharacter: 'a text has an escape that JSON has not',
  InvalidUnicode: 'a text has an escape that JSON has not',
  InvalidCharacter: 'a text has a control character in it',
}

/** The largest ordinary body. Of a larger one nobody is told, since finding the place takes a multiple of parsing. */
const SEARCHED_LENGTH_MAX = 65_536

/** Where a text stops being JSON, in a sentence that repeats nothing of it; null where that cannot be told. */
export function jsonProblem(text: string): string | null {
  if (text.length > SEARCHED_LENGTH_MAX) return null
  const [problem] = problemsOf(text)
  if (problem === undefined) return null
  const words = WORDS[printParseErrorCode(problem.error)] ?? 'it cannot be read'
  return `The body is not valid JSON: at ${placeOf(problem.offset, text)} ${words}.`
}

function problemsOf(text: string): readonly ParseError[] {
  const problems: ParseError[] = []
  try {
    parse(text, problems, { disallowComments: true })
  } catch (error) {
    // Thousands of brackets within each other are deeper than the stack.
    if (!(error instanceof RangeError)) throw error
  }
  return problems
}

/** Both counted from 1, a column in UTF-16 units, as editors do. */
function placeOf(at: number, text: string): string {
  const lines = text.slice(0, at).split('\n')
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  return at === text.length ? `its end (${place})` : place
}
