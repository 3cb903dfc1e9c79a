import { z } from 'zod'
import { REJECTIONS } from '../../../domain/routing/candidates.ts'
import { OPERATORS, VELOCITY_PATHS } from '../../../domain/routing/condition.ts'
import { STANDINGS } from '../../../domain/routing/explain.ts'
import { CHALLENGE_INDICATORS, RULE_KINDS, SCA_EXEMPTION_REASONS, STRATEGIES } from '../../../domain/routing/rule.ts'
import { CONDITION, VALUE } from '../../api/routing/condition.ts'
import {
  amount,
  count,
  country,
  currency,
  flag,
  id,
  instant,
  list,
  metadata,
  OWNER,
  orNull,
  text,
  WRITTEN,
  word,
} from './fields.ts'
import { object, value } from './objects.ts'

const fallback = object('Fallback', 'Whether the next gateway is tried after a failure.', {
  enabled: flag('Whether the next gateway is tried.'),
  error_codes: list(
    text('An error code.'),
    'The failures after which it is; empty for all that another gateway may not repeat.',
  ),
  max_attempts: count('Attempts of one payment in all, the first included.'),
})

const THREE_DS = {
  sca_exemption_reason: orNull(
    word(SCA_EXEMPTION_REASONS, 'The exemption that is asked for; null takes that of the invoice.'),
  ),
  challenge_indicator: orNull(
    word(CHALLENGE_INDICATORS, 'The challenge that is wished for; null takes that of the invoice.'),
  ),
}
const threeDs = object('ThreeDsParameters', 'Parameters of the authentication.', THREE_DS)

const condition = value('Condition', CONDITION)

const RULE = {
  id: id('rule', 'The rule.'),
  position: count('Its place in the set, from 1.'),
  enabled: flag('Whether it takes part.'),
  condition: orNull(condition),
  condition_text: orNull(text('The condition in the text form; null for every payment.')),
  tags: list(text('A tag.'), 'What the transaction shows in its `routing_tags`.'),
}
const run_for_card_verifications = flag('Whether it also holds for verifications, which move no money.')
const gateways = list(
  object('WeightedGateway', 'A gateway of a rule.', {
    gateway_configuration_id: text('The gateway configuration.'),
    weight: orNull(count('Its share of the payments of a `split`.')),
  }),
  'The gateways, in their order.',
)

const rule = value(
  'Rule',
  z
    .discriminatedUnion('kind', [
      object('BlockingRule', 'Refuses payments, or has their customers authenticate.', {
        ...RULE,
        kind: word(['block', 'trigger_3ds'], 'What it does: refuses the payment, or asks for an authentication.'),
        run_for_card_verifications,
      }),
      object('RouteRule', 'Chooses the gateways of payments.', {
        ...RULE,
        kind: z.literal('route').describe('Chooses the gateways.'),
        gateways,
        strategy: word(
          STRATEGIES,
          '`priority` tries the gateways in their order, `split` distributes payments by weight.',
        ),
        fallback,
      }),
      object('ThreeDsRule', 'Sets parameters of the authentication.', {
        ...RULE,
        kind: z.literal('dynamic_3ds').describe('Sets parameters of the authentication.'),
        gateways,
        dynamic_3ds_params: threeDs,
        run_for_card_verifications,
      }),
    ])
    .describe('A routing rule. It can be sent back as it is shown.'),
)

const RULE_SET = {
  id: id('ruleSet', 'The version.'),
  ...OWNER,
  version: count('Its number, from 1.'),
  active: flag('Whether it decides about payments now.'),
  activated_at: orNull(instant('Since when it decides.')),
  default_currency: currency('The currency of amounts that name none.'),
  created_by: text('The secret key, or the operator, that made it.'),
  ...WRITTEN,
}

object('ListedRuleSet', 'A version of the routing rules, without its rules.', RULE_SET)

export const ruleSet = object('RuleSet', 'A version of the routing rules. It never changes.', {
  ...RULE_SET,
  text: text('The rules as they were written, comments included.'),
  rules: list(rule, 'The rules as they were read.'),
})

const result = orNull(flag('Whether it holds; null where a value is missing.'))

/** The tree of a condition with the value of each comparison. */
const explainedCondition: z.ZodType = value(
  'ExplainedCondition',
  z
    .union([
      z.strictObject({
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
      z.strictObject({
        kind: word(['and', 'or'], 'Whether all parts must hold, or one.'),
        conditions: z.lazy(() => z.array(explainedCondition)).describe('The parts.'),
        result,
      }),
      z.strictObject({
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

const facts = object('RoutingFacts', 'What rules read of the payment, by the names that the fields have in rules.', {
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
})

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
  rejected_gateways: list(
    object('RejectedGateway', 'A gateway that cannot take the payment.', {
      gateway_configuration_id: text('The gateway configuration.'),
      reason: word(REJECTIONS, 'Why it cannot.'),
    }),
    'The gateways that would be left out.',
  ),
  routing_tags: list(text('A tag.'), 'What the transaction would show in its `routing_tags`.'),
  rules: list(explainedRule, 'Every rule.'),
  facts,
  velocities: list(
    object('VelocityCount', 'A count of earlier payments that a rule asks for.', {
      path: word(VELOCITY_PATHS, 'The value that the payments have in common.'),
      interval_seconds: count('Within so many seconds.'),
      count: orNull(count('How many there were; null where the payment has no such value.')),
    }),
    'The counts that rules ask for.',
  ),
})
