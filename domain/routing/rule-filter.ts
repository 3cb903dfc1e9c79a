import type { Comparison, Condition, Operand } from './condition.ts'
import { printOperand } from './condition.ts'
import type { RoutingFacts } from './facts.ts'
import { normalizeFor, operandReader } from './fields.ts'

type Value = string | boolean

/** Each indexed operand costs every payment a look-up. More than this cost more than they save. */
const INDEXED_OPERANDS_MAX = 8
const BITS = 32

/** For each value of an operand, the rules that are still possible, as bits. */
interface OperandIndex {
  read: (facts: RoutingFacts) => Value | null
  byValue: ReadonlyMap<Value, Int32Array>
  /** For a missing value, or one that no rule names: the rules that do not demand a value of the operand. */
  otherwise: Int32Array
}

export interface RuleFilter {
  /** The rules that may match a payment, as bits; bit 0 of word 0 is the first rule. The next call overwrites the array. */
  possible(facts: RoutingFacts): Int32Array
  /** For each rule, the parts of its condition that the filter does not answer. */
  residues: readonly (readonly Condition[])[]
}

export interface FilteredRule {
  condition: Condition | null
  looksAtVerifications: boolean
}

/**
 * Excludes most rules at once. Most conditions demand one of a few values of some operand: an AND with `card_country == GB`
 * is true only for cards of GB. An index of such operands maps each value to the rules that are still possible. A payment
 * looks up a handful of values, combines their bits, and evaluates only the remaining parts of the remaining rules.
 */
export function createRuleFilter(rules: readonly FilteredRule[]): RuleFilter {
  const words = Math.ceil(rules.length / BITS)
  const demands = rules.map(({ condition }) => findDemands(condition))
  const names = mostDemanded(demands)
  const operands = names.map((name) => indexOperand(name, demands, words))
  const ofPayments = makeRow(words, rules, () => true)
  const ofVerifications = makeRow(words, rules, ({ looksAtVerifications }) => looksAtVerifications)
  // One array for all calls: collecting half a million new ones per second would take longer than using them.
  const possible = new Int32Array(words)
  return {
    possible(facts) {
      possible.set(facts.isCardVerification ? ofVerifications : ofPayments)
      for (const { read, byValue, otherwise } of operands) {
        const value = read(facts)
        const row = value === null ? otherwise : (byValue.get(value) ?? otherwise)
        for (let word = 0; word < words; word += 1) possible[word] = (possible[word] as number) & (row[word] as number)
      }
      return possible
    },
    residues: rules.map(({ condition }, rule) => {
      const answered = (demands[rule] ?? []).filter(({ name }) => names.includes(name)).map(({ part }) => part)
      return splitParts(condition).filter((part) => !answered.includes(part))
    }),
  }
}

function makeRow<Item>(words: number, items: readonly Item[], isPossible: (item: Item) => boolean): Int32Array {
  const row = new Int32Array(words)
  for (const [bit, item] of items.entries()) {
    const word = Math.floor(bit / BITS)
    if (isPossible(item)) row[word] = (row[word] as number) | (1 << (bit % BITS))
  }
  return row
}

interface Demand {
  part: Condition
  name: string
  operand: Operand
  values: readonly Value[]
}

/** The parts of the condition that must all be true. */
function splitParts(condition: Condition | null): readonly Condition[] {
  if (condition === null) return []
  // A nested group may set another currency for its amounts, so it is not split.
  return condition.kind === 'and' ? condition.conditions : [condition]
}

function findDemands(condition: Condition | null): Demand[] {
  return splitParts(condition).flatMap((part) => {
    const values = part.kind === 'comparison' ? demandedValues(part) : null
    return part.kind === 'comparison' && values !== null
      ? [{ part, name: printOperand(part.operand), operand: part.operand, values }]
      : []
  })
}

function demandedValues({ operand, operator, value }: Comparison): readonly Value[] | null {
  if (operandReader(operand) === null) return null
  if (operator === 'in' && Array.isArray(value)) return value.map((one) => normalizeFor(operand, one))
  if (operator !== '==' || value === null) return null
  return [typeof value === 'string' ? normalizeFor(operand, value) : (value as boolean)]
}

function mostDemanded(demands: readonly (readonly Demand[])[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of demands.flat()) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, INDEXED_OPERANDS_MAX)
    .map(([name]) => name)
}

function indexOperand(name: string, demands: readonly (readonly Demand[])[], words: number): OperandIndex {
  const ofOperand = demands.map((ofRule) => ofRule.filter((demand) => demand.name === name))
  const operand = ofOperand.flat()[0]?.operand
  const read = operand === undefined ? null : operandReader(operand)
  if (read === null) throw new RangeError(`Nothing demands ${name}.`)
  const values = new Set(ofOperand.flat().flatMap((demand) => demand.values))
  return {
    read,
    byValue: new Map(
      [...values].map((value) => [
        value,
        makeRow(words, ofOperand, (ofRule) => ofRule.every((demand) => demand.values.includes(value))),
      ]),
    ),
    otherwise: makeRow(words, ofOperand, (ofRule) => ofRule.length === 0),
  }
}
