import { parseAmount } from '../money.ts'
import type { Comparison, Condition, Operator } from './condition.ts'
import type { RoutingFacts } from './facts.ts'
import { normalizeFor, operandReader } from './fields.ts'
import { fraction } from './random.ts'
import { velocityNeed } from './velocity.ts'

/**
 * Three-valued logic (Kleene's, as in SQL): a comparison with a missing value is unknown, and so is its negation. With this
 * order AND is the minimum of its parts, OR the maximum, and NOT the distance from true.
 */
export const FALSE = 0
export const UNKNOWN = 1
export const TRUE = 2
export type Truth = typeof FALSE | typeof UNKNOWN | typeof TRUE

/** Evaluates one comparison for a payment; `transaction` is the hash of its id, computed once for all comparisons. */
export type Test = (facts: RoutingFacts, transaction: number) => Truth

export interface RuleContext {
  /** The seed of the rule's `rand()`. */
  randSeed: number
  currencies: readonly string[]
}

/** A decimal number in a condition or in metadata. */
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,15})?$/

/** The number in a text; null for anything but plain digits with a sign and a point. */
export function readDecimal(text: string): number | null {
  return DECIMAL.test(text) ? Number(text) : null
}

/**
 * Compiles a comparison into a function once, so that evaluating it for a payment is cheap.
 *
 * @throws RangeError for a comparison in which `conditionProblems` finds a problem
 */
export function compileComparison(comparison: Comparison, context: RuleContext): Test {
  const { operand, operator, value } = comparison
  if (operand.kind === 'field' && operand.name === 'amount') return amountTest(comparison, context.currencies)
  if (operand.kind === 'rand') {
    const [accepted, wanted] = [acceptedOrder(operator), requireDecimal(value)]
    const { randSeed } = context
    return (_, transaction) => compareNumbers(fraction(transaction, randSeed), wanted, accepted)
  }
  if (operand.kind === 'velocity') {
    const [accepted, wanted] = [acceptedOrder(operator), requireDecimal(value)]
    const { key } = velocityNeed(operand)
    return ({ velocities }) => {
      const count = velocities.get(key)
      return count === undefined ? UNKNOWN : compareNumbers(count, wanted, accepted)
    }
  }
  return valueTest(comparison)
}

function amountTest({ operator, value }: Comparison, currencies: readonly string[]): Test {
  const accepted = acceptedOrder(operator)
  const limits = new Map(currencies.map((currency) => [currency, requireAmount(value, currency)]))
  const [[only, limit] = [undefined, undefined]] = limits
  if (limits.size === 1 && limit !== undefined) {
    return (facts) => (facts.currency === only ? compareNumbers(facts.amountMinor, limit, accepted) : UNKNOWN)
  }
  return ({ currency, amountMinor }) => {
    const wanted = limits.get(currency)
    return wanted === undefined ? UNKNOWN : compareNumbers(amountMinor, wanted, accepted)
  }
}

/** Comparisons of text and flags, and of metadata, which may also be compared as a number. */
function valueTest({ operand, operator, value }: Comparison): Test {
  const read = operandReader(operand)
  if (read === null) throw new RangeError('Not an operand with a value.')
  const wanted = typeof value === 'string' ? normalizeFor(operand, value) : value
  switch (operator) {
    case '==':
      return wanted === null ? isMissing(read, TRUE, FALSE) : equals(read, wanted, TRUE, FALSE)
    case '!=':
      return wanted === null ? isMissing(read, FALSE, TRUE) : equals(read, wanted, FALSE, TRUE)
    case 'in':
    case 'not-in': {
      if (!Array.isArray(value)) throw new RangeError('Not a list.')
      const list = new Set<string | boolean>(value.map((one) => normalizeFor(operand, one)))
      return operator === 'in' ? isOneOf(read, list, TRUE, FALSE) : isOneOf(read, list, FALSE, TRUE)
    }
    case 'contains':
      return contains(read, String(wanted))
    default: {
      const [accepted, limit] = [acceptedOrder(operator), requireDecimal(value)]
      return (facts) => {
        const number = readDecimal(String(read(facts)))
        return number === null ? UNKNOWN : compareNumbers(number, limit, accepted)
      }
    }
  }
}

type Reader = (facts: RoutingFacts) => string | boolean | null

function isMissing(read: Reader, missing: Truth, present: Truth): Test {
  return (facts) => (read(facts) === null ? missing : present)
}

function equals(read: Reader, wanted: Comparison['value'], same: Truth, other: Truth): Test {
  return (facts) => {
    const actual = read(facts)
    return actual === null ? UNKNOWN : actual === wanted ? same : other
  }
}

function isOneOf(read: Reader, list: ReadonlySet<string | boolean>, inside: Truth, outside: Truth): Test {
  return (facts) => {
    const actual = read(facts)
    return actual === null ? UNKNOWN : list.has(actual) ? inside : outside
  }
}

function contains(read: Reader, part: string): Test {
  return (facts) => {
    const actual = read(facts)
    return actual === null ? UNKNOWN : String(actual).includes(part) ? TRUE : FALSE
  }
}

const LESS = 1
const SAME = 2
const MORE = 4

/** The orders that an operator accepts, as bits. */
const ORDERS: Readonly<Partial<Record<Operator, number>>> = {
  '==': SAME,
  '!=': LESS | MORE,
  '<': LESS,
  '<=': LESS | SAME,
  '>': MORE,
  '>=': MORE | SAME,
}

function acceptedOrder(operator: Operator): number {
  const accepted = ORDERS[operator]
  if (accepted === undefined) throw new RangeError(`Numbers are not compared by ${operator}.`)
  return accepted
}

function compareNumbers(actual: number, wanted: number, accepted: number): Truth {
  const order = actual < wanted ? LESS : actual > wanted ? MORE : SAME
  return (order & accepted) === 0 ? FALSE : TRUE
}

function requireDecimal(value: Comparison['value']): number {
  const number = typeof value === 'string' ? readDecimal(value) : null
  if (number === null) throw new RangeError(`Not a number: ${value}`)
  return number
}

function requireAmount(value: Comparison['value'], currency: string): number {
  const minor = typeof value === 'string' ? parseAmount(value, currency) : null
  if (minor === null) throw new RangeError(`Not an amount of ${currency}: ${value}`)
  return minor
}

/**
 * The currencies of the amounts in a condition: those of the nearest `currency == …` or `currency in (…)` in the same AND,
 * or in an AND around it, otherwise the project's default currency. Amounts are not converted: a comparison with a payment
 * in another currency is unknown. Example: `currency == EUR AND (amount > 100 OR …)` compares EUR.
 *
 * @param inherited the currencies outside of the condition
 * @returns the currencies for the parts of the condition
 */
export function currenciesWithin(condition: Condition, inherited: readonly string[]): readonly string[] {
  if (condition.kind !== 'and') return inherited
  return condition.conditions.map(namedCurrencies).find((named) => named !== null) ?? inherited
}

function namedCurrencies(condition: Condition): readonly string[] | null {
  if (condition.kind !== 'comparison') return null
  const { operand, operator, value } = condition
  if (operand.kind !== 'field' || operand.name !== 'currency') return null
  if (operator === '==' && typeof value === 'string') return [normalizeFor(operand, value)]
  return operator === 'in' && Array.isArray(value) ? value.map((one) => normalizeFor(operand, one)) : null
}

const ALWAYS: Test = () => TRUE

/** Compiles a condition into one function. Null, no condition, is always true. */
export function compileCondition(condition: Condition | null, context: RuleContext): Test {
  if (condition === null) return ALWAYS
  switch (condition.kind) {
    case 'comparison':
      return compileComparison(condition, context)
    case 'not':
      return negation(compileCondition(condition.condition, context))
    default: {
      const inner = { ...context, currencies: currenciesWithin(condition, context.currencies) }
      const tests = condition.conditions.map((part) => compileCondition(part, inner))
      return condition.kind === 'and' ? all(tests) : any(tests)
    }
  }
}

/** The AND of all parts; true without parts. It stops at the first false part. */
export function all(tests: readonly Test[]): Test {
  const [first = ALWAYS, second, ...more] = tests
  if (second === undefined) return first
  if (more.length === 0) {
    return (facts, transaction) => {
      const truth = first(facts, transaction)
      return truth === FALSE ? FALSE : lesser(truth, second(facts, transaction))
    }
  }
  return (facts, transaction) => {
    let truth: Truth = TRUE
    for (const test of tests) {
      truth = lesser(truth, test(facts, transaction))
      if (truth === FALSE) return FALSE
    }
    return truth
  }
}

function any(tests: readonly Test[]): Test {
  return (facts, transaction) => {
    let truth: Truth = FALSE
    for (const test of tests) {
      const next = test(facts, transaction)
      if (next === TRUE) return TRUE
      if (next > truth) truth = next
    }
    return truth
  }
}

function negation(test: Test): Test {
  return (facts, transaction) => negated(test(facts, transaction))
}

export function negated(truth: Truth): Truth {
  return (TRUE - truth) as Truth
}

function lesser(one: Truth, other: Truth): Truth {
  return one < other ? one : other
}
