import { z } from 'zod'
import { createSuggestions } from '../../../../domain/nearest-name.ts'
import type { Condition } from '../../../../domain/routing/condition.ts'
import { GATEWAYS_MAX, RULES_MAX } from '../../../../domain/routing/limits.ts'
import { RULE_KINDS, STRATEGIES } from '../../../../domain/routing/rule.ts'
import type { BodyLimits, ParsedBody } from '../../middleware/body.ts'
import { expecting, group, isStorable, withoutEffect } from '../fields/fields.ts'
import { defineInput, readInput } from '../fields/input.ts'
import { addIssues, hasEnough, type RuleProblems, readCondition } from './condition-input.ts'

const flag = z.boolean(expecting('true or false'))

/** Texts, checked as a whole: a long list of other values is one problem, not one for each item. */
const words = z
  .custom<string[]>(
    (value) => Array.isArray(value) && value.every((word) => typeof word === 'string'),
    expecting('a list of texts'),
  )
  .meta({ type: 'array', items: { type: 'string' } })

/** A list that is too long is refused before its items are parsed. */
const gateways = z
  .array(z.unknown(), expecting('a list of gateways'))
  .max(GATEWAYS_MAX, `must name ${GATEWAYS_MAX} gateways at most`)
  .pipe(
    z.array(
      z.strictObject(
        {
          gateway_configuration_id: z.string(expecting('the id of a gateway configuration')),
          weight: z.number(expecting('a whole number')).nullish(),
        },
        expecting('an object with gateway_configuration_id and weight'),
      ),
    ),
  )

const common = {
  // Part of an existing rule; each version numbers its rules anew.
  id: withoutEffect,
  position: withoutEffect,
  enabled: flag.nullish(),
  // A tree, which is parsed separately, or the text form.
  condition: z
    .unknown()
    .meta({ anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Condition' }] })
    .optional(),
  condition_text: z.string(expecting('a text')).nullish(),
  tags: words.nullish(),
}
const ofPayments = { ...common, run_for_card_verifications: flag.nullish() }

export const RULE = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.enum(['block', 'trigger_3ds']), ...ofPayments }),
      z.strictObject({
        kind: z.literal('route'),
        ...common,
        gateways: gateways.nullish(),
        strategy: z.enum(STRATEGIES, { error: () => `must be one of ${STRATEGIES.join(', ')}` }).nullish(),
        fallback: group({
          enabled: flag.nullish(),
          error_codes: words.nullish(),
          max_attempts: z.number(expecting('a whole number')).nullish(),
        }).nullish(),
      }),
      z.strictObject({
        kind: z.literal('dynamic_3ds'),
        ...ofPayments,
        gateways: gateways.nullish(),
        dynamic_3ds_params: z
          .strictObject({ sca_exemption_reason: optionalWordOrNull(), challenge_indicator: optionalWordOrNull() })
          .nullish(),
      }),
    ],
    { error: () => `must be a rule whose kind is one of ${RULE_KINDS.join(', ')}` },
  )
  .refine(isStorable, 'has characters that cannot be stored')

function optionalWordOrNull() {
  return z.string(expecting('a text')).nullish()
}

/** A rule in JSON. */
export type RuleInput = z.output<typeof RULE> & { condition: string | Condition | null }

/** Parses a list of rules one by one, and stops at the answer's maximum of problems: a body can have many thousand. */
function readRuleList(values: readonly unknown[], problems: RuleProblems): RuleInput[] {
  if (values.length > RULES_MAX) {
    problems.found.push({ path: [], message: `must have ${RULES_MAX} rules at most` })
    return []
  }
  const rules: RuleInput[] = []
  for (const [index, value] of values.entries()) {
    if (hasEnough(problems)) break
    const read = RULE.safeParse(value)
    if (!read.success) {
      addIssues(problems, read.error.issues, { value, path: [index] })
      continue
    }
    const { condition } = read.data
    const isTree = condition !== undefined && condition !== null && typeof condition !== 'string'
    const given = isTree ? readCondition(condition, [index, 'condition'], problems) : (condition ?? null)
    rules.push({ ...read.data, condition: given })
  }
  return rules
}

/** Rules in the text form, or in the JSON of the API. */
export const RULES = z
  // The items are parsed by `readRuleList`, and shown by the schema that it parses them with.
  .union(
    [z.string(), z.array(z.unknown().meta({ $ref: '#/components/schemas/RuleInput' }))],
    expecting('a text or a list of rules'),
  )
  .transform((value, context) => {
    if (typeof value === 'string') return value
    const problems: RuleProblems = { found: [], suggest: createSuggestions() }
    const rules = readRuleList(value, problems)
    for (const { path, message } of problems.found) context.addIssue({ code: 'custom', path, message })
    return problems.found.length === 0 ? rules : z.NEVER
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
