import { z } from 'zod'
import { formatAmount } from '../../domain/money.ts'
import type { RejectedGateway } from '../../domain/routing/candidates.ts'
import { REJECTIONS } from '../../domain/routing/candidates.ts'
import { OPERATORS, VELOCITY_PATHS } from '../../domain/routing/condition.ts'
import { type AppliedRule, dynamicThreeDsAt, type RoutingDecision } from '../../domain/routing/decision.ts'
import type { ExplainedRule } from '../../domain/routing/explain.ts'
import { STANDINGS } from '../../domain/routing/explain.ts'
import type { RoutingFacts } from '../../domain/routing/facts.ts'
import { RULE_KINDS } from '../../domain/routing/rule.ts'
import type { VelocityNeed } from '../../domain/routing/velocity.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import { shownColumns } from './columns.ts'
import { VALUE } from './condition.ts'
import { object, type Shown, value } from './object.ts'
import { fallback, THREE_DS } from './rule-set.ts'
import { amount, count, country, currency, flag, id, list, metadata, orNull, text, word } from './shown.ts'

const result = orNull(flag('Whether it holds; null where a value is missing.'))

/** The tree of a condition with the value of each comparison. */
const explainedCondition: z.ZodType = value(
  'ExplainedCondition',
  z
    .discriminatedUnion('kind', [
      object('ExplainedComparison', 'A comparison with both of its values.', {
        kind: z.literal('comparison').describe('Compares a value of the payment.'),
        operand: text('What is compared, such as `card_country` or `metadata.plan`.'),
        actual: z
          .union([z.string(), z.number(), z.boolean()])
          .nullable()
          .describe('The value of the payment; null where it has none. An amount has its currency.'),
        operator: word(OPERATORS, 'How it is compared.'),
        expected: VALUE.describe('What it is compared with.'),
        currencies: list(currency('A currency.'), 'Of an amount: the currencies it is compared in.').optional(),
        result,
      }),
      object('ExplainedCombination', 'A condition that consists of others.', {
        kind: word(['and', 'or'], 'Whether all parts must hold, or one.'),
        conditions: z.lazy(() => z.array(explainedCondition)).describe('The parts.'),
        result,
      }),
      object('ExplainedNegation', 'A condition that holds where another does not.', {
        kind: z.literal('not').describe('Holds where its part does not.'),
        condition: z.lazy(() => explainedCondition).describe('The part.'),
        result,
      }),
    ])
    .describe('The condition with what became of each of its parts; null for every payment.'),
)

const explainedRule = object('ExplainedRule', 'A rule, and why it had a part in the decision or none.', {
  id: id('rule', 'The rule.'),
  position: count('Its place in the set, from 1.'),
  kind: word(RULE_KINDS, 'What it does.'),
  name: text('Its name in `routing_tags`, such as `rule-2-route`.'),
  tags: list(text('A tag.'), 'Its tags.'),
  standing: word(STANDINGS, 'Its part in the decision.'),
  matches: flag('Whether its condition holds.'),
  condition: orNull(explainedCondition),
})

const routingFacts = object(
  'RoutingFacts',
  'What rules read of the payment, by the names that the fields have in rules.',
  {
    amount: amount('The amount.'),
    currency: currency('The currency.'),
    customer_country: orNull(country('The country of the customer.')),
    ip_country: orNull(country('The country of the customer’s address.')),
    card_country: orNull(country('The country of the card’s issuer.')),
    card_scheme: orNull(text('The scheme of the card.')),
    card_co_scheme: orNull(text('The second scheme of the card.')),
    card_type: orNull(text('The kind of account behind the card.')),
    card_category: orNull(text('Whether the card is for private or business use.')),
    card_iin: orNull(text('The first digits of the card.')),
    card_last4: orNull(text('The last four digits of the card.')),
    card_fingerprint: orNull(text('The fingerprint of the card.')),
    channel: orNull(text('Where the customer pays.')),
    merchant_initiated: flag('Whether you initiate the payment.'),
    payment_intent: orNull(text('What the payment is for.')),
    incremental: flag('Whether the authorization may be raised.'),
    metadata: metadata('The metadata of the invoice.'),
  },
)

const usableGateway = object('UsableGateway', 'A gateway that can take the payment.', {
  gateway_configuration_id: id('gatewayConfiguration', 'The gateway configuration.'),
  gateway_name: text('The gateway.'),
  name: text('Your own name of the account.'),
  incremental: flag('Whether the authorization could be raised there.'),
  sale_only: flag('Whether the money would be taken at once.'),
  dynamic_3ds: orNull(
    object('AppliedThreeDs', 'The rule that sets parameters of the authentication there.', {
      rule: text('The name of the rule.'),
      ...THREE_DS,
    }),
  ),
})

const rejectedGateway = object('RejectedGateway', 'A gateway that cannot take the payment.', {
  gateway_configuration_id: text('The gateway configuration.'),
  reason: word(REJECTIONS, 'Why it cannot.'),
})

const velocityCount = object('VelocityCount', 'A count of earlier payments that a rule asks for.', {
  path: word(VELOCITY_PATHS, 'The value that the payments have in common.'),
  interval_seconds: count('Within so many seconds.'),
  count: orNull(count('How many there were; null where the payment has no such value.')),
})

export const routingExplanation = object('RoutingExplanation', 'What would become of a payment, and why.', {
  rule_set_id: orNull(
    id('ruleSet', 'The version that decides; null where the rules came with the request, or there are none.'),
  ),
  rule_set_version: orNull(count('The number of that version.')),
  outcome: word(['routed', 'not-sent'], 'Whether a gateway would be asked.'),
  error_type: orNull(text('With which error the payment would fail; null where it is routed.')),
  blocked_by: orNull(text('The name of the rule that refuses it.')),
  three_d_s_triggered_by: orNull(text('The name of the rule that asks for an authentication.')),
  route: orNull(
    object('AppliedRoute', 'The rule that chooses the gateways.', {
      rule: text('The name of the rule.'),
      gateway_configuration_ids: list(text('A gateway configuration.'), 'The gateways in the order of trying.'),
      fallback,
    }),
  ),
  gateways: list(usableGateway, 'The gateways that would be tried, in their order.'),
  rejected_gateways: list(rejectedGateway, 'The gateways that would be left out.'),
  routing_tags: list(text('A tag.'), 'What the transaction would show in its `routing_tags`.'),
  rules: list(explainedRule, 'Every rule.'),
  facts: routingFacts,
  velocities: list(velocityCount, 'The counts that rules ask for.'),
})

/** A gateway that can take the payment. */
export interface ExplainedGateway {
  configuration: Pick<GatewayConfigurationRow, 'id' | 'gatewayName' | 'name'>
  incremental: boolean
  isSaleOnly: boolean
}

export interface RoutingExplanation {
  /** Null where there are no rules, or they are not stored. */
  ruleSet: { id: string; version: number } | null
  /** Null where there are no rules. */
  decision: RoutingDecision | null
  rules: readonly ExplainedRule[]
  facts: RoutingFacts
  velocities: readonly VelocityNeed[]
  /** Both are empty where the payment goes nowhere. */
  usable: readonly ExplainedGateway[]
  rejected: readonly RejectedGateway[]
  routingTags: readonly string[]
  /** With which the payment would fail; null where it goes to a gateway. */
  errorType: string | null
}

/** What becomes of a payment, and why. */
export function presentRoutingExplanation(explanation: RoutingExplanation): Shown<typeof routingExplanation> {
  const { ruleSet, decision, rules, facts, usable, rejected, routingTags, errorType } = explanation
  const routed = decision?.kind === 'routed' ? decision : null
  return {
    rule_set_id: ruleSet?.id ?? null,
    rule_set_version: ruleSet?.version ?? null,
    outcome: errorType === null ? 'routed' : 'not-sent',
    error_type: errorType,
    blocked_by: decision?.kind === 'blocked' ? decision.by.name : null,
    three_d_s_triggered_by: ruleName(routed?.triggersThreeDs),
    route:
      routed?.route == null
        ? null
        : {
            rule: routed.route.by.name,
            gateway_configuration_ids: routed.route.gatewayConfigurationIds,
            fallback: shownColumns(fallback.shape, routed.route.fallback),
          },
    gateways: usable.map(({ configuration, incremental, isSaleOnly }) => {
      const dynamic = routed === null ? null : dynamicThreeDsAt(routed, configuration.id)
      return {
        gateway_configuration_id: configuration.id,
        gateway_name: configuration.gatewayName,
        name: configuration.name,
        incremental,
        sale_only: isSaleOnly,
        dynamic_3ds: dynamic === null ? null : { rule: dynamic.by.name, ...shownColumns(THREE_DS, dynamic.parameters) },
      }
    }),
    rejected_gateways: rejected.map((gateway) => shownColumns(rejectedGateway.shape, gateway)),
    routing_tags: routingTags,
    rules: rules.map(({ ruleId, ...rule }) => ({ id: ruleId, ...rule })),
    facts: { ...shownColumns(routingFacts.shape, facts), amount: formatAmount(facts.amountMinor, facts.currency) },
    velocities: explanation.velocities.map((need) => ({
      ...shownColumns(velocityCount.shape, need),
      count: facts.velocities.get(need.key) ?? null,
    })),
  }
}

function ruleName(rule: AppliedRule | null | undefined): string | null {
  return rule?.name ?? null
}
