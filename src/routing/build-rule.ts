import { NO_FALLBACK, type RouteRule, type RuleDefinition, type RuleKind } from '../../domain/routing/rule.ts'
import type { Properties } from './parse-property.ts'

/** Attempts in all where a fallback does not say: the first gateway and one more. */
const DEFAULT_ATTEMPTS = 2

/** Makes a rule of its properties; `fail` is called for what no rule of the kind can say. */
export function buildRule(kind: RuleKind, properties: Properties, fail: (problem: string) => never): RuleDefinition {
  const { enabled, condition, tags, gateways, runForCardVerifications } = properties
  const common = { enabled, condition, tags }
  if (kind === 'route') return { kind, ...common, ...routeOf(properties, fail) }
  if (gateways.some(({ weight }) => weight !== null)) fail(`${kind} takes no weights`)
  if (kind === 'dynamic_3ds') {
    const { scaExemptionReason, challengeIndicator } = properties
    return {
      kind,
      ...common,
      gatewayConfigurationIds: gateways.map(({ id }) => id),
      parameters: { scaExemptionReason, challengeIndicator },
      runForCardVerifications,
    }
  }
  if (gateways.length > 0) fail(`${kind} names no gateways: it looks at a payment before one is chosen`)
  return { kind, ...common, runForCardVerifications }
}

/** With a weight anywhere it is a split, in which a gateway without one counts once. */
function routeOf(
  { gateways, strategy, fallback }: Properties,
  fail: (problem: string) => never,
): Pick<RouteRule, 'gateways' | 'strategy' | 'fallback'> {
  const areWeighted = gateways.some(({ weight }) => weight !== null)
  if (areWeighted && strategy === 'priority') fail('weights go with the strategy split')
  const chosen = strategy ?? (areWeighted ? 'split' : 'priority')
  return {
    gateways: gateways.map(({ id, weight }) => ({
      gatewayConfigurationId: id,
      weight: chosen === 'split' ? (weight ?? 1) : null,
    })),
    strategy: chosen,
    fallback:
      fallback === null
        ? NO_FALLBACK
        : {
            ...fallback,
            maxAttempts: fallback.maxAttempts ?? (fallback.enabled ? DEFAULT_ATTEMPTS : NO_FALLBACK.maxAttempts),
          },
  }
}
