import type { ErrorCode } from '../../../domain/errors.ts'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { noCandidateError } from '../../../domain/routing/candidates.ts'
import { compile } from '../../../domain/routing/compile.ts'
import { findRejectionCode, type RoutingDecision, routingTags } from '../../../domain/routing/decision.ts'
import { explain } from '../../../domain/routing/explain.ts'
import { numberRules, type RuleSet } from '../../../domain/routing/rule.ts'
import { installedGateway } from '../../gateways/installed.ts'
import { type ApiContext, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { bodyOf } from '../../http/middleware/body.ts'
import { presentRoutingExplanation } from '../../objects/routing-explanation.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findRoutableGateways } from '../../persistence/queries/projects/gateway-configurations.ts'
import { findActiveRuleSet } from '../../persistence/queries/routing/rule-sets.ts'
import { readFacts } from '../../routing/facts.ts'
import { type FoundGateways, findRoutable } from '../../routing/routable-gateways.ts'
import type { Change } from '../change.ts'
import { type ExplainedPayment, readPayment } from './explained-payment.ts'
import { type ExplanationInput, readExplanation } from './explanation-input.ts'
import { findProblemContext, readRules } from './read-rules.ts'

export interface AskedRules {
  ruleSet: RuleSet
  defaultCurrency: string
  isStored: boolean
}

/** Explains how a payment would be routed now. It changes nothing; like every POST it takes an idempotency key. */
export async function explainRouting({ deps, ctx, em }: Change) {
  const input = readExplanation(bodyOf(ctx))
  const { rules: given } = input
  const rules = given === undefined ? await activeRules(ctx, em) : await readGivenRules(deps, ctx, em, given)
  const payment = await readPayment(deps, ctx, em, input)
  const velocities = rules === null ? [] : compile(rules.ruleSet, rules).velocities
  const facts = await readFacts(em, payment, { velocities, customer: true })
  const explained = rules === null ? null : explain(rules.ruleSet, facts, rules)
  const decision = explained?.decision ?? null
  const { usable, rejected, errorType } = applyDecision(
    await findRoutableGateways(em, payment.invoice),
    payment,
    decision,
  )
  return {
    explanation: presentRoutingExplanation({
      ruleSet: rules?.isStored ? rules.ruleSet : null,
      decision,
      rules: explained?.rules ?? [],
      facts,
      velocities,
      usable: usable.map((gateway) => ({ ...gateway, isSaleOnly: !gateway.capabilities.authorize })),
      rejected,
      routingTags: decision === null ? [] : routingTags(decision, usable[0]?.configuration.id ?? null),
      errorType,
    }),
  }
}

/** The active rules; null without any. */
export async function activeRules(ctx: ApiContext, em: EntityManager): Promise<AskedRules | null> {
  const active = await findActiveRuleSet(em, scopeOf(ctx))
  if (active === null) return null
  const { ruleSet } = active
  return { ruleSet, defaultCurrency: ruleSet.defaultCurrency, isStored: true }
}

/**
 * Rules that a request brings, and that are not stored.
 *
 * @throws ApiError with everything that is wrong about them.
 */
export async function readGivenRules(
  deps: Pick<AppDeps, 'randomBytes'>,
  ctx: ApiContext,
  em: EntityManager,
  given: NonNullable<ExplanationInput['rules']>,
): Promise<AskedRules> {
  const context = await findProblemContext(em, scopeOf(ctx))
  const { rules } = readRules(given, context)
  const numbered = numberRules(rules, () => makeIdentifier('rule', deps.randomBytes))
  const id = makeIdentifier('ruleSet', deps.randomBytes)
  return { ruleSet: { id, version: 1, rules: numbered }, defaultCurrency: context.defaultCurrency, isStored: false }
}

/**
 * Applies the decision as an authorization does.
 *
 * @param configurations of `findRoutableGateways`.
 */
export function applyDecision(
  configurations: readonly GatewayConfigurationRow[],
  { asked }: ExplainedPayment,
  decision: RoutingDecision | null,
): FoundGateways & { errorType: ErrorCode | null } {
  const nowhere = (errorType: ErrorCode) => ({ usable: [], rejected: [], errorType })
  const rejectionCode = decision === null ? null : findRejectionCode(decision)
  if (rejectionCode !== null) return nowhere(rejectionCode)
  const order = decision?.kind === 'routed' ? (decision.route?.gatewayConfigurationIds ?? null) : null
  const found = findRoutable(configurations, asked, order, (name) => installedGateway(name)?.capabilities ?? null)
  return { ...found, errorType: found.usable.length === 0 ? noCandidateError(found.rejected) : null }
}
