import { z } from 'zod'
import type { Condition } from '../../../domain/routing/condition.ts'
import { GATEWAYS_MAX, RULES_MAX } from '../../../domain/routing/limits.ts'
import { RULE_KINDS, STRATEGIES } from '../../../domain/routing/rule.ts'
import { defineInput, readInput } from '../../http/input/input.ts'
import type { BodyLimits, ParsedBody } from '../../http/middleware/body.ts'
import { InputProblems, readTree, TEXTS } from '../../objects/condition.ts'
import { expecting, isStorable, withoutEffect } from '../../objects/taken.ts'

const flag = z.boolean().nullish()
const text = z.string().nullish()
const number = z.number().nullish()

const texts = TEXTS.nullish()

/** A list that is too long is refused before its items are parsed. */
const gateways = z
  .array(z.unknown(), expecting('a list of gateways'))
  .max(GATEWAYS_MAX, `must name ${GATEWAYS_MAX} gateways at most`)
  .pipe(
    z.array(
      z.strictObject({
        gateway_configuration_id: z.string(expecting('the id of a gateway configuration')),
        weight: number,
      }),
    ),
  )
  .nullish()

const common = {
  // Part of an existing rule; each version numbers its rules anew.
  id: withoutEffect,
  position: withoutEffect,
  enabled: flag,
  // A text, or a tree, which is read node by node.
  condition: z
    .unknown()
    .meta({ anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Condition' }] })
    .optional(),
  condition_text: text,
  tags: texts,
}
const ofPayments = { ...common, run_for_card_verifications: flag }

/** The kinds of rules by their names in the document. */
export const RULE_INPUTS = {
  BlockingRuleInput: z.strictObject({ kind: z.enum(['block', 'trigger_3ds']), ...ofPayments }),
  RouteRuleInput: z.strictObject({
    kind: z.literal('route'),
    ...common,
    gateways,
    strategy: z.enum(STRATEGIES).nullish(),
    fallback: z.strictObject({ enabled: flag, error_codes: texts, max_attempts: number }).nullish(),
  }),
  ThreeDsRuleInput: z.strictObject({
    kind: z.literal('dynamic_3ds'),
    ...ofPayments,
    gateways,
    dynamic_3ds_params: z.strictObject({ sca_exemption_reason: text, challenge_indicator: text }).nullish(),
  }),
}
const { BlockingRuleInput, RouteRuleInput, ThreeDsRuleInput } = RULE_INPUTS

export const RULE = z
  .discriminatedUnion('kind', [BlockingRuleInput, RouteRuleInput, ThreeDsRuleInput], {
    error: () => `must be a rule whose kind is one of ${RULE_KINDS.join(', ')}`,
  })
  .refine(isStorable, 'has characters that cannot be stored')

/** A rule in JSON. */
export type RuleInput = z.output<typeof RULE> & { condition: string | Condition | null }

function readRule(value: unknown, index: number, problems: InputProblems): RuleInput | null {
  const rule = problems.parse(RULE, value, [index])
  if (rule === null) return null
  const { condition = null } = rule
  const isTree = condition !== null && typeof condition !== 'string'
  return { ...rule, condition: isTree ? readTree(condition, [index, 'condition'], problems) : condition }
}

const LIST = z.array(z.unknown()).max(RULES_MAX, `must have ${RULES_MAX} rules at most`)

/** Rules in the text form, or in the JSON of the API. */
export const RULES = z
  // The items are parsed by `readRule`, and shown by the schema that it parses them with.
  .union(
    [z.string(), z.array(z.unknown().meta({ $ref: '#/components/schemas/RuleInput' }))],
    expecting('a text or a list of rules'),
  )
  .transform((value, context) => {
    if (typeof value === 'string') return value
    const problems = new InputProblems()
    const list = problems.parse(LIST, value, []) ?? []
    const rules = list.map((rule, index) => readRule(rule, index, problems)).filter((rule) => rule !== null)
    if (problems.found.length === 0) return rules
    for (const { path, message } of problems.found) context.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })
  .refine((value) => typeof value !== 'string' || isStorable(value), 'has characters that cannot be stored')

/**
 * Conditions nest 20 deep, with two levels of JSON each. The entries allow any JSON of 64 KiB, so that only the size limits
 * the body.
 */
export const RULES_BODY: BodyLimits = { bytes: 65_536, depth: 64, entries: 40_000 }

export const NEW_RULE_SET = defineInput(({ flag }) => ({
  rules: RULES.describe('The rules in their order: in the text form, or a list of rules as they are shown.'),
  activate: flag.optional().describe('Whether the version decides from the next payment on; true by default.'),
}))

/** The rules of a new version, and whether it becomes active. */
export function readNewRuleSet(body: ParsedBody): { rules: string | readonly RuleInput[]; activate: boolean } {
  const { rules, activate = true } = readInput(NEW_RULE_SET, body)
  return { rules, activate }
}
