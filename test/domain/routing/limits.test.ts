import { describe, expect, test } from '@jest/globals'
import { ruleSetProblems } from '../../../domain/routing/problems.ts'
import type { RuleDefinition } from '../../../domain/routing/rule.ts'
import { intervalSeconds } from '../../../domain/routing/velocity.ts'
import { parseRules } from '../../../src/routing/parse-rules.ts'
import { and, block, compare, field, metadata } from './builders.ts'

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const problemsOf = (rule: RuleDefinition) =>
  ruleSetProblems([rule], { defaultCurrency: 'EUR' }).map(({ message }) => message)
const WEB = compare(field('channel'), '==', 'web')
const among = (count: number) => block(compare(metadata('plan'), 'in', many(count, String)))

describe('a rule', () => {
  test.each<[string, (size: number) => RuleDefinition, number, number]>([
    ['comparisons', (count) => block(and(...many(count, () => WEB))), 0, 100],
    ['values in a list', among, 1, 500],
    ['characters in a value', (length) => block(compare(metadata('plan'), '==', 'x'.repeat(length))), 0, 255],
    ['characters in a key', (length) => block(compare(metadata('k'.repeat(length)), '==', 'x')), 1, 255],
    ['tags', (count) => block(null, { tags: many(count, String) }), 0, 20],
    ['characters in a tag', (length) => block(null, { tags: ['x'.repeat(length)] }), 1, 100],
  ])('may have so many %s and not one more', (_, ruleOf, least, most) => {
    expect([problemsOf(ruleOf(least)), problemsOf(ruleOf(most))]).toEqual([[], []])
    expect(problemsOf(ruleOf(most + 1))).toEqual([expect.stringContaining(String(most))])
    if (least > 0) expect(problemsOf(ruleOf(least - 1))).not.toEqual([])
  })
})

const routed = (text: string) => () => parseRules(text, { defaultCurrency: 'EUR' })
const gateways = (count: number) => many(count, (index) => `gway_conf_${index}`).join(', ')

/** Each of them twice, in two rules, the second time with the interval in other words. */
const velocities = (count: number) =>
  many(count, (index) => index + 1)
    .flatMap((minutes) => [`${minutes}m`, `${minutes * 60}s`])
    .map((interval) => `block { condition: velocity(card_iin, ${interval}) > 3 }`)
    .join('\n')

test.each<[string, (size: number) => string, number, number]>([
  ['gateways of a route', (count) => `route { gateways: ${gateways(count)} }`, 1, 20],
  ['attempts of a route', (count) => `route { gateways: gway_conf_a; fallback: { max_attempts: ${count} } }`, 1, 5],
  ['shares of a weight', (share) => `route { gateways: gway_conf_a ${share}, gway_conf_b 1 }`, 0, 1_000],
  ['rules', (count) => 'block { }\n'.repeat(count), 0, 500],
  ['different velocities', (count) => velocities(count), 0, 20],
  ['characters of a text', (length) => ' '.repeat(length), 0, 200_000],
])('there may be so many %s and not one more', (_, textOf, least, most) => {
  expect(routed(textOf(least))).not.toThrow()
  expect(routed(textOf(most))).not.toThrow()
  expect(routed(textOf(most + 1))).toThrow(String(most))
})

test.each([
  ['1s', 1],
  ['1m', 60],
  ['1h', 3_600],
  ['1d', 86_400],
  ['30d', 2_592_000],
  ['720h', 2_592_000],
  ['43200m', 2_592_000],
  ['999999s', 999_999],
  ['31d', null],
  ['721h', null],
  ['43201m', null],
  ['1000000s', null],
  ['0s', null],
  ['01s', null],
  ['1w', null],
  ['', null],
])('an interval of %j is %p seconds', (interval, seconds) => {
  expect(intervalSeconds(interval)).toBe(seconds)
})
