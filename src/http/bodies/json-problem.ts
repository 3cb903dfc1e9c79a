/**
 * A token of JSON, after spaces. Source: RFC 8259. The text is read sign by sign: a repeated group of several signs would be
 * tried in exponentially many ways where the closing quote is missing.
 */
const TOKEN =
  /(?:(?<quoted>"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(?<plain>(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.]))|(?<sign>[{}[\],:]))/uy
const SPACES = /[ \t\r\n]*/y

/** What may come next, as it is told. */
const EXPECTED = {
  value: 'a value',
  firstItem: 'a value or ]',
  firstName: 'a name in double quotes or }',
  name: 'a name in double quotes',
  colon: 'a colon',
  nextField: 'a comma or }',
  nextItem: 'a comma or ]',
  nothing: 'nothing more',
} as const
type Expected = keyof typeof EXPECTED

const BROKEN_TEXT = 'begins a text that is not closed, or has a line break or an unknown escape in it'

/** What a sign leads to where it may come. */
const AFTER: Readonly<Partial<Record<Expected, Readonly<Record<string, Expected | 'closed'>>>>> = {
  value: { '{': 'firstName', '[': 'firstItem' },
  firstItem: { '{': 'firstName', '[': 'firstItem', ']': 'closed' },
  firstName: { '}': 'closed' },
  colon: { ':': 'value' },
  nextField: { ',': 'name', '}': 'closed' },
  nextItem: { ',': 'value', ']': 'closed' },
}

/** The largest ordinary body. Of a larger one nobody is told, since finding the place takes a multiple of parsing. */
const SEARCHED_LENGTH_MAX = 65_536

/** Where a text stops being JSON, in a sentence that repeats nothing of it; null where it is JSON, or too long to search. */
export function jsonProblem(text: string): string | null {
  if (text.length > SEARCHED_LENGTH_MAX) return null
  const around: ('nextField' | 'nextItem')[] = []
  let expected: Expected = 'value'
  for (let at = endOf(SPACES, text, 0); ; at = endOf(SPACES, text, TOKEN.lastIndex)) {
    if (at === text.length && expected === 'nothing') return null
    TOKEN.lastIndex = at
    const { quoted, plain, sign } = TOKEN.exec(text)?.groups ?? {}
    const next = quoted === undefined ? afterSign(sign, plain) : afterText()
    if (next === undefined) {
      const problem = text[at] === '"' && quoted === undefined ? BROKEN_TEXT : `${EXPECTED[expected]} is expected`
      return `The body is not valid JSON: at ${placeOf(at, text)} ${problem}.`
    }
    expected = next
  }

  function afterText(): Expected | undefined {
    return expected === 'name' || expected === 'firstName' ? 'colon' : afterValue()
  }

  function afterValue(): Expected | undefined {
    return expected === 'value' || expected === 'firstItem' ? (around.at(-1) ?? 'nothing') : undefined
  }

  function afterSign(sign: string | undefined, plain: string | undefined): Expected | undefined {
    if (plain !== undefined) return afterValue()
    const next = AFTER[expected]?.[sign ?? '']
    if (next === 'firstName') around.push('nextField')
    if (next === 'firstItem') around.push('nextItem')
    if (next !== 'closed') return next
    around.pop()
    return around.at(-1) ?? 'nothing'
  }
}

function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.test(text)
  return pattern.lastIndex
}

/** Both counted from 1, a column in UTF-16 units, as editors do. */
function placeOf(at: number, text: string): string {
  const lines = text.slice(0, at).split('\n')
  const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
  return at === text.length ? `its end (${place})` : place
}
