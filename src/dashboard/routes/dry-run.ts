import { z } from 'zod'
import { formatAmount } from '../../../domain/money.ts'
import { hasBareAmount } from '../../../domain/routing/bare-amounts.ts'
import { appliedRule, compile } from '../../../domain/routing/compile.ts'
import { type ExplainedRule, explain } from '../../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../../domain/routing/facts.ts'
import type { Rule } from '../../../domain/routing/rule.ts'
import { type ExplainedPayment, readPayment } from '../../api/routing/explained-payment.ts'
import { type AskedRules, activeRules, applyDecision, readGivenRules } from '../../api/routing/routing-explanation.ts'
import { RULES } from '../../api/routing/rule-input.ts'
import { type ApiContext, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { expecting } from '../../objects/taken.ts'
import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findLatestPayments, type LatestPayment } from '../../persistence/queries/payments/latest-payments.ts'
import { findRoutableGateways } from '../../persistence/queries/projects/gateway-configurations.ts'
import { readFacts } from '../../routing/facts.ts'
import { call } from '../call.ts'
import { type DryRun, dryRunAnswer } from '../contract.ts'

const PAYMENTS_DEFAULT = 100
/** Each takes some 5 ms, and several times as long where the rules count velocities. */
const PAYMENTS_MAX = 200

/** Rules as for `POST /routing-rules`, text or a list, and how many payments. */
const DRY_RUN = {
  rules: RULES,
  payments: z
    .int(expecting(`a whole number from 1 to ${PAYMENTS_MAX}`))
    .min(1)
    .max(PAYMENTS_MAX)
    .optional(),
}

/** How a payment would go, by one set of rules. */
type Route = DryRun['changes'][number]['before']

export const DRY_RUNS = [
  // Decides the latest payments once by the active rules and once by those of the request, each at its own instant, with the
  // gateways as they are now; the newest first, until the time is up or the caller has gone. Changes nothing.
  call('POST /routing-rules/dry-run', {
    who: everyRole,
    reads: DRY_RUN,
    answers: dryRunAnswer,
    oneAtOnce: 'Another dry run of yours is still running.',
    async run({ ctx, deps, em, read }) {
      const until = performance.now() + deps.waits.dryRunMs
      const isOver = () => ctx.res.closed || performance.now() > until
      const { rules: given, payments: limit = PAYMENTS_DEFAULT } = read()
      const rules = { before: await activeRules(ctx, em), after: await readGivenRules(deps, ctx, em, given) }
      const gateways = await findRoutableGateways(em, scopeOf(ctx))
      const payments = await findLatestPayments(em, scopeOf(ctx), limit)
      const decided: Decided[] = []
      for (const shown of payments) {
        if (decided.length > 0 && isOver()) break
        const payment = { ...(await readPast(deps, ctx, em, shown.invoiceId)), at: shown.createdAt.getTime() }
        const facts = await factsFor(em, payment, Object.values(rules))
        const routeBy = (asked: AskedRules | null) => decide(gateways, payment, facts, asked)
        const [before, after] = [routeBy(rules.before), routeBy(rules.after)]
        decided.push({ shown, payment, before: before.route, after: after.route, rules: after.rules })
      }
      const changed = decided.filter(({ before, after }) => !isSame(before, after))
      return {
        dry_run: {
          payments: decided.length,
          is_partial: decided.length < payments.length,
          changed: changed.length,
          effects: effectsOf(changed),
          rules: rules.after.ruleSet.rules.map((rule) => presentRule(rule, decided)),
          gateways: gatewaysIn(decided),
          changes: changed.map(presentChange),
        },
      }
    },
  }),
]

interface Decided {
  shown: LatestPayment
  payment: ExplainedPayment
  before: Route
  after: Route
  /** Of the request, with what became of each. */
  rules: readonly ExplainedRule[]
}

function presentRule(rule: Rule, decided: readonly Decided[]) {
  const { id, position, kind, enabled, condition } = rule
  const outcomes = decided.flatMap(({ rules }) => rules.find(({ ruleId }) => ruleId === id) ?? [])
  return {
    ...{ position, kind, enabled },
    name: appliedRule(rule).name,
    met: outcomes.filter(({ matches }) => matches).length,
    applied: outcomes.filter(({ standing }) => standing === 'applied').length,
    has_bare_amount: hasBareAmount(condition),
  }
}

/** How the changed payments change. */
function effectsOf(changed: readonly Decided[]) {
  const isSent = ({ outcome }: Route) => outcome === 'routed'
  const needsThreeDs = ({ three_ds_rule: rule }: Route) => rule !== null
  const sent = changed.filter(({ before, after }) => isSent(before) && isSent(after))
  return {
    refused: changed.filter(({ before, after }) => isSent(before) && !isSent(after)).length,
    no_longer_refused: changed.filter(({ before, after }) => !isSent(before) && isSent(after)).length,
    moved: sent.filter(({ before, after }) => gatewaysOf(before) !== gatewaysOf(after)).length,
    newly_three_ds: sent.filter(({ before, after }) => !needsThreeDs(before) && needsThreeDs(after)).length,
    no_longer_three_ds: sent.filter(({ before, after }) => needsThreeDs(before) && !needsThreeDs(after)).length,
  }
}

const gatewaysOf = ({ gateway_configuration_ids: ids }: Route) => ids.join()

function presentChange({ shown, payment: { invoice, source, at }, before, after }: Decided) {
  return {
    invoice_id: invoice.id,
    name: shown.name,
    order_id: shown.orderId,
    customer_name: shown.customer,
    currency: invoice.currency,
    amount: formatAmount(invoice.amountMinor, invoice.currency),
    card_scheme: source.card?.scheme ?? null,
    created_at: new Date(at).toISOString(),
    ...{ before, after },
  }
}

/** The payment with the source of its last try. */
function readPast(deps: AppDeps, ctx: ApiContext, em: EntityManager, invoiceId: string): Promise<ExplainedPayment> {
  const asked = { invoice_id: invoiceId, source: null, payment: undefined, card: undefined, rules: undefined }
  return readPayment(deps, ctx, em, { ...asked, ...AS_THE_INVOICE_SAYS })
}

const AS_THE_INVOICE_SAYS = { incremental: undefined, authorize_only: undefined, allow_fallback_to_sale: undefined }

/** Read once for both sets of rules. */
function factsFor(em: EntityManager, payment: ExplainedPayment, rules: readonly (AskedRules | null)[]) {
  const velocities = rules.flatMap((asked) => (asked === null ? [] : compile(asked.ruleSet, asked).velocities))
  const byKey = new Map(velocities.map((need) => [need.key, need]))
  return readFacts(em, payment, { velocities: [...byKey.values()], customer: true, isPast: true })
}

function decide(
  gateways: readonly GatewayConfigurationRow[],
  payment: ExplainedPayment,
  facts: RoutingFacts,
  asked: AskedRules | null,
): { route: Route; rules: readonly ExplainedRule[] } {
  const { decision, rules } = asked === null ? { decision: null, rules: [] } : explain(asked.ruleSet, facts, asked)
  const { usable, errorType } = applyDecision(gateways, payment, decision)
  const rule = decision?.kind === 'blocked' ? decision.by : decision?.kind === 'routed' ? decision.route?.by : null
  const triggers = decision?.kind === 'routed' && errorType === null ? decision.triggersThreeDs : null
  const route: Route = {
    outcome: errorType === null ? 'routed' : 'not-sent',
    error_type: errorType,
    gateway_configuration_ids: usable.map(({ configuration }) => configuration.id),
    rule: rule?.name ?? null,
    three_ds_rule: triggers?.name ?? null,
  }
  return { route, rules }
}

/** Another rule that leads to the same gateways, or also asks for 3-D Secure, changes nothing for the payment. */
function isSame(before: Route, after: Route): boolean {
  const said = ({ rule: _, three_ds_rule: threeDs, ...route }: Route) => JSON.stringify([route, threeDs !== null])
  return said(before) === said(after)
}

/** How many payments go first to each gateway. */
function gatewaysIn(decided: readonly Decided[]) {
  const counts = new Map<string | null, { before: number; after: number }>()
  for (const one of decided) {
    for (const side of ['before', 'after'] as const) {
      const id = one[side].gateway_configuration_ids[0] ?? null
      const count = counts.get(id) ?? { before: 0, after: 0 }
      counts.set(id, { ...count, [side]: count[side] + 1 })
    }
  }
  return [...counts].map(([id, count]) => ({ gateway_configuration_id: id, ...count }))
}
