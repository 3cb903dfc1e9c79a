import type { Rule } from '../../domain/routing/rule.ts'
import type { RuleSetRow } from '../persistence/entities/rule-set.ts'
import { presentTimestamp } from './values.ts'

/** A version of the routing rules as it stands in a list: without its rules, which may be hundreds. */
export function presentListedRuleSet(row: RuleSetRow, activatedAt: Date | null) {
  return {
    id: row.id,
    project_id: row.projectId,
    version: row.version,
    active: activatedAt !== null,
    activated_at: presentTimestamp(activatedAt),
    default_currency: row.defaultCurrency,
    created_by: row.createdBy,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}

/**
 * A version of the routing rules, as it was written and as it was read.
 *
 * @param printCondition a condition in the text form
 */
export function presentRuleSet(row: RuleSetRow, activatedAt: Date | null, printCondition: ConditionPrinter) {
  return {
    ...presentListedRuleSet(row, activatedAt),
    text: row.text,
    rules: row.rules.map((rule) => presentRule(rule, printCondition)),
  }
}

export type ConditionPrinter = (condition: NonNullable<Rule['condition']>) => string

/** A rule, so that what is told can be sent back as it is. */
function presentRule(rule: Rule, printCondition: ConditionPrinter) {
  const { id, position, kind, enabled, condition, tags } = rule
  return {
    id,
    position,
    kind,
    enabled,
    condition,
    condition_text: condition === null ? null : printCondition(condition),
    tags,
    ...presentProperties(rule),
  }
}

function presentProperties(rule: Rule) {
  switch (rule.kind) {
    case 'route':
      return {
        gateways: rule.gateways.map(({ gatewayConfigurationId, weight }) => ({
          gateway_configuration_id: gatewayConfigurationId,
          weight,
        })),
        strategy: rule.strategy,
        fallback: presentFallback(rule.fallback),
      }
    case 'dynamic_3ds':
      return {
        gateways: rule.gatewayConfigurationIds.map((id) => ({ gateway_configuration_id: id, weight: null })),
        dynamic_3ds_params: presentThreeDs(rule.parameters),
        run_for_card_verifications: rule.runForCardVerifications,
      }
    default:
      return { run_for_card_verifications: rule.runForCardVerifications }
  }
}

export function presentFallback({ enabled, errorCodes, maxAttempts }: Extract<Rule, { kind: 'route' }>['fallback']) {
  return { enabled, error_codes: errorCodes, max_attempts: maxAttempts }
}

export function presentThreeDs({
  scaExemptionReason,
  challengeIndicator,
}: Extract<Rule, { kind: 'dynamic_3ds' }>['parameters']) {
  return { sca_exemption_reason: scaExemptionReason, challenge_indicator: challengeIndicator }
}
