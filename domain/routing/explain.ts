import { formatAmount } from '../money.ts'
import { appliedRule, type CompileOptions, compile, inOrder, looksAtVerifications } from './compile.ts'
import {
  compileComparison,
  currenciesWithin,
  FALSE,
  negated,
  type RuleContext,
  TRUE,
  type Truth,
  UNKNOWN,
} from './compile-condition.ts'
import { type Comparison, type Condition, type Operand, type Operator, printOperand } from './condition.ts'
import type { RoutingDecision } from './decision.ts'
import type { RoutingFacts } from './facts.ts'
import { operandReader } from './fields.ts'
import { fraction, hashText, ruleSeed } from './random.ts'
import type { Rule, RuleKind, RuleSet } from './rule.ts'
import { velocityNeed } from './velocity.ts'

/** True, false, or null if it depends on a missing value. */
export type Result = boolean | null

export interface ExplainedComparison {
  kind: 'comparison'
  /** In the text form, such as `card_country` or `metadata.plan`. */
  operand: string
  /** The payment's value; null if missing. An amount has its currency, such as `29.00 EUR`. */
  actual: string | number | boolean | null
  operator: Operator
  expected: Comparison['value']
  currencies?: readonly string[]
  result: Result
}

export type ExplainedCondition =
  | ExplainedComparison
  | { kind: 'and' | 'or'; conditions: ExplainedCondition[]; result: Result }
  | { kind: 'not'; condition: ExplainedCondition; result: Result }

/** The part of a rule in the decision, or why it had none. */
export const STANDINGS = [
  /** It took part in the decision. */
  'applied',
  'not-matched',
  /** An earlier rule had decided already. */
  'came-too-late',
  'switched-off',
  'not-for-card-verifications',
] as const
export type Standing = (typeof STANDINGS)[number]

export interface ExplainedRule {
  ruleId: string
  position: number
  kind: RuleKind
  name: string
  tags: readonly string[]
  standing: Standing
  /** Whether the condition is true, even if the rule was not applied. */
  matches: boolean
  /** Null if the rule has no condition and so matches every payment. */
  condition: ExplainedCondition | null
}

export interface Explanation {
  decision: RoutingDecision
  rules: ExplainedRule[]
}

/**
 * Explains for every rule whether it matches a payment and why. It is slower than a decision by orders of magnitude.
 *
 * @throws RangeError for a rule set in which `ruleSetProblems` finds a problem
 */
export function explain(ruleSet: RuleSet, facts: RoutingFacts, options: CompileOptions): Explanation {
  const decision = compile(ruleSet, options).decide(facts)
  const applied = appliedRuleIds(decision)
  return { decision, rules: inOrder(ruleSet.rules).map((rule) => explainRule(rule, facts, applied, options)) }
}

function appliedRuleIds(decision: RoutingDecision): ReadonlySet<string> {
  if (decision.kind === 'blocked') return new Set([decision.by.ruleId])
  const rules = [decision.triggersThreeDs, decision.route?.by, ...decision.dynamicThreeDs.map(({ by }) => by)]
  return new Set(rules.flatMap((rule) => (rule ? [rule.ruleId] : [])))
}

function explainRule(
  rule: Rule,
  facts: RoutingFacts,
  applied: ReadonlySet<string>,
  { defaultCurrency }: CompileOptions,
): ExplainedRule {
  const context: RuleContext = { randSeed: ruleSeed(rule.id, 'rand'), currencies: [defaultCurrency] }
  const condition = rule.condition === null ? null : explainCondition(rule.condition, facts, context)
  const matches = condition === null || condition.result === true
  const { name, tags } = appliedRule(rule)
  const standing = applied.has(rule.id) ? 'applied' : explainStanding(rule, facts, matches)
  return { ruleId: rule.id, position: rule.position, kind: rule.kind, name, tags, standing, matches, condition }
}

function explainStanding(rule: Rule, facts: RoutingFacts, matches: boolean): Standing {
  if (!rule.enabled) return 'switched-off'
  if (facts.isCardVerification && !looksAtVerifications(rule)) return 'not-for-card-verifications'
  return matches ? 'came-too-late' : 'not-matched'
}

function explainCondition(condition: Condition, facts: RoutingFacts, context: RuleContext): ExplainedCondition {
  switch (condition.kind) {
    case 'comparison':
      return explainComparison(condition, facts, context)
    case 'not': {
      const inner = explainCondition(condition.condition, facts, context)
      return { kind: 'not', condition: inner, result: toResult(negated(toTruth(inner.result))) }
    }
    default: {
      const within = { ...context, currencies: currenciesWithin(condition, context.currencies) }
      const conditions = condition.conditions.map((part) => explainCondition(part, facts, within))
      const truths = conditions.map(({ result }) => toTruth(result))
      const truth = condition.kind === 'and' ? Math.min(...truths) : Math.max(...truths)
      return { kind: condition.kind, conditions, result: toResult(truth as Truth) }
    }
  }
}

function explainComparison(comparison: Comparison, facts: RoutingFacts, context: RuleContext): ExplainedComparison {
  const { operand, operator, value } = comparison
  const transaction = hashText(facts.transactionId)
  return {
    kind: 'comparison',
    operand: printOperand(operand),
    actual: readActual(operand, facts, fraction(transaction, context.randSeed)),
    operator,
    expected: value,
    ...(isAmount(operand) ? { currencies: context.currencies } : {}),
    result: toResult(compileComparison(comparison, context)(facts, transaction)),
  }
}

/** Ten digits distinguish all draws. Sixteen could be mistaken for a card number. */
const RAND_SHOWN = 1e10

function readActual(operand: Operand, facts: RoutingFacts, rand: number): ExplainedComparison['actual'] {
  if (operand.kind === 'rand') return Math.round(rand * RAND_SHOWN) / RAND_SHOWN
  if (operand.kind === 'velocity') return facts.velocities.get(velocityNeed(operand).key) ?? null
  if (isAmount(operand)) return `${formatAmount(facts.amountMinor, facts.currency)} ${facts.currency}`
  return operandReader(operand)?.(facts) ?? null
}

function isAmount(operand: Operand): boolean {
  return operand.kind === 'field' && operand.name === 'amount'
}

function toResult(truth: Truth): Result {
  return truth === UNKNOWN ? null : truth === TRUE
}

function toTruth(result: Result): Truth {
  return result === null ? UNKNOWN : result ? TRUE : FALSE
}
