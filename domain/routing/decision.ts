import type { ErrorCode } from '../errors.ts'
import { type Initiation, isMerchantInitiated } from '../initiation.ts'
import type { Fallback, ThreeDsParameters } from './rule.ts'

/** A rule that had a part in a decision. */
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
  /** The first rule that has the customer authenticate; null where none does. */
  triggersThreeDs: AppliedRule | null
  /** Null where no rule says where the payment goes: any gateway of the project may take it. */
  route: Route | null
  /** What matched of the rules for 3-D Secure; the gateway decides which of them applies. */
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

/** What a rule set says about a payment. Plain JSON. */
export type RoutingDecision = Blocked | Routed

/** What a payment is declined with that no gateway is to hear of. */
export type RejectionCode = Extract<ErrorCode, 'routing-rules.transaction-blocked' | 'card.needs-authentication'>

/**
 * Whether the decision keeps a payment from every gateway; null where it does not. Nothing here makes an authentication yet,
 * so who is sent to one gets no further; nobody is there to make one where a merchant initiates the payment.
 */
export function rejectionCodeOf(decision: RoutingDecision, initiation: Initiation): RejectionCode | null {
  if (decision.kind === 'blocked') return 'routing-rules.transaction-blocked'
  return decision.triggersThreeDs !== null && !isMerchantInitiated(initiation) ? 'card.needs-authentication' : null
}

/** The parameters of 3-D Secure at one gateway: those of the first rule that is for it. */
export function dynamicThreeDsAt(decision: Routed, gatewayConfigurationId: string): DynamicThreeDs | null {
  return (
    decision.dynamicThreeDs.find(
      ({ gatewayConfigurationIds }) =>
        gatewayConfigurationIds.length === 0 || gatewayConfigurationIds.includes(gatewayConfigurationId),
    ) ?? null
  )
}

/**
 * The `routing_tags` of a transaction: each rule that had a part in it by its name and its tags, in the order of evaluation.
 *
 * @param gatewayConfigurationId the gateway that was tried last; null before one is
 */
export function routingTags(decision: RoutingDecision, gatewayConfigurationId: string | null): string[] {
  if (decision.kind === 'blocked') return [...decision.by.tags]
  const dynamic = gatewayConfigurationId === null ? null : dynamicThreeDsAt(decision, gatewayConfigurationId)
  return [...tagsOf(decision.triggersThreeDs), ...tagsOf(decision.route?.by), ...tagsOf(dynamic?.by)]
}

function tagsOf(rule: AppliedRule | null | undefined): readonly string[] {
  return rule?.tags ?? []
}
