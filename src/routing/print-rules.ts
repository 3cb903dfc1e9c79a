import { type Comparison, type Condition, nameOf, type Operand } from '../../domain/routing/condition.ts'
import { typeOf } from '../../domain/routing/fields.ts'
import { type Fallback, NO_FALLBACK, type RouteRule, type RuleDefinition } from '../../domain/routing/rule.ts'

/** A rule set as text, of which `parseRules` makes the same rules again. */
export function printRules(rules: readonly RuleDefinition[]): string {
  return rules.map(printRule).join('\n')
}

function printRule(rule: RuleDefinition): string {
  const lines = [
    ...(rule.enabled ? [] : ['enabled: false']),
    ...gatewayLines(rule),
    ...(rule.condition === null ? [] : [`condition: ${printCondition(rule.condition)}`]),
    ...(rule.tags.length === 0 ? [] : [`tags: ${rule.tags.map(printTag).join(', ')}`]),
    ...(rule.kind === 'route' ? fallbackLines(rule.fallback) : []),
    ...(rule.kind === 'dynamic_3ds' ? [block('dynamic_3ds_params', threeDsLines(rule.parameters))] : []),
    ...(rule.kind !== 'route' && rule.runForCardVerifications ? ['run_for_card_verifications: true'] : []),
  ]
  return `${rule.kind} {\n${lines.map((line) => `  ${line};\n`).join('')}}\n`
}

function block(name: string, lines: readonly string[]): string {
  return `${name}: {\n${lines.map((line) => `    ${line};\n`).join('')}  }`
}

function gatewayLines(rule: RuleDefinition): string[] {
  if (rule.kind === 'route') return [`gateways: ${printGateways(rule)}`]
  if (rule.kind !== 'dynamic_3ds' || rule.gatewayConfigurationIds.length === 0) return []
  return [`gateways: ${rule.gatewayConfigurationIds.join(', ')}`]
}

function printGateways({ gateways }: RouteRule): string {
  return gateways
    .map(({ gatewayConfigurationId, weight }) => gatewayConfigurationId + (weight === null ? '' : ` ${weight}`))
    .join(', ')
}

function fallbackLines({ enabled, errorCodes, maxAttempts }: Fallback): string[] {
  const isNone = !enabled && errorCodes.length === 0 && maxAttempts === NO_FALLBACK.maxAttempts
  if (isNone) return []
  const codes = errorCodes.length === 0 ? [] : [`error_codes: ${errorCodes.join(', ')}`]
  return [block('fallback', [`enabled: ${enabled}`, ...codes, `max_attempts: ${maxAttempts}`])]
}

function threeDsLines({
  scaExemptionReason,
  challengeIndicator,
}: {
  scaExemptionReason: string | null
  challengeIndicator: string | null
}): string[] {
  return [
    ...(scaExemptionReason === null ? [] : [`sca_exemption_reason: ${JSON.stringify(scaExemptionReason)}`]),
    ...(challengeIndicator === null ? [] : [`challenge_indicator: ${JSON.stringify(challengeIndicator)}`]),
  ]
}

/** What a tag may not contain without quotes: what ends it, what begins a comment, and blanks that would be lost. */
const NEEDS_QUOTES = /[,;{}"]|\/\*|^\s|\s$|\s\s|[^\S ]/

function printTag(tag: string): string {
  return NEEDS_QUOTES.test(tag) ? JSON.stringify(tag) : tag
}

/** A condition as text, with no more parentheses than it needs. */
export function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'comparison':
      return `${nameOf(condition.operand)} ${condition.operator} ${printValue(condition)}`
    case 'not':
      return `NOT ${isJunction(condition.condition) ? parenthesized(condition.condition) : printCondition(condition.condition)}`
    case 'and':
      return condition.conditions
        .map((part) => (isJunction(part) ? parenthesized(part) : printCondition(part)))
        .join(' AND ')
    case 'or':
      return condition.conditions
        .map((part) => (part.kind === 'or' ? parenthesized(part) : printCondition(part)))
        .join(' OR ')
  }
}

function isJunction({ kind }: Condition): boolean {
  return kind === 'and' || kind === 'or'
}

function parenthesized(condition: Condition): string {
  return `(${printCondition(condition)})`
}

function printValue({ operand, operator, value }: Comparison): string {
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'string') return `(${value.map((one) => JSON.stringify(one)).join(', ')})`
  return isNumber(operand, operator) ? value : JSON.stringify(value)
}

function isNumber(operand: Operand, operator: string): boolean {
  const type = typeOf(operand)
  return type === 'amount' || type === 'number' || operator.startsWith('<') || operator.startsWith('>')
}
