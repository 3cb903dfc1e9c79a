import { type Comparison, type Condition, type Operand, printOperand } from '../../domain/routing/condition.ts'
import { operandType } from '../../domain/routing/fields.ts'
import { type Fallback, NO_FALLBACK, type RuleDefinition, type ThreeDsParameters } from '../../domain/routing/rule.ts'

/** A rule set as text, of which `parseRules` makes the same rules again. */
export function printRules(rules: readonly RuleDefinition[]): string {
  return rules.map(printRule).join('\n')
}

function printRule(rule: RuleDefinition): string {
  const { kind, enabled, condition, tags } = rule
  return `${kind} ${printBlock({
    enabled: enabled ? null : 'false',
    gateways: printGateways(rule),
    condition: condition === null ? null : printCondition(condition),
    tags: tags.length === 0 ? null : tags.map(printTag).join(', '),
    fallback: kind === 'route' ? printFallback(rule.fallback) : null,
    dynamic_3ds_params: kind === 'dynamic_3ds' ? printThreeDs(rule.parameters) : null,
    run_for_card_verifications: kind !== 'route' && rule.runForCardVerifications ? 'true' : null,
  })}\n`
}

/** Properties in braces; null leaves one out. */
function printBlock(properties: Readonly<Record<string, string | null>>, indent = ''): string {
  const given = Object.entries(properties).filter(([, value]) => value !== null)
  return `{\n${given.map(([name, value]) => `${indent}  ${name}: ${value};\n`).join('')}${indent}}`
}

function printGateways(rule: RuleDefinition): string | null {
  if (rule.kind === 'dynamic_3ds') return rule.gatewayConfigurationIds.join(', ') || null
  if (rule.kind !== 'route') return null
  return rule.gateways
    .map(({ gatewayConfigurationId: id, weight }) => (weight === null ? id : `${id} ${weight}`))
    .join(', ')
}

function printFallback({ enabled, errorCodes, maxAttempts }: Fallback): string | null {
  if (!enabled && errorCodes.length === 0 && maxAttempts === NO_FALLBACK.maxAttempts) return null
  const error_codes = errorCodes.join(', ') || null
  return printBlock({ enabled: String(enabled), error_codes, max_attempts: String(maxAttempts) }, '  ')
}

function printThreeDs({ scaExemptionReason, challengeIndicator }: ThreeDsParameters): string {
  const quoted = (word: string | null) => word && JSON.stringify(word)
  return printBlock(
    { sca_exemption_reason: quoted(scaExemptionReason), challenge_indicator: quoted(challengeIndicator) },
    '  ',
  )
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
      return `${printOperand(condition.operand)} ${condition.operator} ${printValue(condition)}`
    case 'not':
      return `NOT ${printPart(condition.condition, ['and', 'or'])}`
    case 'and':
      return condition.conditions.map((part) => printPart(part, ['and', 'or'])).join(' AND ')
    case 'or':
      return condition.conditions.map((part) => printPart(part, ['or'])).join(' OR ')
  }
}

/** @param grouped the kinds that need parentheses there. */
function printPart(part: Condition, grouped: readonly Condition['kind'][]): string {
  return grouped.includes(part.kind) ? `(${printCondition(part)})` : printCondition(part)
}

function printValue({ operand, operator, value }: Comparison): string {
  if (typeof value === 'boolean' || value === null) return String(value)
  if (typeof value !== 'string') return `(${value.map((one) => JSON.stringify(one)).join(', ')})`
  return isNumber(operand, operator) ? value : JSON.stringify(value)
}

function isNumber(operand: Operand, operator: string): boolean {
  const type = operandType(operand)
  return type === 'amount' || type === 'number' || operator.startsWith('<') || operator.startsWith('>')
}
