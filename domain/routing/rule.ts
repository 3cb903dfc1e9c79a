import type { Condition } from './condition.ts'

/** In the order in which they are evaluated; which 3-D Secure parameters apply depends on the gateway that was chosen. */
export const RULE_KINDS = ['block', 'trigger_3ds', 'route', 'dynamic_3ds'] as const
export type RuleKind = (typeof RULE_KINDS)[number]

interface RuleBase {
  /** A rule that is switched off keeps its place and its number. */
  enabled: boolean
  /** Null matches every payment. */
  condition: Condition | null
  /** Labels that the transaction shows among its `routing_tags`. */
  tags: readonly string[]
}

interface RuleOfPayments extends RuleBase {
  /** Whether it also looks at verifications of a card, which move no money. */
  runForCardVerifications: boolean
}

export interface BlockRule extends RuleOfPayments {
  kind: 'block'
}

export interface TriggerThreeDsRule extends RuleOfPayments {
  kind: 'trigger_3ds'
}

/** Where a `split` sends a payment: in the proportion of the weights. Null with `priority`. */
export interface WeightedGateway {
  gatewayConfigurationId: string
  /** A whole number; those of a rule need not add up to anything. 0 is tried only after all others. */
  weight: number | null
}

export const STRATEGIES = ['priority', 'split'] as const
/** `priority` tries the gateways as they are listed, `split` shares payments out by weight. */
export type Strategy = (typeof STRATEGIES)[number]

/** Whether the next gateway of the list is tried after a failure that is certain and soft. */
export interface Fallback {
  enabled: boolean
  /** The error codes that lead on; empty for all with which another gateway is known to help. */
  errorCodes: readonly string[]
  /** Attempts of one payment in all, the first included. */
  maxAttempts: number
}

/** Where a payment may still go, kept with its attempt: the decision is not made again in the middle of a payment. */
export interface RemainingRoute {
  /** The gateway configurations that were not tried yet, in the order in which they are. */
  gatewayConfigurationIds: string[]
  fallback: Fallback
}

/** Chooses the gateways. It also runs for verifications of a card, because those need a gateway as well. */
export interface RouteRule extends RuleBase {
  kind: 'route'
  gateways: readonly WeightedGateway[]
  strategy: Strategy
  fallback: Fallback
}

/** What `dynamic_3ds_params` may say. Source: the invoice fields of the same names. */
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

/** What is asked of the authentication; null leaves it to the invoice. */
export interface ThreeDsParameters {
  scaExemptionReason: string | null
  challengeIndicator: string | null
}

/** Sets parameters of 3-D Secure once the gateway is known. */
export interface DynamicThreeDsRule extends RuleOfPayments {
  kind: 'dynamic_3ds'
  /** The gateways that it is for; empty for all. */
  gatewayConfigurationIds: readonly string[]
  parameters: ThreeDsParameters
}

export type RuleDefinition = BlockRule | TriggerThreeDsRule | RouteRule | DynamicThreeDsRule

/** A rule as it is stored. `position` counts from 1 through the whole set. */
export type Rule = RuleDefinition & { id: string; position: number }

/** Never changed: another text is another version. */
export interface RuleSet {
  id: string
  version: number
  rules: readonly Rule[]
}

/** Without a `fallback` the first gateway's word is the last. */
export const NO_FALLBACK: Fallback = { enabled: false, errorCodes: [], maxAttempts: 1 }

/** Makes rules of what a merchant wrote: in its order, each with an id of its own. */
export function numberRules(definitions: readonly RuleDefinition[], makeId: () => string): Rule[] {
  return definitions.map((definition, index) => ({ ...definition, id: makeId(), position: index + 1 }))
}
