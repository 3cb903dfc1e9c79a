import type { Condition } from '../../domain/routing/condition.ts'
import {
  NO_FALLBACK,
  type RouteRule,
  type RuleDefinition,
  type RuleKind,
  type Strategy,
} from '../../domain/routing/rule.ts'

/** A rule as it is written, by the names of the interface: what a text is read as, and JSON. Null counts as absent. */
export interface WrittenRule {
  kind: RuleKind
  enabled?: boolean | null | undefined
  condition?: Condition | null | undefined
  tags?: readonly string[] | null | undefined
  gateways?: readonly WrittenGateway[] | null | undefined
  strategy?: Strategy | null | undefined
  fallback?:
    | {
        enabled?: boolean | null | undefined
        error_codes?: readonly string[] | null | undefined
        max_attempts?: number | null | undefined
      }
    | null
    | undefined
  dynamic_3ds_params?:
    | {
        sca_exemption_reason?: string | null | undefined
        challenge_indicator?: string | null | undefined
      }
    | null
    | undefined
  run_for_card_verifications?: boolean | null | undefined
}

export interface WrittenGateway {
  gateway_configuration_id: string
  weight?: number | null | undefined
}

/** Attempts in all where a fallback does not say: the first gateway and one more. */
const DEFAULT_ATTEMPTS = 2

/** The rule with all its defaults; `fail` is called for what no rule of the kind can say. */
export function completeRule(written: WrittenRule, fail: (problem: string) => never): RuleDefinition {
  const { kind, condition = null, dynamic_3ds_params: parameters } = written
  const gateways = written.gateways ?? []
  const common = { enabled: written.enabled ?? true, condition, tags: written.tags ?? [] }
  if (kind === 'route') return { kind, ...common, ...completeRoute(written, gateways, fail) }
  const runForCardVerifications = written.run_for_card_verifications ?? false
  if (gateways.some(({ weight }) => weight != null)) fail(`${kind} takes no weights`)
  if (kind === 'dynamic_3ds') {
    return {
      kind,
      ...common,
      gatewayConfigurationIds: gateways.map(({ gateway_configuration_id: id }) => id),
      parameters: {
        scaExemptionReason: parameters?.sca_exemption_reason ?? null,
        challengeIndicator: parameters?.challenge_indicator ?? null,
      },
      runForCardVerifications,
    }
  }
  if (gateways.length > 0) fail(`${kind} names no gateways: it looks at a payment before one is chosen`)
  return { kind, ...common, runForCardVerifications }
}

/** With a weight anywhere it is a split, in which a gateway without one counts once. */
function completeRoute(
  { strategy, fallback }: WrittenRule,
  gateways: readonly WrittenGateway[],
  fail: (problem: string) => never,
): Pick<RouteRule, 'gateways' | 'strategy' | 'fallback'> {
  const isWeighted = gateways.some(({ weight }) => weight != null)
  if (isWeighted && strategy === 'priority') fail('weights go with the strategy split')
  const chosen = strategy ?? (isWeighted ? 'split' : 'priority')
  const enabled = fallback?.enabled ?? true
  return {
    gateways: gateways.map(({ gateway_configuration_id: gatewayConfigurationId, weight }) => ({
      gatewayConfigurationId,
      weight: chosen === 'split' ? (weight ?? 1) : null,
    })),
    strategy: chosen,
    fallback: fallback
      ? {
          enabled,
          errorCodes: fallback.error_codes ?? [],
          maxAttempts: fallback.max_attempts ?? (enabled ? DEFAULT_ATTEMPTS : NO_FALLBACK.maxAttempts),
        }
      : NO_FALLBACK,
  }
}
