import { otherKindIn } from '../identifiers.ts'
import { parseAmount } from '../money.ts'
import { createSuggestions } from '../nearest-name.ts'
import { currenciesWithin, readDecimal } from './compile-condition.ts'
import { type Comparison, type Condition, type Operand, printOperand } from './condition.ts'
import { FALLBACK_CODES } from './fallback.ts'
import { allowedOperators, FIELDS, normalizeFor, operandType } from './fields.ts'
import {
  ATTEMPTS_MAX,
  COMPARISONS_MAX,
  CONDITION_DEPTH_MAX,
  GATEWAYS_MAX,
  LIST_LENGTH_MAX,
  PROBLEMS_TOLD_MAX,
  RULES_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
  VALUE_LENGTH_MAX,
  VELOCITIES_MAX,
  WEIGHT_MAX,
} from './limits.ts'
import {
  CHALLENGE_INDICATORS,
  type Fallback,
  type RouteRule,
  type RuleDefinition,
  SCA_EXEMPTION_REASONS,
  type ThreeDsParameters,
} from './rule.ts'
import { intervalSeconds, velocityNeed } from './velocity.ts'

/** A problem of a rule; the message has no full stop. */
export interface RuleProblem {
  /** The comparison, condition or rule with the problem: the same object as in the input. */
  at: object
  /** The property with the problem, by its name in the text form; null for the rule as a whole. */
  property: RuleProperty | null
  message: string
}

export type RuleProperty = 'tags' | 'gateways' | 'fallback' | 'dynamic_3ds_params'

export interface ProblemContext {
  /** The project's currency, for amounts without a currency. */
  defaultCurrency: string
  /** The gateway configurations that rules may name; absent: any. */
  gatewayConfigurationIds?: readonly string[]
}

/** The problems of a rule set, limited in number. A set without problems compiles. */
export function ruleSetProblems(rules: readonly RuleDefinition[], context: ProblemContext): RuleProblem[] {
  if (rules.length > RULES_MAX)
    return [{ at: rules, property: null, message: `a rule set has at most ${RULES_MAX} rules` }]
  const check = { ...context, suggest: createSuggestions() }
  const problems: RuleProblem[] = []
  for (const rule of rules) {
    for (const problem of ruleProblems(rule, check)) {
      problems.push(problem)
      // Answers report no more.
      if (problems.length === PROBLEMS_TOLD_MAX) return problems
    }
  }
  return problems.length > 0 ? problems : velocityProblems(rules)
}

/** The first count that is one too many, of rules that have no other problem. */
function velocityProblems(rules: readonly RuleDefinition[]): RuleProblem[] {
  const counted = new Set<string>()
  for (const { comparison } of rules.flatMap(({ condition }) => findComparisons(condition, []))) {
    if (comparison.operand.kind === 'velocity') counted.add(velocityNeed(comparison.operand).key)
    if (counted.size > VELOCITIES_MAX) {
      const message = `a rule set counts at most ${VELOCITIES_MAX} different velocities`
      return [{ at: comparison, property: null, message }]
    }
  }
  return []
}

interface Check extends ProblemContext {
  /** Suggests a known name for a wrong one, for the first few of a rule set. */
  suggest: ReturnType<typeof createSuggestions>
}

type Messages = Generator<string, void>

function* ruleProblems(rule: RuleDefinition, check: Check): Generator<RuleProblem, void> {
  for (const [property, messages] of propertyProblems(rule, check))
    for (const message of messages) yield { at: rule, property, message }
  if (rule.condition !== null) yield* conditionProblems(rule.condition, check)
}

function propertyProblems(rule: RuleDefinition, check: Check): [RuleProperty, Messages][] {
  const tags: [RuleProperty, Messages] = ['tags', tagProblems(rule.tags)]
  switch (rule.kind) {
    case 'route':
      return [tags, ['gateways', routeProblems(rule, check)], ['fallback', fallbackProblems(rule.fallback, check)]]
    case 'dynamic_3ds':
      return [
        tags,
        ['gateways', gatewayProblems(rule.gatewayConfigurationIds, check)],
        ['dynamic_3ds_params', parameterProblems(rule.parameters, check)],
      ]
    default:
      return [tags]
  }
}

function* tagProblems(tags: readonly string[]): Messages {
  if (tags.length > TAGS_MAX) return yield `a rule has at most ${TAGS_MAX} tags`
  for (const tag of tags)
    if (!isPlainText(tag, TAG_LENGTH_MAX) || tag === '')
      yield `a tag has 1 to ${TAG_LENGTH_MAX} characters and no control characters: ${JSON.stringify(tag)}`
}

const GATEWAY_ID = /^gway_conf_[A-Za-z0-9_-]{1,64}$/

function* gatewayProblems(ids: readonly string[], { gatewayConfigurationIds: known, suggest }: Check): Messages {
  if (ids.length > GATEWAYS_MAX) return yield `a rule names at most ${GATEWAYS_MAX} gateways`
  for (const id of ids)
    if (!GATEWAY_ID.test(id))
      yield `${JSON.stringify(id)} ${otherKindIn(id, 'gatewayConfiguration') ?? 'is not the id of a gateway configuration'}`
    else if (known?.includes(id) === false)
      yield `${id} is no gateway configuration of this project and environment${suggestion(suggest(id, known))}`
  if (new Set(ids).size < ids.length) yield 'a gateway is named twice'
}

function suggestion(nearest: string | undefined): string {
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

function* routeProblems({ gateways, strategy }: RouteRule, check: Check): Messages {
  const weights = gateways.map(({ weight }) => weight)
  if (gateways.length === 0) yield 'a route names at least one gateway'
  yield* gatewayProblems(
    gateways.map(({ gatewayConfigurationId }) => gatewayConfigurationId),
    check,
  )
  if (strategy !== 'split') {
    if (weights.some((weight) => weight !== null)) yield 'weights go with the strategy split'
  } else if (!weights.every((weight) => isWhole(weight, 0, WEIGHT_MAX)))
    yield `a weight is a whole number from 0 to ${WEIGHT_MAX}`
  else if (weights.every((weight) => weight === 0)) yield 'one weight at least is above 0'
}

function isWhole(value: number | null, least: number, most: number): boolean {
  return value !== null && Number.isInteger(value) && least <= value && value <= most
}

function* fallbackProblems({ errorCodes, maxAttempts }: Fallback, { suggest }: Check): Messages {
  if (!isWhole(maxAttempts, 1, ATTEMPTS_MAX)) yield `max_attempts is 1 to ${ATTEMPTS_MAX}`
  for (const code of errorCodes)
    if (!FALLBACK_CODES.includes(code))
      yield `${JSON.stringify(code)} is no error that may lead to another gateway${suggestion(suggest(code, FALLBACK_CODES))}`
}

function* parameterProblems(parameters: ThreeDsParameters, { suggest }: Check): Messages {
  const words = [
    ['sca_exemption_reason', parameters.scaExemptionReason, SCA_EXEMPTION_REASONS],
    ['challenge_indicator', parameters.challengeIndicator, CHALLENGE_INDICATORS],
  ] as const
  if (words.every(([, word]) => word === null))
    yield 'dynamic_3ds_params names sca_exemption_reason, challenge_indicator or both'
  for (const [name, word, known] of words)
    if (word !== null && !(known as readonly string[]).includes(word))
      yield `${name} is one of ${known.join(', ')}${suggestion(suggest(word, known))}`
}

/** The problems of a condition. The parts of a condition that is nested too deeply are not checked. */
function* conditionProblems(condition: Condition, { defaultCurrency }: Check): Generator<RuleProblem, void> {
  const problem = (at: Condition, message: string) => ({ at, property: null, message })
  if (isDeeper(condition, CONDITION_DEPTH_MAX))
    return yield problem(condition, `a condition is nested at most ${CONDITION_DEPTH_MAX} deep`)
  const comparisons = findComparisons(condition, [defaultCurrency])
  if (comparisons.length > COMPARISONS_MAX)
    return yield problem(condition, `a condition has at most ${COMPARISONS_MAX} comparisons`)
  for (const { comparison, currencies } of comparisons)
    for (const message of comparisonProblems(comparison, currencies)) yield problem(comparison, message)
}

function isDeeper(condition: Condition, most: number): boolean {
  if (most === 0) return true
  if (condition.kind === 'comparison') return false
  const parts = condition.kind === 'not' ? [condition.condition] : condition.conditions
  return parts.some((part) => isDeeper(part, most - 1))
}

interface PlacedComparison {
  comparison: Comparison
  /** Of its amount. */
  currencies: readonly string[]
}

function findComparisons(condition: Condition | null, currencies: readonly string[]): PlacedComparison[] {
  if (condition === null) return []
  if (condition.kind === 'comparison') return [{ comparison: condition, currencies }]
  if (condition.kind === 'not') return findComparisons(condition.condition, currencies)
  const inner = currenciesWithin(condition, currencies)
  return condition.conditions.flatMap((part) => findComparisons(part, inner))
}

function* comparisonProblems(comparison: Comparison, currencies: readonly string[]): Messages {
  const { operand, operator, value } = comparison
  const allowed = allowedOperators(operand)
  if (!allowed.includes(operator))
    return yield `${printOperand(operand)} is compared by ${allowed.join(', ')}, not by ${operator}`
  if (operand.kind === 'velocity' && intervalSeconds(operand.interval) === null)
    yield 'an interval is written like 30s, 15m, 1h or 7d, and is 30 days at most'
  if (operand.kind === 'metadata' && (!isPlainText(operand.key, VALUE_LENGTH_MAX) || operand.key === ''))
    yield `a key of metadata has 1 to ${VALUE_LENGTH_MAX} characters and no control characters`
  if (operator !== 'in' && operator !== 'not-in') {
    const problem = valueProblem(comparison, currencies)
    if (problem !== null) yield problem
  } else if (!Array.isArray(value)) yield `${operator} takes a list, such as (a, b)`
  else if (value.length === 0 || value.length > LIST_LENGTH_MAX) yield `a list has 1 to ${LIST_LENGTH_MAX} values`
  else
    for (const one of value) {
      const problem = textProblem(operand, operator, one)
      if (problem !== null) yield problem
    }
}

function valueProblem({ operand, operator, value }: Comparison, currencies: readonly string[]): string | null {
  const name = printOperand(operand)
  const type = operandType(operand)
  const isEquality = operator === '==' || operator === '!='
  if (value === null) {
    const mayBeMissing = (type === 'text' || type === 'metadata') && isEquality
    return mayBeMissing ? null : `${name} ${operator} cannot be compared with null`
  }
  if (type === 'flag') return typeof value === 'boolean' ? null : `${name} is compared with true or false`
  if (typeof value !== 'string') return `${name} is not compared with ${JSON.stringify(value)}`
  if (type === 'amount') {
    const misfit = currencies.find((currency) => parseAmount(value, currency) === null)
    return misfit === undefined ? null : `${JSON.stringify(value)} is not an amount of ${misfit}, such as 30 or 29.99`
  }
  if (type !== 'number' && (isEquality || operator === 'contains')) return textProblem(operand, operator, value)
  return readDecimal(value) === null ? `${name} ${operator} takes a number, such as 10 or 0.5` : null
}

function textProblem(operand: Operand, operator: string, value: unknown): string | null {
  if (typeof value !== 'string' || !isPlainText(value, VALUE_LENGTH_MAX))
    return `a value has at most ${VALUE_LENGTH_MAX} characters and no control characters`
  const field = operand.kind === 'field' ? FIELDS[operand.name] : null
  if (field?.type !== 'text' || field.accepts === undefined || operator === 'contains') return null
  if (field.accepts.test(normalizeFor(operand, value))) return null
  return `${printOperand(operand)} is ${field.accepts.description}, not ${JSON.stringify(value)}`
}

/** False for control characters, which are invisible or cannot be stored, and for unpaired surrogates. */
function isPlainText(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text)
}
