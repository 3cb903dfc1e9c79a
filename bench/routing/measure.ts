import { ALL_CAPABILITIES } from '../../domain/capabilities.ts'
import { type Candidates, findCandidates, type GatewayOption } from '../../domain/routing/candidates.ts'
import { type CompiledRuleSet, compile } from '../../domain/routing/compile.ts'
import { type RoutingDecision, routingTags } from '../../domain/routing/decision.ts'
import { explain } from '../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../domain/routing/facts.ts'
import type { RuleSet } from '../../domain/routing/rule.ts'
import { CURRENCIES } from './payments.ts'
import { gatewayId } from './rule-set.ts'

export interface Rates {
  /** A second of one core: what the rule set says. */
  decisions: number
  /** The same, with the gateways that can take the payment, and the tags of the transaction. */
  wholeDecisions: number
  /** Payments of which everything is read that rules look at. */
  floor: number
}

export const OPTIONS = { defaultCurrency: 'EUR' }

/** Two gateways do not know every currency, and one gives out nothing new, so that candidates fall away. */
export function createGateways(count: number): ReadonlyMap<string, GatewayOption> {
  return new Map(
    Array.from({ length: count }, (_, index) => [
      gatewayId(index),
      {
        gatewayConfigurationId: gatewayId(index),
        enabled: true,
        draining: index === 3,
        capabilities: { ...ALL_CAPABILITIES, incrementalAuthorization: index % 2 === 0 },
        currencies: index < 2 ? CURRENCIES.slice(0, 2) : null,
        schemes: null,
      },
    ]),
  )
}

export function measureRates(
  rules: CompiledRuleSet,
  payments: readonly RoutingFacts[],
  gateways: ReadonlyMap<string, GatewayOption>,
  seconds: number,
): Rates {
  return {
    floor: perSecond(payments, seconds, readEverything),
    decisions: perSecond(payments, seconds, (facts) => weigh(rules.decide(facts))),
    wholeDecisions: perSecond(payments, seconds, (facts) => {
      const decision = rules.decide(facts)
      const found = candidatesFor(decision, facts, gateways)
      return routingTags(decision, found.usable[0]?.gatewayConfigurationId ?? null).length + found.usable.length
    }),
  }
}

function candidatesFor(
  decision: RoutingDecision,
  facts: RoutingFacts,
  gateways: ReadonlyMap<string, GatewayOption>,
): Candidates {
  if (decision.kind === 'blocked') return { usable: [], rejected: [] }
  return findCandidates(decision.route?.gatewayConfigurationIds ?? [], gateways, {
    currency: facts.currency,
    schemes: facts.cardScheme === null ? [] : [facts.cardScheme],
    incremental: facts.incremental,
    mayGoWithoutIncrements: false,
    maySell: false,
    capturesPart: false,
    leavesRest: false,
  })
}

/**
 * Counts a second of computing, not of the clock: what a core does does not depend on who else wants it. The collection of
 * garbage counts, although other threads do it.
 *
 * What the work adds up is looked at in the end, so that no compiler can leave it out.
 */
function perSecond(payments: readonly RoutingFacts[], seconds: number, work: (facts: RoutingFacts) => number): number {
  for (const facts of payments) work(facts)
  const before = process.cpuUsage()
  let [sum, count, tookSeconds] = [0, 0, 0]
  while (tookSeconds < seconds) {
    for (const facts of payments) sum += work(facts)
    count += payments.length
    const { user, system } = process.cpuUsage(before)
    tookSeconds = (user + system) / 1e6
  }
  if (sum <= 0) throw new Error('Nothing was decided.')
  return count / tookSeconds
}

function weigh(decision: RoutingDecision): number {
  return decision.kind === 'blocked' ? 1 : 1 + (decision.route?.gatewayConfigurationIds.length ?? 0)
}

function readEverything(facts: RoutingFacts): number {
  let sum = facts.transactionId.length + facts.amountMinor + facts.currency.length
  for (const word of [facts.customerCountry, facts.ipCountry, facts.cardCountry, facts.cardScheme, facts.cardCoScheme])
    sum += word?.length ?? 0
  for (const word of [facts.cardType, facts.cardCategory, facts.cardIin, facts.cardLast4, facts.cardFingerprint])
    sum += word?.length ?? 0
  sum += (facts.channel?.length ?? 0) + (facts.paymentIntent?.length ?? 0) + (facts.metadata.plan?.length ?? 0)
  sum += Number(facts.merchantInitiated) + Number(facts.incremental) + Number(facts.isCardVerification)
  for (const count of facts.velocities.values()) sum += count
  return sum
}

/** Explaining asks every rule by itself; a decision that says anything else would be a fast wrong one. */
const AUDITED_COUNT = 500

export interface Audit extends Record<string, number> {
  decisionsCompared: number
  blocked: number
  threeDsTriggered: number
  /** Of all payments: the share that an earlier rule than the last, which takes everything, has sent somewhere. */
  routedBeforeTheLastRule: number
}

export function audit(ruleSet: RuleSet, payments: readonly RoutingFacts[]): Audit {
  const rules = compile(ruleSet, OPTIONS)
  for (const facts of payments.slice(0, AUDITED_COUNT)) compareWithExplanation(ruleSet, facts)
  const decisions = payments.map((facts) => rules.decide(facts))
  const last = ruleSet.rules.at(-1)?.id
  const routed = decisions.flatMap((decision) => (decision.kind === 'routed' ? [decision] : []))
  return {
    decisionsCompared: Math.min(AUDITED_COUNT, payments.length),
    blocked: decisions.length - routed.length,
    threeDsTriggered: routed.filter(({ triggersThreeDs }) => triggersThreeDs !== null).length,
    routedBeforeTheLastRule: routed.filter(({ route }) => route?.by.ruleId !== last).length / payments.length,
  }
}

function compareWithExplanation(ruleSet: RuleSet, facts: RoutingFacts): void {
  const { decision, rules } = explain(ruleSet, facts, OPTIONS)
  const first = (kind: string) =>
    rules.find((rule) => rule.kind === kind && rule.matches && rule.standing !== 'not-for-card-verifications')?.ruleId
  const wanted = first('block') ?? first('route')
  const said = decision.kind === 'blocked' ? decision.by.ruleId : decision.route?.by.ruleId
  if (said !== wanted) throw new Error(`${facts.transactionId} was decided by ${said}, not by ${wanted}.`)
}
