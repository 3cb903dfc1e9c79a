import { currenciesWithin } from './amount-currencies.ts'
import { compileComparison, FALSE, type RuleContext, type Test, TRUE, type Truth } from './comparison.ts'
import type { Condition } from './condition.ts'

const ALWAYS: Test = () => TRUE

/** A condition as one function; null, which is no condition, is always true. */
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

/** True when all parts are true, false as soon as one is false. No parts are true. */
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
