import { formatAmount } from '../../domain/money.ts'
import type { RejectedGateway } from '../../domain/routing/candidates.ts'
import { type AppliedRule, dynamicThreeDsAt, type RoutingDecision } from '../../domain/routing/decision.ts'
import type { ExplainedRule } from '../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../domain/routing/facts.ts'
import type { VelocityNeed } from '../../domain/routing/velocity.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { presentFallback, presentThreeDs } from './rule-set.ts'

/** A gateway that can take the payment. */
export interface ExplainedGateway {
  configuration: Pick<GatewayConfigurationRow, 'id' | 'gatewayName' | 'name'>
  incremental: boolean
  isSaleOnly: boolean
}

export interface RoutingExplanation {
  /** Null where there are no rules, or they are not stored. */
  ruleSet: { id: string; version: number } | null
  /** Null where there are no rules. */
  decision: RoutingDecision | null
  rules: readonly ExplainedRule[]
  facts: RoutingFacts
  velocities: readonly VelocityNeed[]
  /** Both are empty where the payment goes nowhere. */
  usable: readonly ExplainedGateway[]
  rejected: readonly RejectedGateway[]
  routingTags: readonly string[]
  /** With which the payment would fail; null where it goes to a gateway. */
  errorType: string | null
}

/** What becomes of a payment, and why. */
export function presentRoutingExplanation(explanation: RoutingExplanation) {
  const { ruleSet, decision, rules, facts, usable, rejected, routingTags, errorType } = explanation
  const routed = decision?.kind === 'routed' ? decision : null
  return {
    rule_set_id: ruleSet?.id ?? null,
    rule_set_version: ruleSet?.version ?? null,
    outcome: errorType === null ? 'routed' : 'not-sent',
    error_type: errorType,
    blocked_by: decision?.kind === 'blocked' ? decision.by.name : null,
    three_d_s_triggered_by: ruleName(routed?.triggersThreeDs),
    route:
      routed?.route == null
        ? null
        : {
            rule: routed.route.by.name,
            gateway_configuration_ids: routed.route.gatewayConfigurationIds,
            fallback: presentFallback(routed.route.fallback),
          },
    gateways: usable.map(({ configuration, incremental, isSaleOnly }) => {
      const dynamic = routed === null ? null : dynamicThreeDsAt(routed, configuration.id)
      return {
        gateway_configuration_id: configuration.id,
        gateway_name: configuration.gatewayName,
        name: configuration.name,
        incremental,
        sale_only: isSaleOnly,
        dynamic_3ds: dynamic === null ? null : { rule: dynamic.by.name, ...presentThreeDs(dynamic.parameters) },
      }
    }),
    rejected_gateways: rejected.map(({ gatewayConfigurationId, reason }) => ({
      gateway_configuration_id: gatewayConfigurationId,
      reason,
    })),
    routing_tags: routingTags,
    rules: rules.map(({ ruleId, ...rule }) => ({ id: ruleId, ...rule })),
    facts: presentFacts(facts),
    velocities: explanation.velocities.map(({ key, path, intervalSeconds }) => ({
      path,
      interval_seconds: intervalSeconds,
      count: facts.velocities.get(key) ?? null,
    })),
  }
}

function ruleName(rule: AppliedRule | null | undefined): string | null {
  return rule?.name ?? null
}

/** By the names that the fields have in rules. */
function presentFacts(facts: RoutingFacts) {
  return {
    amount: formatAmount(facts.amountMinor, facts.currency),
    currency: facts.currency,
    customer_country: facts.customerCountry,
    ip_country: facts.ipCountry,
    card_country: facts.cardCountry,
    card_scheme: facts.cardScheme,
    card_co_scheme: facts.cardCoScheme,
    card_type: facts.cardType,
    card_category: facts.cardCategory,
    card_iin: facts.cardIin,
    card_last4: facts.cardLast4,
    card_fingerprint: facts.cardFingerprint,
    channel: facts.channel,
    merchant_initiated: facts.merchantInitiated,
    payment_intent: facts.paymentIntent,
    incremental: facts.incremental,
    metadata: facts.metadata,
  }
}
