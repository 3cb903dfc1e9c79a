import { describe, expect, test } from '@jest/globals'
import type { Condition } from '../../../domain/routing/condition.ts'
import { explain } from '../../../domain/routing/explain.ts'
import { and, block, compare, factsOf, field, not, route, ruleSetOf, trigger, VELOCITY } from './builders.ts'

const EUR = { defaultCurrency: 'EUR' }
const FRENCH = compare(field('card_country'), '==', 'FR')

describe('The explanation of a decision', () => {
  test('names every rule in the order in which it is asked, and what became of it', () => {
    const rules = ruleSetOf(
      route(FRENCH, ['gway_conf_a'], { tags: ['FR'] }),
      route(null, ['gway_conf_b']),
      route(not(FRENCH), ['gway_conf_c']),
      block(compare(VELOCITY, '>', '5')),
      trigger(null),
      { ...trigger(null), enabled: false },
    )
    const { decision, rules: explained } = explain(rules, factsOf({ isCardVerification: true }), EUR)
    expect(decision).toMatchObject({ kind: 'routed', route: { gatewayConfigurationIds: ['gway_conf_a'] } })
    expect(explained.map(({ name, standing, matches }) => [name, standing, matches])).toStrictEqual([
      ['rule-4-block', 'not-for-card-verifications', false],
      ['rule-5-trigger_3ds', 'not-for-card-verifications', true],
      ['rule-6-trigger_3ds', 'switched-off', true],
      ['rule-1-route', 'applied', true],
      ['rule-2-route', 'came-too-late', true],
      ['rule-3-route', 'not-matched', false],
    ])
  })

  /** How the condition of the only rule is explained. */
  const explained = (condition: Condition, facts = factsOf()) =>
    explain(ruleSetOf(block(condition)), facts, EUR).rules[0]?.condition

  test('tells of each comparison what was there, what was wanted, and the result', () => {
    const condition = and(FRENCH, not(compare(field('card_type'), 'in', ['credit'])), compare(VELOCITY, '>', '5'))
    expect(explained(condition)).toStrictEqual({
      kind: 'and',
      result: false,
      conditions: [
        { kind: 'comparison', operand: 'card_country', actual: 'FR', operator: '==', expected: 'FR', result: true },
        {
          kind: 'not',
          result: true,
          condition: {
            kind: 'comparison',
            operand: 'card_type',
            actual: 'debit',
            operator: 'in',
            expected: ['credit'],
            result: false,
          },
        },
        {
          kind: 'comparison',
          operand: 'velocity{path: card_fingerprint; interval: 1h}',
          actual: 2,
          operator: '>',
          expected: '5',
          result: false,
        },
      ],
    })
  })

  test('tells an amount as people write it', () => {
    expect(explained(compare(field('amount'), '<', '30'))).toMatchObject({ actual: '29.00 EUR', result: true })
  })
})
