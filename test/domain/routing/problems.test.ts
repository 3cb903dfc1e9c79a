import { describe, expect, test } from '@jest/globals'
import type { Condition } from '../../../domain/routing/condition.ts'
import { ruleSetProblems } from '../../../domain/routing/problems.ts'
import { block, compare, field, not, route } from './builders.ts'

const EUR = { defaultCurrency: 'EUR' }

/** A condition inside of that many NOTs. */
function nested(depth: number): Condition {
  let condition: Condition = compare(field('channel'), '==', 'web')
  for (let index = 0; index < depth; index += 1) condition = not(condition)
  return condition
}

describe('Rules that did not come from a text', () => {
  test('are refused where they are nested too deeply, however deep that is', () => {
    for (const depth of [20, 100_000]) {
      expect(ruleSetProblems([block(nested(depth))], EUR)).toMatchObject([
        { message: 'a condition is nested at most 20 deep' },
      ])
    }
    expect(ruleSetProblems([block(nested(19))], EUR)).toStrictEqual([])
  })

  test('are refused where they are too many', () => {
    const rules = Array.from({ length: 501 }, () => block(null))
    expect(ruleSetProblems(rules, EUR)).toMatchObject([{ message: 'a rule set has at most 500 rules' }])
    expect(ruleSetProblems(rules.slice(1), EUR)).toStrictEqual([])
  })

  test.each([
    [compare(field('amount'), '==', null), 'amount == cannot be compared with null'],
    [compare(field('card_country'), 'contains', null), 'card_country contains cannot be compared with null'],
    [compare(field('card_country'), '<', 'FR'), 'card_country is compared by ==, !=, in, not-in, contains, not by <'],
    [compare(field('incremental'), '==', 'true'), 'incremental is compared with true or false'],
    [compare(field('card_country'), '==', null), null],
    [compare(field('card_country'), '!=', null), null],
  ])('are refused where their value does not suit: %j', (condition, message) => {
    expect(ruleSetProblems([block(condition)], EUR).map((problem) => problem.message)).toEqual(
      message === null ? [] : [message],
    )
  })

  test('are refused where a gateway is no id, whatever it ends with', () => {
    expect(ruleSetProblems([route(null, ['x gway_conf_a'])], EUR)).toMatchObject([
      { property: 'gateways', message: '"x gway_conf_a" is not the id of a gateway configuration' },
    ])
  })

  test('are told of the first 20 problems of one list', () => {
    const countries = Array.from({ length: 40 }, () => 'nowhere')
    expect(ruleSetProblems([block(compare(field('card_country'), 'in', countries))], EUR)).toHaveLength(20)
  })

  test('are told by the object that is wrong, and all at once', () => {
    const wrong = compare(field('card_country'), '==', 'UK')
    const rules = [block(wrong), route(null, [])]
    expect(ruleSetProblems(rules, EUR)).toStrictEqual([
      {
        at: wrong,
        property: null,
        message: 'card_country is the two letters of a country, such as GB, not "UK"',
      },
      { at: rules[1], property: 'gateways', message: 'a route names at least one gateway' },
    ])
  })
})
