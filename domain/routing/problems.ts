import { parseAmount } from '../money.ts'
import { createSuggestions } from '../nearest-name.ts'
import { currenciesWithin, readDecimal } from './compile-condition.ts'
import { type Comparison, type Condition, nameOf, OPERATORS, type Operand } from './condition.ts'
import { FALLBACK_CODES } from './fallback.ts'
import { FIELDS, normalizeFor, operatorsOf, typeOf } from './fields.ts'
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
import { intervalSeconds, needOf } from './velocity.ts'

/** A problem of a rule; the message has no full stop. */
export interface RuleProblem {
  /** The comparison, condition or rule with the problem: the same object as in the input. */
  at: object
  /** The property with the problem, by its name in the text form; null for the rule as a whole. */
  property: RuleProperty | null
  message: string
}

export type RuleProperty = 'tags' | 'gateways' | 'fallback' | 'dynamic_3ds_params'

/** Suggests a known name for a wrong one, for the first few of a rule set. */
type Suggest = ReturnType<typeof createSuggestions>

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
  const suggest = createSuggestions()
  const problems: RuleProblem[] = []
  for (const rule of rules) {
    problems.push(...ruleProblems(rule, context, suggest))
    // Answers report no more.
    if (problems.length >= PROBLEMS_TOLD_MAX) break
  }
  return problems.length > 0 ? problems : velocityProblems(rules)
}

/** The first count that is one too many, of rules that have no other problem. */
function velocityProblems(rules: readonly RuleDefinition[]): RuleProblem[] {
  const counted = new Set<string>()
  for (const { condition } of rules) {
    for (const { comparison } of condition === null ? [] : comparisonsIn(condition, [])) {
      if (comparison.operand.kind !== 'velocity') continue
      counted.add(needOf(comparison.operand).key)
      if (counted.size > VELOCITIES_MAX) {
        const message = `a rule set counts at most ${VELOCITIES_MAX} different velocities`
        return [{ at: comparison, property: null, message }]
      }
    }
  }
  return []
}

function ruleProblems(rule: RuleDefinition, context: ProblemContext, suggest: Suggest): RuleProblem[] {
  const of = (property: RuleProperty, messages: readonly string[]) =>
    messages.map((message) => ({ at: rule, property, message }))
  return [
    ...of('tags', tagProblems(rule.tags)),
    ...(rule.kind === 'route'
      ? [
          ...of('gateways', routeProblems(rule, context, suggest)),
          ...of('fallback', fallbackProblems(rule.fallback, suggest)),
        ]
      : []),
    ...(rule.kind === 'dynamic_3ds'
      ? [
          ...of('gateways', gatewayProblems(rule.gatewayConfigurationIds, context, suggest)),
          ...of('dynamic_3ds_params', parameterProblems(rule.parameters, suggest)),
        ]
      : []),
    ...(rule.condition === null ? [] : conditionProblems(rule.condition, context)),
  ]
}

function tagProblems(tags: readonly string[]): string[] {
  if (tags.length > TAGS_MAX) return [`a rule has at most ${TAGS_MAX} tags`]
  return [
    ...tags
      .filter((tag) => !isPlainText(tag, TAG_LENGTH_MAX) || tag === '')
      .map((tag) => `a tag has 1 to ${TAG_LENGTH_MAX} characters and no control characters: ${JSON.stringify(tag)}`),
  ]
}

function gatewayProblems(
  ids: readonly string[],
  { gatewayConfigurationIds: known }: ProblemContext,
  suggest: Suggest,
): string[] {
  if (ids.length > GATEWAYS_MAX) return [`a rule names at most ${GATEWAYS_MAX} gateways`]
  const wellWritten = ids.filter((id) => GATEWAY_ID.test(id))
  return [
    ...ids
      .filter((id) => !GATEWAY_ID.test(id))
      .map((id) => `${JSON.stringify(id)} is not the id of a gateway configuration`),
    ...wellWritten
      .filter((id) => known !== undefined && !known.includes(id))
      .map(
        (id) =>
          `${id} is no gateway configuration of this project and environment${nearestOf(suggest, id, known ?? [])}`,
      ),
    ...(new Set(ids).size < ids.length ? ['a gateway is named twice'] : []),
  ]
}

function nearestOf(suggest: Suggest, name: string, known: readonly string[]): string {
  const nearest = suggest(name, known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}

const GATEWAY_ID = /^gway_conf_[A-Za-z0-9_-]{1,64}$/

function routeProblems({ gateways, strategy }: RouteRule, context: ProblemContext, suggest: Suggest): string[] {
  const weights = gateways.map(({ weight }) => weight)
  const isShared = strategy === 'split'
  const areWeights = weights.every(
    (weight) => Number.isInteger(weight) && 0 <= Number(weight) && Number(weight) <= WEIGHT_MAX,
  )
  return [
    ...(gateways.length === 0 ? ['a route names at least one gateway'] : []),
    ...gatewayProblems(
      gateways.map(({ gatewayConfigurationId }) => gatewayConfigurationId),
      context,
      suggest,
    ),
    ...(isShared && !areWeights ? [`a weight is a whole number from 0 to ${WEIGHT_MAX}`] : []),
    ...(isShared && areWeights && !weights.some((weight) => weight !== 0) ? ['one weight at least is above 0'] : []),
    ...(!isShared && weights.some((weight) => weight !== null) ? ['weights go with the strategy split'] : []),
  ]
}

function fallbackProblems({ errorCodes, maxAttempts }: Fallback, suggest: Suggest): string[] {
  const isPossible = Number.isInteger(maxAttempts) && 1 <= maxAttempts && maxAttempts <= ATTEMPTS_MAX
  return [
    ...(isPossible ? [] : [`max_attempts is 1 to ${ATTEMPTS_MAX}`]),
    ...errorCodes.filter((code) => !FALLBACK_CODES.includes(code)).map((code) => fallbackCodeProblem(code, suggest)),
  ]
}

function fallbackCodeProblem(code: string, suggest: Suggest): string {
  return `${JSON.stringify(code)} is no error that may lead to another gateway${nearestOf(suggest, code, FALLBACK_CODES)}`
}

function parameterProblems({ scaExemptionReason, challengeIndicator }: ThreeDsParameters, suggest: Suggest): string[] {
  if (scaExemptionReason === null && challengeIndicator === null)
    return ['dynamic_3ds_params names sca_exemption_reason, challenge_indicator or both']
  return [
    ...wordProblems('sca_exemption_reason', scaExemptionReason, SCA_EXEMPTION_REASONS, suggest),
    ...wordProblems('challenge_indicator', challengeIndicator, CHALLENGE_INDICATORS, suggest),
  ]
}

function wordProblems(name: string, word: string | null, known: readonly string[], suggest: Suggest): string[] {
  if (word === null || known.includes(word)) return []
  return [`${name} is one of ${known.join(', ')}${nearestOf(suggest, word, known)}`]
}

/** The problems of a condition. The parts of a condition that is nested too deeply are not checked. */
function conditionProblems(condition: Condition, { defaultCurrency }: ProblemContext): RuleProblem[] {
  if (depthOf(condition, CONDITION_DEPTH_MAX) > CONDITION_DEPTH_MAX)
    return [{ at: condition, property: null, message: `a condition is nested at most ${CONDITION_DEPTH_MAX} deep` }]
  const comparisons = comparisonsIn(condition, [defaultCurrency])
  if (comparisons.length > COMPARISONS_MAX)
    return [{ at: condition, property: null, message: `a condition has at most ${COMPARISONS_MAX} comparisons` }]
  return comparisons.flatMap(({ comparison, currencies }) =>
    comparisonProblems(comparison, currencies).map((message) => ({ at: comparison, property: null, message })),
  )
}

/** The nesting depth of a condition, at most `most + 1`. */
function depthOf(condition: Condition, most: number): number {
  if (condition.kind === 'comparison' || most === 0) return 1
  const parts = condition.kind === 'not' ? [condition.condition] : condition.conditions
  return 1 + Math.max(0, ...parts.map((part) => depthOf(part, most - 1)))
}

interface PlacedComparison {
  comparison: Comparison
  currencies: readonly string[]
}

function comparisonsIn(condition: Condition, currencies: readonly string[]): PlacedComparison[] {
  if (condition.kind === 'comparison') return [{ comparison: condition, currencies }]
  if (condition.kind === 'not') return comparisonsIn(condition.condition, currencies)
  const inner = currenciesWithin(condition, currencies)
  return condition.conditions.flatMap((part) => comparisonsIn(part, inner))
}

function comparisonProblems({ operand, operator, value }: Comparison, currencies: readonly string[]): string[] {
  const allowed = operatorsOf(operand)
  if (!OPERATORS.includes(operator) || !allowed.includes(operator))
    return [`${nameOf(operand)} is compared by ${allowed.join(', ')}, not by ${operator}`]
  return [...operandProblems(operand), ...valueProblems({ kind: 'comparison', operand, operator, value }, currencies)]
}

function operandProblems(operand: Operand): string[] {
  if (operand.kind === 'velocity' && intervalSeconds(operand.interval) === null)
    return ['an interval is written like 30s, 15m, 1h or 7d, and is 30 days at most']
  if (operand.kind === 'metadata' && !(isPlainText(operand.key, VALUE_LENGTH_MAX) && operand.key !== ''))
    return [`a key of metadata has 1 to ${VALUE_LENGTH_MAX} characters and no control characters`]
  return []
}

function valueProblems({ operand, operator, value }: Comparison, currencies: readonly string[]): string[] {
  const name = nameOf(operand)
  const type = typeOf(operand)
  if (operator === 'in' || operator === 'not-in') {
    if (!Array.isArray(value)) return [`${operator} takes a list, such as (a, b)`]
    if (value.length === 0 || value.length > LIST_LENGTH_MAX) return [`a list has 1 to ${LIST_LENGTH_MAX} values`]
    const problems: string[] = []
    for (const one of value) {
      if (problems.length >= PROBLEMS_TOLD_MAX) break
      problems.push(...textProblems(operand, operator, one))
    }
    return problems
  }
  if (value === null) {
    const mayBeMissing = (type === 'text' || type === 'metadata') && (operator === '==' || operator === '!=')
    return mayBeMissing ? [] : [`${name} ${operator} cannot be compared with null`]
  }
  if (type === 'flag') return typeof value === 'boolean' ? [] : [`${name} is compared with true or false`]
  if (typeof value !== 'string') return [`${name} is not compared with ${JSON.stringify(value)}`]
  if (type === 'amount') {
    const misfit = currencies.find((currency) => parseAmount(value, currency) === null)
    return misfit === undefined ? [] : [`${JSON.stringify(value)} is not an amount of ${misfit}, such as 30 or 29.99`]
  }
  const isNumber = type === 'number' || !(operator === '==' || operator === '!=' || operator === 'contains')
  if (isNumber) return readDecimal(value) === null ? [`${name} ${operator} takes a number, such as 10 or 0.5`] : []
  return textProblems(operand, operator, value)
}

function textProblems(operand: Operand, operator: string, value: unknown): string[] {
  if (typeof value !== 'string' || !isPlainText(value, VALUE_LENGTH_MAX))
    return [`a value has at most ${VALUE_LENGTH_MAX} characters and no control characters`]
  const field = operand.kind === 'field' ? FIELDS[operand.name] : null
  if (field?.type !== 'text' || field.accepts === undefined || operator === 'contains') return []
  if (field.accepts.test(normalizeFor(operand, value))) return []
  return [`${nameOf(operand)} is ${field.accepts.description}, not ${JSON.stringify(value)}`]
}

/** False for control characters, which are invisible or cannot be stored, and for unpaired surrogates. */
function isPlainText(text: string, lengthMax: number): boolean {
  return text.length <= lengthMax && text.isWellFormed() && !/\p{Cc}/u.test(text)
}
