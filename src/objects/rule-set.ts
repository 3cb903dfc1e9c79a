import { z } from 'zod'
import type { Rule } from '../../domain/routing/rule.ts'
import { CHALLENGE_INDICATORS, SCA_EXEMPTION_REASONS, STRATEGIES } from '../../domain/routing/rule.ts'
import type { RuleSetRow } from '../persistence/entities/rule-set.ts'
import { shownColumns } from './columns.ts'
import { CONDITION } from './condition.ts'
import { object, type Shown, value } from './object.ts'
import { count, currency, flag, id, instant, list, OWNER, orNull, text, WRITTEN, word } from './shown.ts'
import { presentTimestamp } from './values.ts'

export const fallback = object('Fallback', 'Whether the next gateway is tried after a failure.', {
  enabled: flag('Whether the next gateway is tried.'),
  error_codes: list(
    text('An error code.'),
    'The failures after which it is; empty for all that another gateway may not repeat.',
  ),
  max_attempts: count('Attempts of one payment in all, the first included.'),
})

export const THREE_DS = {
  sca_exemption_reason: orNull(
    word(SCA_EXEMPTION_REASONS, 'The exemption that is asked for; null takes that of the invoice.'),
  ),
  challenge_indicator: orNull(
    word(CHALLENGE_INDICATORS, 'The challenge that is wished for; null takes that of the invoice.'),
  ),
}
const threeDs = object('ThreeDsParameters', 'Parameters of the authentication.', THREE_DS)

const RULE = {
  id: id('rule', 'The rule.'),
  position: count('Its place in the set, from 1.'),
  enabled: flag('Whether it takes part.'),
  condition: orNull(CONDITION),
  condition_text: orNull(text('The condition in the text form; null for every payment.')),
  tags: list(text('A tag.'), 'What the transaction shows in its `routing_tags`.'),
}
const run_for_card_verifications = flag('Whether it also holds for verifications, which move no money.')
const weightedGateway = object('WeightedGateway', 'A gateway of a rule.', {
  gateway_configuration_id: text('The gateway configuration.'),
  weight: orNull(count('Its share of the payments of a `split`.')),
})
const gateways = list(weightedGateway, 'The gateways, in their order.')

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

const listedRuleSet = object('ListedRuleSet', 'A version of the routing rules, without its rules.', RULE_SET)

export const ruleSet = object('RuleSet', 'A version of the routing rules. It never changes.', {
  ...RULE_SET,
  text: text('The rules as they were written, comments included.'),
  rules: list(rule, 'The rules as they were read.'),
})

/** A version of the routing rules as it stands in a list: without its rules, which may be hundreds. */
export function presentListedRuleSet(row: RuleSetRow, activatedAt: Date | null): Shown<typeof listedRuleSet> {
  return {
    ...shownColumns(RULE_SET, row),
    active: activatedAt !== null,
    activated_at: presentTimestamp(activatedAt),
  }
}

/**
 * A version of the routing rules, as it was written and as it was read.
 *
 * @param printCondition a condition in the text form
 */
export function presentRuleSet(
  row: RuleSetRow,
  activatedAt: Date | null,
  printCondition: ConditionPrinter,
): Shown<typeof ruleSet> {
  return {
    ...presentListedRuleSet(row, activatedAt),
    text: row.text,
    rules: row.rules.map((rule) => presentRule(rule, printCondition)),
  }
}

export type ConditionPrinter = (condition: NonNullable<Rule['condition']>) => string

/** A rule, so that what is told can be sent back as it is. */
function presentRule(rule: Rule, printCondition: ConditionPrinter) {
  const { kind, condition } = rule
  return {
    ...shownColumns(RULE, rule),
    kind,
    condition_text: condition === null ? null : printCondition(condition),
    ...presentProperties(rule),
  }
}

function presentProperties(rule: Rule) {
  switch (rule.kind) {
    case 'route':
      return {
        gateways: rule.gateways.map((gateway) => shownColumns(weightedGateway.shape, gateway)),
        strategy: rule.strategy,
        fallback: shownColumns(fallback.shape, rule.fallback),
      }
    case 'dynamic_3ds':
      return {
        gateways: rule.gatewayConfigurationIds.map((id) => ({ gateway_configuration_id: id, weight: null })),
        dynamic_3ds_params: shownColumns(THREE_DS, rule.parameters),
        run_for_card_verifications: rule.runForCardVerifications,
      }
    default:
      return { run_for_card_verifications: rule.runForCardVerifications }
  }
}
