import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { numberRules } from '../../../domain/routing/rule.ts'
import { readRules } from '../../../src/api/routing/read-rules.ts'
import { RULES_BODY, readNewRuleSet } from '../../../src/api/routing/rule-input.ts'
import { presentRuleSet } from '../../../src/objects/rule-set.ts'
import type { RuleSetRow } from '../../../src/persistence/entities/rule-set.ts'
import { parseRules } from '../../../src/routing/parse-rules.ts'
import { printCondition } from '../../../src/routing/print-rules.ts'
import { anyRule } from '../../routing/rules.ts'
import { jsonBody, refusalOf } from '../refusals.ts'

const PROJECT = { defaultCurrency: 'EUR', gatewayConfigurationIds: ['gway_conf_1'] }

function invalidFieldsOf(rules: unknown) {
  const { code, invalidFields } = refusalOf(() =>
    readRules(readNewRuleSet(jsonBody({ rules }, RULES_BODY)).rules, PROJECT),
  )
  expect(code).toBe('request.validation.error')
  return invalidFields ?? []
}

const comparison = (name: string, operator: string, value: unknown) => ({
  kind: 'comparison',
  operand: { kind: 'field', name },
  operator,
  value,
})
const misspelt = comparison('card_contry', '==', 'GB')
test('rules that an answer shows can be sent back: with the tree of a condition, its text or both they are the same', () => {
  const rows = fc.array(anyRule, { minLength: 1, maxLength: 3 }).map((rules) => numberRules(rules, () => 'rr_1'))
  const forms = [{}, { condition: undefined }, { condition: ' ' }, { condition_text: undefined }]
  fc.assert(
    fc.property(rows, fc.constantFrom(...forms), (rules, without) => {
      const shown = presentRuleSet({ createdAt: new Date(0), rules } as RuleSetRow, null, printCondition).rules
      const sent = jsonBody({ rules: shown.map((rule) => ({ ...rule, ...without })) }, RULES_BODY)
      const read = readRules(readNewRuleSet(sent).rules, { defaultCurrency: 'EUR' })
      expect(numberRules(read.rules, () => 'rr_1')).toStrictEqual(rules)
      expect(parseRules(read.text, { defaultCurrency: 'EUR' })).toStrictEqual(read.rules)
    }),
    { seed: 5, numRuns: 200 },
  )
})

const saying = (words: string) => expect.stringContaining(words)

test.each([
  [
    'a field of a text that is not known, by line and column, with what was meant',
    'route {\n  gateways: gway_conf_a;\n  condition: card_contry == GB;\n}',
    [
      {
        name: 'rules',
        line: 3,
        column: 14,
        message: 'Line 3, column 14: the field "card_contry" is not known; did you mean card_country?',
      },
    ],
  ],
  [
    'an end that is missing',
    'block {',
    [{ name: 'rules', line: 1, column: 8, message: saying('the end of the text') }],
  ],
  [
    'several mistakes that can be told at once, in the order of the text',
    'block { condition: card_country == England; }\nroute { gateways: gway_conf_a; fallback: { error_codes: card.do-not-honour } }',
    [
      { name: 'rules', line: 1, column: 20, message: saying('the two letters of a country') },
      { name: 'rules', line: 2, column: 9, message: saying('is no gateway configuration') },
      { name: 'rules', line: 2, column: 32, message: saying('did you mean card.do-not-honor?') },
    ],
  ],
  ['nothing but a comment', '/* none */', [{ name: 'rules', message: saying('has no rule') }]],
  ['an empty text', '', [{ name: 'rules', message: saying('has no rule') }]],
  ['an empty list', [], [{ name: 'rules', message: saying('has no rule') }]],
  ['a number', 1, [{ name: 'rules', message: 'must be a text or a list of rules' }]],
  [
    'a kind that is not known',
    [{ kind: 'bloc' }],
    [{ name: 'rules.0.kind', message: saying('block, trigger_3ds, route, dynamic_3ds') }],
  ],
  [
    'a property of another kind',
    [{ kind: 'block' }, { kind: 'block', strategy: 'split' }],
    [{ name: 'rules.1', message: 'has no field strategy' }],
  ],
  [
    'a condition that means nothing, by its place in the tree',
    [
      {
        kind: 'block',
        condition: {
          kind: 'and',
          conditions: [comparison('incremental', '==', true), comparison('amount', '<', 'much')],
        },
      },
    ],
    [{ name: 'rules.0.condition.conditions.1', message: saying('is not an amount of') }],
  ],
  [
    'a field of a tree that is not known',
    [{ kind: 'block', condition: misspelt }],
    [{ name: 'rules.0.condition.operand.name', message: saying('did you mean card_country?') }],
  ],
  [
    'the text of a condition that cannot be read',
    [{ kind: 'block', condition: 'card_country = GB' }],
    [{ name: 'rules.0.condition', line: 1, column: 14, message: saying('expected ==') }],
  ],
  [
    'the text of a condition beside none',
    [{ kind: 'block', condition: null, condition_text: 'amount < ' }],
    [{ name: 'rules.0.condition_text', line: 1, column: 10, message: saying('end of the text') }],
  ],
  [
    'two conditions that differ',
    [{ kind: 'block', condition: comparison('amount', '<', '3'), condition_text: 'amount < 4' }],
    [{ name: 'rules.0.condition_text', message: saying('another condition than condition') }],
  ],
  [
    'two texts of a condition that differ',
    [{ kind: 'block', condition: 'amount < 3', condition_text: 'amount < 4' }],
    [{ name: 'rules.0.condition_text', message: saying('another condition than condition') }],
  ],
  [
    'the second text of a condition that cannot be read',
    [{ kind: 'block', condition: 'amount < 3', condition_text: 'amount <' }],
    [{ name: 'rules.0.condition_text', line: 1, column: 9, message: saying('end of the text') }],
  ],
  [
    'weights that are none',
    [{ kind: 'route', gateways: [{ gateway_configuration_id: 'gway_conf_a', weight: 1.5 }] }],
    [
      { name: 'rules.0.gateways', message: saying('is no gateway configuration') },
      { name: 'rules.0.gateways', message: saying('a weight is a whole number') },
    ],
  ],
])('rules are refused for %s', (_, rules, invalidFields) => {
  expect(invalidFieldsOf(rules)).toMatchObject(invalidFields)
})

test('a gateway that is not known is told with the nearest one', () => {
  const rules = [{ kind: 'route', gateways: [{ gateway_configuration_id: 'gway_conf_2' }] }]
  expect(invalidFieldsOf(rules)).toEqual([{ name: 'rules.0.gateways', message: saying('did you mean gway_conf_1?') }])
})

describe('of rules that are wrong in thousands of places', () => {
  const many = (count: number, part: unknown) => Array.from({ length: count }, () => part)
  const block = (condition: object) => [{ kind: 'block', condition }]

  test.each<[string, object[], suggestions: number]>([
    ['of one condition', block({ kind: 'and', conditions: many(500, misspelt) }), 5],
    ['of many conditions', many(400, { kind: 'block', condition: misspelt }) as object[], 5],
    ['of a condition of nothing', block({ kind: 'or', conditions: many(15_000, {}) }), 0],
    ['of the texts of conditions', many(480, { kind: 'block', condition_text: 'card_contry == GB' }) as object[], 5],
    ['of no rules at all', many(500, {}) as object[], 0],
    [
      'of error codes',
      [{ kind: 'route', gateways: [], fallback: { error_codes: many(2_000, 'card.do-not-honour') } }],
      5,
    ],
  ])('twenty are told, and five words that were probably meant: %s', (_, rules, suggestions) => {
    const shown = invalidFieldsOf(rules)
    expect(shown).toHaveLength(20)
    expect(shown.filter(({ message }) => /did you mean/.test(message))).toHaveLength(suggestions)
  })

  test.each([
    ['values', { kind: 'block', condition: { ...misspelt, operand: { kind: 'rand' }, value: many(20_000, 1) } }],
    ['tags', { kind: 'block', tags: many(20_000, 1) }],
    ['gateways', { kind: 'route', gateways: many(10_000, {}) }],
  ])('one is told of a list of %s', (_, rule) => {
    expect(invalidFieldsOf([rule])).toHaveLength(1)
  })

  test('none is read where there are more than a rule set has', () => {
    const message = 'must have 500 rules at most'
    expect(invalidFieldsOf(many(501, { kind: 'blcok' }))).toEqual([{ name: 'rules', message }])
  })
})
