import { describe, expect, test } from '@jest/globals'
import { rulesIn, suggestionsAt, tokensOf } from '../src/pages/routing/rules-text.ts'

const RULES = `/* block { */
block { condition: currency == EUR AND amount > 1000; tags: "a } b"; }
route {
  gateways: gway_conf_a;
}
`

describe('the text of rules', () => {
  test('is in tokens as a whole, each of its kind', () => {
    const tokens = tokensOf(RULES)
    expect(tokens.map(({ text }) => text).join('')).toBe(RULES)
    const kinds = Object.fromEntries(tokens.map(({ text, kind }) => [text, kind]))
    expect(kinds).toMatchObject({
      ...{ '/* block { */': 'comment', block: 'kind', condition: 'property', currency: 'field', AND: 'word' },
      ...{ 1000: 'number', '"a } b"': 'text', gway_conf_a: 'other' },
    })
  })

  test('has its rules where they stand, whatever comments and texts hold', () => {
    const found = rulesIn(RULES).map(({ start, end }) => RULES.slice(start, end))
    expect(found.map((rule) => [rule.slice(0, 5), rule.at(-1)])).toEqual([
      ['block', '}'],
      ['route', '}'],
    ])
  })

  test.each([
    ['ro', ['route {']],
    ['block { con', ['condition: ']],
    ['block { condition: card_c', ['card_country', 'card_co_scheme', 'card_category']],
    ['block { condition: card_scheme == vi', ['visa']],
    ['block { condition: card_type in (credit, de', ['debit']],
    ['block { condition: amount > 1000 A', ['AND ']],
    ['route { gateways: gway', ['gway_conf_a']],
    ['route { gateways: Shop', ['gway_conf_a']],
    ['route { strategy: s', ['split']],
    ['/* ro', []],
  ])('%s: what could stand there', (text, expected) => {
    const { from, suggestions } = suggestionsAt(text, text.length, [{ id: 'gway_conf_a', name: 'Shop' }])
    expect(suggestions.map(({ insert }) => insert)).toEqual(expected)
    expect(text.slice(from)).toMatch(/^\w+$/)
  })
})
