import type { ErrorCode } from '../errors.ts'
import type { Fallback, ThreeDsParameters } from './rule.ts'

/** A rule that took part in a decision. */
export interface AppliedRule {
  ruleId: string
  /** `rule-2-route`, for the second rule of the set. */
  name: string
  /** Its name, followed by the tags of the merchant. */
  tags: readonly string[]
}

export interface Blocked {
  kind: 'blocked'
  ruleSetId: string
  ruleSetVersion: number
  by: AppliedRule
}

export interface Routed {
  kind: 'routed'
  ruleSetId: string
  ruleSetVersion: number
  /** The first matching rule that demands customer authentication; null if none does. */
  triggersThreeDs: AppliedRule | null
  /** Null if no route rule matches: any gateway of the project may take the payment. */
  route: Route | null
  /** The matching rules for 3-D Secure; the chosen gateway decides which of them applies. */
  dynamicThreeDs: readonly DynamicThreeDs[]
}

export interface Route {
  by: AppliedRule
  gatewayConfigurationIds: readonly string[]
  fallback: Fallback
}

export interface DynamicThreeDs {
  by: AppliedRule
  /** Empty for all. */
  gatewayConfigurationIds: readonly string[]
  parameters: ThreeDsParameters
}

/** The decision of a rule set about a payment, as plain JSON. */
export type RoutingDecision = Blocked | Routed

/** The error codes of payments that are rejected locally. */
export type RejectionCode = Extract<ErrorCode, 'routing-rules.transaction-blocked'>

/** The error code if the decision rejects a payment locally, otherwise null. */
export function findRejectionCode(decision: RoutingDecision): RejectionCode | null {
  return decision.kind === 'blocked' ? 'routing-rules.transaction-blocked' : null
}

/** The 3-D Secure parameters for one gateway: those of the first rule that names it or all gateways. */
export function dynamicThreeDsAt(decision: Routed, gatewayConfigurationId: string): DynamicThreeDs | null {
  return (
    decision.dynamicThreeDs.find(
      ({ gatewayConfigurationIds }) =>
        gatewayConfigurationIds.length === 0 || gatewayConfigurationIds.includes(gatewayConfigurationId),
    ) ?? null
  )
}

/**
 * The `routing_tags` of a transaction: name and tags of each rule that took part, in the order of evaluation.
 *
 * @param gatewayConfigurationId the gateway that was tried last; null before the first
 */
export function routingTags(decision: RoutingDecision, gatewayConfigurationId: string | null): string[] {
  if (decision.kind === 'blocked') return [...decision.by.tags]
  const dynamic = gatewayConfigurationId === null ? null : dynamicThreeDsAt(decision, gatewayConfigurationId)
  return [...listTags(decision.triggersThreeDs), ...listTags(decision.route?.by), ...listTags(dynamic?.by)]
}

function listTags(rule: AppliedRule | null | undefined): readonly string[] {
  return rule?.tags ?? []
}
