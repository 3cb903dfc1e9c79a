import { z } from 'zod'
import { nearestName } from '../../../../domain/nearest-name.ts'
import { type Condition, FIELD_NAMES, OPERATORS, VELOCITY_PATHS } from '../../../../domain/routing/condition.ts'
import { expecting } from '../fields/fields.ts'

/** One of a few words; says which, and which was probably meant. */
const oneOf = <const Word extends string>(words: readonly Word[]) =>
  z.enum(words, {
    error: ({ input }) => {
      const nearest = typeof input === 'string' ? nearestName(input, words) : undefined
      return `must be one of ${words.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
    },
  })

const kinds = (...words: string[]) => ({ error: () => `must have a kind: ${words.join(', ')}` })

const OPERAND = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('field'), name: oneOf(FIELD_NAMES) }),
    z.strictObject({ kind: z.literal('metadata'), key: z.string(expecting('a text')) }),
    z.strictObject({ kind: z.literal('rand') }),
    z.strictObject({
      kind: z.literal('velocity'),
      path: oneOf(VELOCITY_PATHS),
      interval: z.string(expecting('a text such as 1h')),
    }),
  ],
  kinds('field', 'metadata', 'rand', 'velocity'),
)

const VALUE = z.union([z.string(), z.boolean(), z.null(), z.array(z.string())], {
  error: () => 'must be a text, true, false, null or a list of texts; numbers are texts, such as "30"',
})

/** The tree of a condition. How deep it may be is judged before: the body of the request has a limit. */
export const CONDITION: z.ZodType<Condition> = z.lazy(() =>
  z.discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.enum(['and', 'or']),
        conditions: z.array(CONDITION, expecting('a list of conditions')).min(2, 'must be two conditions or more'),
      }),
      z.strictObject({ kind: z.literal('not'), condition: CONDITION }),
      z.strictObject({ kind: z.literal('comparison'), operand: OPERAND, operator: oneOf(OPERATORS), value: VALUE }),
    ],
    kinds('and', 'or', 'not', 'comparison'),
  ),
)
