import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ruleSetProblems } from '../../domain/routing/problems.ts'
import { parseRules } from '../../src/routing/parse-rules.ts'
import { printRules } from '../../src/routing/print-rules.ts'
import { RoutingTextError } from '../../src/routing/scanner.ts'
import { anyRule, character } from './rules.ts'

const EUR = { defaultCurrency: 'EUR' }
const anyRules = fc.array(anyRule, { maxLength: 4 })

describe('The text form and the stored form of a rule set', () => {
  test('stored rules, printed and read again, are the same rules', () => {
    fc.assert(
      fc.property(anyRules, (rules) => {
        expect(ruleSetProblems(rules, EUR)).toStrictEqual([])
        expect(parseRules(printRules(rules), EUR)).toStrictEqual(rules)
      }),
      { seed: 7, numRuns: 500 },
    )
  })
})

/** Reads it, or tells how it was refused; anything but our own error is thrown on. */
function attempt(text: string): RoutingTextError | null {
  try {
    parseRules(text, EUR)
    return null
  } catch (error) {
    if (error instanceof RoutingTextError) return error
    throw error
  }
}

const PIECES = [
  'route',
  'block',
  '{',
  '}',
  '(',
  ')',
  ';',
  ':',
  ',',
  '"',
  '/*',
  '*/',
  'condition',
  'tags',
  'NOT ',
  'AND ',
  ' OR ',
  'amount',
  '<',
  '==',
  '30',
  'in',
  'metadata.',
  'rand()',
  'velocity{path:',
  'gateways: gway_conf_a 1',
  'fallback: {',
  '\\',
  '\n',
  '\u0000',
  '\ud800',
  '💶',
  '-',
  '.',
]

describe('A text that nobody has written', () => {
  test('is read or refused, with a place that is inside of it, and nothing else is thrown', () => {
    const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: character, maxLength: 200 })), (text) => {
        const refusal = attempt(text)
        const lines = text.split(/\r\n|\n|\r/)
        expect(refusal === null || (refusal.line <= lines.length && refusal.column >= 1)).toBe(true)
      }),
      { seed: 10, numRuns: 3000 },
    )
  })

  test.each([
    ['parentheses', `block { condition: ${'('.repeat(90_000)} amount < 1`],
    ['NOTs', `block { condition: ${'NOT '.repeat(40_000)} amount < 1 }`],
    ['comments', `${'/**/'.repeat(49_000)} blok`],
    ['blanks', `${' '.repeat(199_000)}blok`],
    ['ANDs', `block { condition: ${'incremental == true AND '.repeat(8_000)} incremental == true }`],
    ['a word', 'a'.repeat(199_000)],
    ['a quoted text', `block { tags: "${'\\"'.repeat(90_000)}" }`],
    ['a list', `block { condition: card_country in (${'GB, '.repeat(40_000)} GB) }`],
    ['tags', `block { tags: ${'a,'.repeat(90_000)} }`],
    ['comments in a tag', `block { tags: ${'a/**/'.repeat(30_000)} }`],
    ['a comment without end', `block { /* ${'* '.repeat(90_000)}`],
    ['too long a text', ' '.repeat(200_001)],
    ['rules', 'block{}'.repeat(501)],
  ])('one with far too much of something is refused, and soon: %s', (_, text) => {
    // Some 0.1 s at most; what grew with the square of the length would not end within the test's time.
    expect(attempt(text)).toBeInstanceOf(RoutingTextError)
  })
})
