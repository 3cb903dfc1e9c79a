import { z } from 'zod'
import { createSuggestions } from '../../domain/nearest-name.ts'
import { type Condition, FIELD_NAMES, OPERATORS, VELOCITY_PATHS } from '../../domain/routing/condition.ts'
import { object, value } from './object.ts'
import { expecting, PROBLEMS_MAX } from './taken.ts'

const kinds = (...words: string[]) => ({ error: () => `must have a kind: ${words.join(', ')}` })

const OPERAND = value(
  'Operand',
  z
    .discriminatedUnion(
      'kind',
      [
        object('FieldOperand', 'A value of the payment.', {
          kind: z.literal('field').describe('A value of the payment.'),
          name: z.enum(FIELD_NAMES).describe('Which one.'),
        }),
        object('MetadataOperand', 'A value of the metadata of the invoice.', {
          kind: z.literal('metadata').describe('A value of the metadata of the invoice.'),
          key: z.string().describe('Its key.'),
        }),
        object('RandomOperand', 'A number by which payments are distributed.', {
          kind: z.literal('rand').describe('A number from 0 to 1, always the same for one payment and one rule.'),
        }),
        object('VelocityOperand', 'A count of earlier payments.', {
          kind: z.literal('velocity').describe('How many earlier payments had the same value.'),
          path: z.enum(VELOCITY_PATHS).describe('The value that they have in common.'),
          interval: z.string(expecting('a text such as 1h')).describe('Within which time, such as `1h`.'),
        }),
      ],
      kinds('field', 'metadata', 'rand', 'velocity'),
    )
    .describe('What is compared.'),
)

/** Checked as a whole: a long list of other values is one problem, not one for each item. */
export const TEXTS = z
  .custom<string[]>(
    (value) => Array.isArray(value) && value.every((word) => typeof word === 'string'),
    expecting('a list of texts'),
  )
  .meta({ type: 'array', items: { type: 'string' } })

/** The right side of a comparison. */
export const VALUE = z
  .union([z.string(), z.boolean(), TEXTS], {
    error: () => 'must be a text, true, false, null or a list of texts; numbers are texts, such as "30"',
  })
  .nullable()

const COMPARISON = object('Comparison', 'A condition that compares a value of the payment.', {
  kind: z.literal('comparison').describe('Compares a value of the payment.'),
  operand: OPERAND,
  operator: z.enum(OPERATORS).describe('How it is compared.'),
  value: VALUE.describe('With what: numbers are texts, a list goes with `in` and `not-in`, null is a missing value.'),
})

/** What the nodes that consist of others have, with these parts. */
const combined = <Part extends z.ZodType>(part: Part) => ({
  kind: z.enum(['and', 'or']).describe('Whether all parts must hold, or one.'),
  conditions: z
    .array(part, expecting('a list of conditions'))
    .refine(({ length }) => length >= 2, 'must be two conditions or more')
    .describe('The parts, two or more.'),
})
const negated = <Part extends z.ZodType>(part: Part) => ({
  kind: z.literal('not').describe('Holds where its part does not.'),
  condition: part.describe('The part.'),
})

const NODE_KINDS = kinds('and', 'or', 'not', 'comparison')

const PART: z.ZodType<Condition> = z.lazy(() => CONDITION)

/** The tree of a condition, as rules show it and take it. Its nodes have names, because generated clients cannot do without. */
export const CONDITION: z.ZodType<Condition> = value(
  'Condition',
  z
    .discriminatedUnion(
      'kind',
      [
        COMPARISON,
        object('Combination', 'A condition that consists of others.', combined(PART)),
        object('Negation', 'A condition that holds where another does not.', negated(PART)),
      ],
      NODE_KINDS,
    )
    .describe('For which payments the rule holds; null for every payment.'),
)

/** One node, whose parts are read after it. */
const NODE = z.discriminatedUnion(
  'kind',
  [COMPARISON, z.strictObject(combined(z.unknown())), z.strictObject(negated(z.unknown()))],
  NODE_KINDS,
)

/** The problems of one request, no more than the answer shows: it can have many thousand, and each takes time. */
export class InputProblems {
  readonly found: { path: PropertyKey[]; message: string }[] = []
  readonly #suggest = createSuggestions()

  /** @returns null where the value does not fit, or problems enough are known. */
  parse<Output>(schema: z.ZodType<Output>, value: unknown, path: readonly PropertyKey[]): Output | null {
    if (this.found.length >= PROBLEMS_MAX) return null
    const read = schema.safeParse(value, { error: (issue) => this.#describe(issue) })
    if (read.success) return read.data
    for (const issue of read.error.issues) this.found.push({ path: [...path, ...issue.path], message: issue.message })
    return null
  }

  #describe(issue: z.core.$ZodRawIssue): string | undefined {
    if (issue.code === 'unrecognized_keys') return `has no field ${issue.keys.slice(0, PROBLEMS_MAX).join(', ')}`
    if (issue.code === 'invalid_type') return expecting(TYPES[issue.expected] ?? issue.expected).error(issue)
    if (issue.code !== 'invalid_value') return undefined
    const words = issue.values.map(String)
    const nearest = typeof issue.input === 'string' ? this.#suggest(issue.input, words) : undefined
    return `must be one of ${words.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  number: 'a whole number',
  object: 'an object',
}

/** Reads the tree of a condition node by node; null where it has problems. The limit of the body has limited its depth. */
export function readTree(value: unknown, path: readonly PropertyKey[], problems: InputProblems): Condition | null {
  const node = problems.parse(NODE, value, path)
  if (node === null || node.kind === 'comparison') return node
  if (node.kind === 'not') {
    const condition = readTree(node.condition, [...path, 'condition'], problems)
    return condition && { kind: 'not', condition }
  }
  const parts = node.conditions.map((part, index) => readTree(part, [...path, 'conditions', index], problems))
  const conditions = parts.filter((part) => part !== null)
  return conditions.length < parts.length ? null : { kind: node.kind, conditions }
}
