import { describe, expect, test } from '@jest/globals'
import { compile } from '../../../domain/routing/compile.ts'
import type { Condition } from '../../../domain/routing/condition.ts'
import { explain } from '../../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../../domain/routing/facts.ts'
import { and, block, compare, factsOf, field, metadata, not, or, RAND, ruleSetOf, VELOCITY } from './builders.ts'

const EUR = { defaultCurrency: 'EUR' }

/** Whether the condition holds, as the decision has it; the explanation must agree. */
function holds(condition: Condition, facts: RoutingFacts = factsOf(), options = EUR): boolean {
  // A second rule keeps the first from being the only one that the index knows.
  const rules = ruleSetOf(block(condition), block(compare(field('card_country'), '==', 'JP')))
  const isBlocked = compile(rules, options).decide(facts).kind === 'blocked'
  expect(explain(rules, facts, options).rules[0]?.matches).toBe(isBlocked)
  return isBlocked
}

const TEXTS = [
  ['currency', 'EUR', 'USD', { currency: 'EUR' }],
  ['customer_country', 'FR', 'GB', { customerCountry: 'FR' }],
  ['ip_country', 'FR', 'GB', { ipCountry: 'FR' }],
  ['card_country', 'FR', 'GB', { cardCountry: 'FR' }],
  ['card_scheme', 'visa', 'jcb', { cardScheme: 'visa' }],
  ['card_co_scheme', 'carte bancaire', 'bancontact', { cardCoScheme: 'carte bancaire' }],
  ['card_type', 'debit', 'credit', { cardType: 'debit' }],
  ['card_category', 'consumer', 'commercial', { cardCategory: 'consumer' }],
  ['card_iin', '424242', '400000', { cardIin: '424242' }],
  ['card_last4', '0042', '4242', { cardLast4: '0042' }],
  ['card_fingerprint', 'f00d', 'beef', { cardFingerprint: 'f00d' }],
  ['channel', 'web', 'ios', { channel: 'web' }],
  ['payment_intent', 'one-off', 'recurring', { paymentIntent: 'one-off' }],
] as const

describe.each(TEXTS)('%s', (name, same, other, given) => {
  const facts = factsOf(given)
  const operand = field(name)
  test.each([
    ['==', same, true],
    ['==', other, false],
    ['!=', same, false],
    ['!=', other, true],
    ['in', [other, same], true],
    ['in', [other], false],
    ['not-in', [other, same], false],
    ['not-in', [other], true],
    ['contains', same.slice(1, 3), true],
    ['contains', '~', false],
  ] as const)('%s %j is %s', (operator, value, wanted) => {
    expect(holds(compare(operand, operator, value), facts)).toBe(wanted)
  })
})

describe.each([
  ['card_country', 'FR', { cardCountry: null }],
  ['card_co_scheme', 'carte bancaire', { cardCoScheme: null }],
  ['card_iin', '424242', { cardIin: null }],
  ['payment_intent', 'one-off', { paymentIntent: null }],
] as const)('%s of a payment that has none', (name, value, missing) => {
  const facts = factsOf(missing)
  const operand = field(name)
  test.each([
    ['==', value],
    ['!=', value],
    ['in', [value]],
    ['not-in', [value]],
    ['contains', value],
  ] as const)('%s %j matches neither by itself nor with NOT before it', (operator, against) => {
    expect(holds(compare(operand, operator, against), facts)).toBe(false)
    expect(holds(not(compare(operand, operator, against)), facts)).toBe(false)
  })

  test('is found by null, and only where it is missing', () => {
    expect(holds(compare(operand, '==', null), facts)).toBe(true)
    expect(holds(compare(operand, '!=', null), facts)).toBe(false)
    expect(holds(compare(operand, '==', null))).toBe(false)
    expect(holds(compare(operand, '!=', null))).toBe(true)
    expect(holds(not(compare(operand, '==', null)), facts)).toBe(false)
  })
})

describe.each([
  ['merchant_initiated', 'merchantInitiated'],
  ['incremental', 'incremental'],
] as const)('%s', (name, property) => {
  test.each([
    ['==', true, true, true],
    ['==', true, false, false],
    ['==', false, false, true],
    ['!=', true, true, false],
    ['!=', false, true, true],
  ] as const)('%s %s of a payment with %s is %s', (operator, value, actual, wanted) => {
    expect(holds(compare(field(name), operator, value), factsOf({ [property]: actual }))).toBe(wanted)
  })
})

const ORDER = [
  ['==', false, true, false],
  ['!=', true, false, true],
  ['<', true, false, false],
  ['<=', true, true, false],
  ['>', false, false, true],
  ['>=', false, true, true],
] as const

describe('An amount', () => {
  test.each(ORDER)('%s 29.00 is, a cent below, at and above it, %s, %s, %s', (operator, ...wanted) => {
    const results = [2899, 2900, 2901].map((amountMinor) =>
      holds(compare(field('amount'), operator, '29.00'), factsOf({ amountMinor })),
    )
    expect(results).toStrictEqual(wanted)
  })

  const small = compare(field('amount'), '<', '30')

  test('says nothing about a payment in another currency than the project has, not even with NOT', () => {
    const yen = factsOf({ currency: 'JPY', amountMinor: 1 })
    expect(holds(small, yen)).toBe(false)
    expect(holds(not(small), yen)).toBe(false)
    expect(holds(small, factsOf({ amountMinor: 1 }))).toBe(true)
  })

  test('is meant in the currency that stands beside it, and counted in its minor units', () => {
    const yen = and(compare(field('currency'), '==', 'JPY'), small)
    expect(holds(yen, factsOf({ currency: 'JPY', amountMinor: 29 }))).toBe(true)
    expect(holds(yen, factsOf({ currency: 'JPY', amountMinor: 30 }))).toBe(false)
    expect(holds(yen, factsOf({ currency: 'EUR', amountMinor: 29 }))).toBe(false)
    const dinar = and(compare(field('currency'), '==', 'kwd'), small)
    expect(holds(dinar, factsOf({ currency: 'KWD', amountMinor: 29_999 }))).toBe(true)
    expect(holds(dinar, factsOf({ currency: 'KWD', amountMinor: 30_000 }))).toBe(false)
  })

  test('is meant in each currency of a list beside it', () => {
    const either = and(small, compare(field('currency'), 'in', ['JPY', 'GBP']))
    expect(holds(either, factsOf({ currency: 'JPY', amountMinor: 29 }))).toBe(true)
    expect(holds(either, factsOf({ currency: 'GBP', amountMinor: 2999 }))).toBe(true)
    expect(holds(either, factsOf({ currency: 'GBP', amountMinor: 3000 }))).toBe(false)
    expect(holds(either, factsOf({ currency: 'EUR', amountMinor: 29 }))).toBe(false)
  })

  test('keeps the currency of an AND around its group, until a nearer one is named', () => {
    const large = compare(field('amount'), '>', '1000')
    const inner = and(compare(field('currency'), '==', 'JPY'), or(small, large))
    expect(holds(inner, factsOf({ currency: 'JPY', amountMinor: 29 }))).toBe(true)
    expect(holds(inner, factsOf({ currency: 'JPY', amountMinor: 500 }))).toBe(false)
    const either = or(
      and(compare(field('currency'), '==', 'JPY'), small),
      and(compare(field('currency'), '==', 'USD'), large),
    )
    expect(holds(either, factsOf({ currency: 'JPY', amountMinor: 29 }))).toBe(true)
    expect(holds(either, factsOf({ currency: 'USD', amountMinor: 100_001 }))).toBe(true)
    expect(holds(either, factsOf({ currency: 'USD', amountMinor: 29 }))).toBe(false)
  })
})

describe('A velocity', () => {
  test.each(ORDER)('%s 2 is, at 1, 2 and 3, %s, %s, %s', (operator, ...wanted) => {
    const results = [1, 2, 3].map((count) =>
      holds(compare(VELOCITY, operator, '2'), factsOf({ velocities: new Map([['card_fingerprint/3600', count]]) })),
    )
    expect(results).toStrictEqual(wanted)
  })

  test('that was not counted matches nothing', () => {
    const facts = factsOf({ velocities: new Map() })
    expect(holds(compare(VELOCITY, '<', '100'), facts)).toBe(false)
    expect(holds(not(compare(VELOCITY, '<', '100')), facts)).toBe(false)
  })

  test('is asked for once, however it is written and in how many rules, and only by rules that are switched on', () => {
    const rules = ruleSetOf(
      block(compare(VELOCITY, '>', '1')),
      block(not(or(compare({ ...VELOCITY, kind: 'velocity', path: 'card_fingerprint', interval: '60m' }, '>', '5')))),
      block(compare({ kind: 'velocity', path: 'ip_address', interval: '7d' }, '>', '5')),
      block(compare({ kind: 'velocity', path: 'card_iin', interval: '1d' }, '>', '5'), { enabled: false }),
    )
    expect(compile(rules, EUR).velocities).toStrictEqual([
      { key: 'card_fingerprint/3600', path: 'card_fingerprint', intervalSeconds: 3600 },
      { key: 'ip_address/604800', path: 'ip_address', intervalSeconds: 604_800 },
    ])
  })
})

describe('Metadata', () => {
  test.each([
    ['plan', '==', 'gold', true],
    ['plan', '==', 'Gold', false],
    ['plan', '!=', 'free', true],
    ['plan', 'in', ['free', 'gold'], true],
    ['plan', 'not-in', ['free', 'gold'], false],
    ['plan', 'contains', 'ol', true],
    ['score', '>', '41', true],
    ['score', '<', '5', false],
    ['score', '<=', '41.50', true],
    ['score', '>=', '42', false],
  ] as const)('%s %s %j is %s', (key, operator, value, wanted) => {
    expect(holds(compare(metadata(key), operator, value))).toBe(wanted)
  })

  test.each(['missing', 'constructor', '__proto__', 'toString'])(
    'of the key %s is missing where the payment has none',
    (key) => {
      expect(holds(compare(metadata(key), '!=', 'x'))).toBe(false)
      expect(holds(compare(metadata(key), 'contains', 'a'))).toBe(false)
      expect(holds(compare(metadata(key), '==', null))).toBe(true)
    },
  )

  test.each(['plan', 'missing'])('that is no number has no order: %s', (key) => {
    expect(holds(compare(metadata(key), '<', '5'))).toBe(false)
    expect(holds(not(compare(metadata(key), '<', '5')))).toBe(false)
  })
})

describe('rand()', () => {
  test('is at least 0 and below 1', () => {
    expect(holds(compare(RAND, '>=', '0'))).toBe(true)
    expect(holds(compare(RAND, '<', '1'))).toBe(true)
    expect(holds(compare(RAND, '>=', '1'))).toBe(false)
  })
})
