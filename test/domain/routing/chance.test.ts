import { describe, expect, test } from '@jest/globals'
import { compile } from '../../../domain/routing/compile.ts'
import { fraction, hashText, ruleSeed } from '../../../domain/routing/random.ts'
import { factsOf, ruleSetOf, split } from './builders.ts'

const EUR = { defaultCurrency: 'EUR' }
const PAYMENTS = 100_000

/** Ids that differ as little as ids can; real ones, of 190 random bits, are an easier case. */
const transactionIds = Array.from({ length: PAYMENTS }, (_, index) => `tr_${index}`)

/**
 * Pearson's measure of how far counts are from what was expected. The ids are fixed, so a test never fails by chance; the
 * limits are those that fair counts exceed once in ten thousand sets of ids.
 */
function chiSquare(counts: readonly number[], shares: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count, index) => {
    const expected = total * (shares[index] as number)
    return sum + (count - expected) ** 2 / expected
  }, 0)
}

/** The 99.99 % quantile of chi-square, by Wilson and Hilferty's approximation. */
function limitOf(degrees: number): number {
  const z = 3.719
  return degrees * (1 - 2 / (9 * degrees) + z * Math.sqrt(2 / (9 * degrees))) ** 3
}

const evenly = (count: number) => Array.from({ length: count }, () => 1 / count)

function countBy(count: number, indexOf: (id: string) => number): number[] {
  const counts = Array.from({ length: count }, () => 0)
  for (const id of transactionIds) {
    const index = indexOf(id)
    counts[index] = (counts[index] ?? 0) + 1
  }
  return counts
}

/** The gateways of a split in their order, for each payment. */
function ordersOf(weights: Readonly<Record<string, number>>): (readonly string[])[] {
  const rules = compile(ruleSetOf(split(weights)), EUR)
  const facts = factsOf()
  return transactionIds.map((transactionId) => {
    const decision = rules.decide({ ...facts, transactionId })
    return decision.kind === 'routed' ? (decision.route?.gatewayConfigurationIds ?? []) : []
  })
}

describe('rand()', () => {
  const at = (ruleId: string, id: string) => fraction(hashText(id), ruleSeed(ruleId, 'rand'))

  test('never changes for a transaction and a rule', () => {
    expect(at('rr_1', 'tr_1')).toBe(at('rr_1', 'tr_1'))
    // Written down, because a change would route payments of today otherwise than their replays.
    expect(['tr_1', 'tr_2', 'tr_'].map((id) => hashText(id))).toStrictEqual([1_989_330_915, 5_598_454, 761_033_605])
  })

  test.each(['rr_1', 'rr_2', 'rr_0123456789ABCDEFGHIJKLMNOPQRSTUV'])(
    'falls into each hundredth equally often: %s',
    (ruleId) => {
      const counts = countBy(100, (id) => Math.floor(at(ruleId, id) * 100))
      expect(chiSquare(counts, evenly(100))).toBeLessThan(limitOf(99))
    },
  )
})

describe('A split by weight', () => {
  const weights = { gway_conf_a: 70, gway_conf_b: 20, gway_conf_c: 10 }
  const orders = ordersOf(weights)

  test('always gives the same payment the same order, with every gateway once', () => {
    const [once, again] = [orders, ordersOf(weights)]
    // As text, because comparing a hundred thousand lists one by one takes a minute.
    expect(String(once) === String(again)).toBe(true)
    for (const order of once.slice(0, 1000)) expect(order.toSorted()).toStrictEqual(Object.keys(weights))
  })

  test('tries first as large a share of payments at a gateway as its weight', () => {
    const counts = ['gway_conf_a', 'gway_conf_b', 'gway_conf_c'].map(
      (id) => orders.filter(([first]) => first === id).length,
    )
    expect(chiSquare(counts, [0.7, 0.2, 0.1])).toBeLessThan(limitOf(2))
  })

  test('shares out by the weights of the others what one gateway cannot take', () => {
    const withoutA = orders.map((order) => order.find((id) => id !== 'gway_conf_a'))
    const counts = ['gway_conf_b', 'gway_conf_c'].map((id) => withoutA.filter((first) => first === id).length)
    expect(chiSquare(counts, [2 / 3, 1 / 3])).toBeLessThan(limitOf(1))
  })

  test('tries gateways without weight last, as they are listed', () => {
    for (const order of ordersOf({ gway_conf_z: 0, gway_conf_a: 1, gway_conf_y: 0, gway_conf_b: 3 }).slice(0, 1000)) {
      expect(order.slice(2)).toStrictEqual(['gway_conf_z', 'gway_conf_y'])
    }
  })
})
