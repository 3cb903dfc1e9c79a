import { z } from 'zod'
import { RULE_KINDS, STRATEGIES } from '../../../../domain/routing/rule.ts'
import { expecting, isStorable, withoutEffect } from '../fields/fields.ts'
import { CONDITION } from './condition-input.ts'

const flag = z.boolean(expecting('true or false'))
const words = z.array(z.string(expecting('a text')), expecting('a list of texts'))

/** Tells what is wrong inside a value that was read by itself, with its place. */
function passOn({ issues }: z.ZodError, context: z.RefinementCtx): void {
  for (const issue of issues) {
    const message = issue.code === 'unrecognized_keys' ? `has no field ${issue.keys.join(', ')}` : issue.message
    context.addIssue({ code: 'custom', path: issue.path, message })
  }
}

/** A condition as a tree, or in the text form. */
const condition = z
  .unknown()
  .prefault(null)
  .transform((value, context) => {
    if (value === undefined || value === null || typeof value === 'string') return value ?? null
    const read = CONDITION.safeParse(value)
    if (read.success) return read.data
    passOn(read.error, context)
    return z.NEVER
  })

const gateways = z.array(
  z.strictObject(
    {
      gateway_configuration_id: z.string(expecting('the id of a gateway configuration')),
      weight: z.number(expecting('a whole number')).nullish(),
    },
    expecting('an object with gateway_configuration_id and weight'),
  ),
  expecting('a list of gateways'),
)

const common = {
  // Told of a rule that is there; each version numbers its rules anew.
  id: withoutEffect,
  position: withoutEffect,
  enabled: flag.nullish(),
  condition,
  condition_text: z.string(expecting('a text')).nullish(),
  tags: words.nullish(),
}
const ofPayments = { ...common, run_for_card_verifications: flag.nullish() }

const RULE = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.enum(['block', 'trigger_3ds']), ...ofPayments }),
      z.strictObject({
        kind: z.literal('route'),
        ...common,
        gateways: gateways.nullish(),
        strategy: z.enum(STRATEGIES, { error: () => `must be one of ${STRATEGIES.join(', ')}` }).nullish(),
        fallback: z
          .strictObject(
            {
              enabled: flag.nullish(),
              error_codes: words.nullish(),
              max_attempts: z.number(expecting('a whole number')).nullish(),
            },
            expecting('an object'),
          )
          .nullish(),
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

/** A rule as a merchant sends it in JSON. */
export type RuleInput = z.output<typeof RULE>

/** Rules in the text form, or as the interface tells them. */
export const RULES = z
  .union([z.string(), z.array(z.unknown())], expecting('a text or a list of rules'))
  .transform((value, context) => {
    if (typeof value === 'string') return value
    const read = z.array(RULE).safeParse(value)
    if (read.success) return read.data
    passOn(read.error, context)
    return z.NEVER
  })
  .refine((value) => typeof value !== 'string' || isStorable(value), 'has characters that cannot be stored')
