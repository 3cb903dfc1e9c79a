import type { Comparison, Condition, FieldName, Operand } from '../../../domain/routing/condition.ts'
import type { RoutingFacts } from '../../../domain/routing/facts.ts'
import {
  NO_FALLBACK,
  numberRules,
  type RouteRule,
  type RuleDefinition,
  type RuleSet,
} from '../../../domain/routing/rule.ts'

/** A payment of 29.00 EUR with a French card, of which everything is known. */
export function factsOf(given: Partial<RoutingFacts> = {}): RoutingFacts {
  return {
    transactionId: 'tr_1',
    amountMinor: 2900,
    currency: 'EUR',
    customerCountry: 'FR',
    ipCountry: 'BE',
    cardCountry: 'FR',
    cardScheme: 'visa',
    cardCoScheme: 'carte bancaire',
    cardType: 'debit',
    cardCategory: 'consumer',
    cardIin: '497783',
    cardLast4: '0001',
    cardFingerprint: 'f00d',
    channel: 'web',
    merchantInitiated: false,
    paymentIntent: 'recurring-subscription',
    incremental: false,
    metadata: { plan: 'gold', score: '41.5' },
    isCardVerification: false,
    velocities: new Map([['card_fingerprint/3600', 2]]),
    ...given,
  }
}

export const field = (name: FieldName): Operand => ({ kind: 'field', name })
export const metadata = (key: string): Operand => ({ kind: 'metadata', key })
export const RAND: Operand = { kind: 'rand' }
export const VELOCITY: Operand = { kind: 'velocity', path: 'card_fingerprint', interval: '1h' }

export function compare(operand: Operand, operator: Comparison['operator'], value: Comparison['value']): Comparison {
  return { kind: 'comparison', operand, operator, value }
}

export const and = (...conditions: Condition[]): Condition => ({ kind: 'and', conditions })
export const or = (...conditions: Condition[]): Condition => ({ kind: 'or', conditions })
export const not = (condition: Condition): Condition => ({ kind: 'not', condition })

/** A rule that blocks, so that whether it matches can be told from the decision. */
export function block(
  condition: Condition | null,
  given: { tags?: string[]; runForCardVerifications?: boolean; enabled?: boolean } = {},
): RuleDefinition {
  return { kind: 'block', enabled: true, tags: [], runForCardVerifications: false, ...given, condition }
}

export function trigger(condition: Condition | null, tags: string[] = []): RuleDefinition {
  return { kind: 'trigger_3ds', enabled: true, tags, runForCardVerifications: false, condition }
}

export function route(
  condition: Condition | null,
  ids: readonly string[],
  given: Partial<RouteRule> = {},
): RuleDefinition {
  return {
    kind: 'route',
    enabled: true,
    tags: [],
    condition,
    gateways: ids.map((gatewayConfigurationId) => ({ gatewayConfigurationId, weight: null })),
    strategy: 'priority',
    fallback: NO_FALLBACK,
    ...given,
  }
}

/** Shares payments out by the weights of the gateways. */
export function split(weights: Readonly<Record<string, number>>): RuleDefinition {
  const gateways = Object.entries(weights).map(([gatewayConfigurationId, weight]) => ({
    gatewayConfigurationId,
    weight,
  }))
  return route(null, [], { gateways, strategy: 'split' })
}

export function dynamic(
  condition: Condition | null,
  ids: string[],
  challengeIndicator: string,
  tags: string[] = [],
): RuleDefinition {
  return {
    kind: 'dynamic_3ds',
    enabled: true,
    tags,
    condition,
    gatewayConfigurationIds: ids,
    parameters: { scaExemptionReason: null, challengeIndicator },
    runForCardVerifications: false,
  }
}

/** The rules in this order, with ids `rr_1`, `rr_2` and so on. */
export function ruleSetOf(...definitions: RuleDefinition[]): RuleSet {
  let made = 0
  return { id: 'rs_1', version: 3, rules: numberRules(definitions, () => `rr_${++made}`) }
}
