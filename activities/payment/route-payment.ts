import { type RoutingDecision, routingTags, type UnsentCode, unsentCodeOf } from '../../domain/routing/decision.ts'
import { FALLBACK_WITHOUT_RULES } from '../../domain/routing/fallback.ts'
import type { RemainingRoute } from '../../domain/routing/remaining-route.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Asked, type ChosenGateway, findGateways } from './choose-gateway.ts'
import type { Source } from './records/sources.ts'
import type { Refusal } from './refusal.ts'

/** Which rules had a part in it, as the transaction shows it. */
type RoutedBy = Pick<TransactionRow, 'ruleSetId' | 'ruleSetVersion' | 'routingTags'>

/** Where an authorization goes, by the routing rules of its project. */
export type RoutedPayment =
  | { kind: 'routed'; gateway: ChosenGateway; remaining: RemainingRoute | null; routedBy: RoutedBy }
  /** A rule blocks it, or sends it to an authentication that nothing here can make yet. */
  | { kind: 'unsent'; code: UnsentCode; routedBy: RoutedBy }
  | Refusal

/** An authorization before it has a gateway, with what was read for it. */
interface ToRoute extends Omit<Asked, 'card'> {
  source: Source
  at: number
  /** Null where the project has no rules. */
  activeRuleSetId: string | null
  /** All of the project, the oldest first. */
  configurations: readonly GatewayConfigurationRow[]
}

/**
 * Asks the active rules where an authorization goes, and takes of the gateways that they name those that can do what it
 * asks. Without rules any gateway of the project may take it.
 */
export async function routePayment(
  deps: Pick<PaymentActivityDeps, 'gateways' | 'ruleBook'>,
  em: EntityManager,
  { invoice, command, source, at, activeRuleSetId, configurations }: ToRoute,
): Promise<RoutedPayment> {
  const rules = activeRuleSetId === null ? null : await deps.ruleBook.rulesOf(em, invoice, activeRuleSetId)
  const decision = rules === null ? null : await rules.decide(em, { invoice, command, source, at })
  const unsent = decision === null ? null : unsentCodeOf(decision, invoice)
  if (unsent !== null) return { kind: 'unsent', code: unsent, routedBy: routedBy(decision, null) }
  const route = decision?.kind === 'routed' ? decision.route : null
  const asked = { invoice, command, card: source.card }
  const { usable, refused } = findGateways(deps, configurations, asked, route?.gatewayConfigurationIds ?? null)
  const [gateway, ...others] = usable
  if (gateway === undefined) return refused
  const fallback = route?.fallback ?? FALLBACK_WITHOUT_RULES
  // What a gateway itself has handed out means nothing to another one.
  const mayGoOn = fallback.enabled && others.length > 0 && source.gatewayRequest === null
  const remaining = mayGoOn
    ? { gatewayConfigurationIds: others.map(({ configuration }) => configuration.id), fallback }
    : null
  return { kind: 'routed', gateway, remaining, routedBy: routedBy(decision, gateway.configuration.id) }
}

function routedBy(decision: RoutingDecision | null, gatewayConfigurationId: string | null): RoutedBy {
  return {
    ruleSetId: decision?.ruleSetId ?? null,
    ruleSetVersion: decision?.ruleSetVersion ?? null,
    routingTags: decision === null ? [] : routingTags(decision, gatewayConfigurationId),
  }
}
