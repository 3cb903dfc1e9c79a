import type { WantedAuthentication } from '../authentication.ts'
import type { Condition } from './condition.ts'

/** In the order of evaluation. 3-D Secure parameters come last, since they depend on the chosen gateway. */
export const RULE_KINDS = ['block', 'trigger_3ds', 'route', 'dynamic_3ds'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

interface RuleBase {
  /** A disabled rule keeps its position and number. */
  enabled: boolean
  /** Null matches every payment. */
  condition: Condition | null
  /** Labels that the transaction shows in its `routing_tags`. */
  tags: readonly string[]
}

interface RuleOfPayments extends RuleBase {
  /** Whether it also applies to card verifications, which move no money. */
  runForCardVerifications: boolean
}

export interface BlockRule extends RuleOfPayments {
  kind: 'block'
}

export interface TriggerThreeDsRule extends RuleOfPayments {
  kind: 'trigger_3ds'
}

/** A gateway of a route. A `split` distributes payments in proportion to the weights; with `priority` they are null. */
export interface WeightedGateway {
  gatewayConfigurationId: string
  /** An integer. The weights of a rule may have any sum. A gateway with weight 0 is tried after all others. */
  weight: number | null
}

export const STRATEGIES = ['priority', 'split'] as const
/** `priority` tries the gateways in the listed order, `split` distributes payments by weight. */
export type Strategy = (typeof STRATEGIES)[number]

/** Whether the next gateway is tried after a certain and soft failure. */
export interface Fallback {
  enabled: boolean
  /** The error codes that allow a fallback; empty for all that another gateway may not repeat. */
  errorCodes: readonly string[]
  /** Attempts of one payment in all, the first included. */
  maxAttempts: number
}

/** The gateways to which a payment may fall back, kept with its attempt. Routing is not decided again during a payment. */
export interface RemainingRoute {
  /** The gateway configurations that were not tried yet, in the order of trying. */
  gatewayConfigurationIds: string[]
  fallback: Fallback
  /** The authentication that is wanted at each of them; absent without a wish. */
  authentication?: Readonly<Record<string, WantedAuthentication>>
}

/** Chooses the gateways. It also applies to card verifications, which need a gateway too. */
export interface RouteRule extends RuleBase {
  kind: 'route'
  gateways: readonly WeightedGateway[]
  strategy: Strategy
  fallback: Fallback
}

/** The values of `dynamic_3ds_params`. Source: the invoice fields of the same names. */
export const SCA_EXEMPTION_REASONS = ['low-value', 'trusted-beneficiary', 'transaction-risk-analysis'] as const

export const CHALLENGE_INDICATORS = [
  'no-preference',
  'no-challenge-requested',
  'challenge-requested',
  'challenge-requested-mandate',
  'no-challenge-requested-tra-performed',
  'no-challenge-requested-data-share-only',
  'no-challenge-requested-sca-performed',
  'no-challenge-requested-whitelist-exemption',
  'challenge-requested-whitelist-prompt',
  'cb-scoring',
] as const

/** Parameters of the authentication; null takes those of the invoice. */
export interface ThreeDsParameters {
  scaExemptionReason: string | null
  challengeIndicator: string | null
}

/** Sets parameters of 3-D Secure once the gateway is known. */
export interface DynamicThreeDsRule extends RuleOfPayments {
  kind: 'dynamic_3ds'
  /** The gateways to which it applies; empty for all. */
  gatewayConfigurationIds: readonly string[]
  parameters: ThreeDsParameters
}

export type RuleDefinition = BlockRule | TriggerThreeDsRule | RouteRule | DynamicThreeDsRule

/** A stored rule. `position` counts from 1 through the whole set. */
export type Rule = RuleDefinition & { id: string; position: number }

/** Immutable: every change is a new version. */
export interface RuleSet {
  id: string
  version: number
  rules: readonly Rule[]
}

/** Without a `fallback` the first gateway's decline is final. */
export const NO_FALLBACK: Fallback = { enabled: false, errorCodes: [], maxAttempts: 1 }

/** Gives a merchant's rules their ids and positions, in the merchant's order. */
export function numberRules(definitions: readonly RuleDefinition[], makeId: () => string): Rule[] {
  return definitions.map((definition, index) => ({ ...definition, id: makeId(), position: index + 1 }))
}
