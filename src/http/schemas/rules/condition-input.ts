import { z } from 'zod'
import type { createSuggestions } from '../../../../domain/nearest-name.ts'
import { type Condition, FIELD_NAMES, OPERATORS, VELOCITY_PATHS } from '../../../../domain/routing/condition.ts'
import { expecting } from '../fields/fields.ts'
import { PROBLEMS_MAX } from '../fields/input.ts'

/** What is wrong inside a value, with its place there. */
export interface PlacedProblem {
  path: PropertyKey[]
  message: string
}

/** The problems of one request, as far as its answer tells them. */
export interface RuleProblems {
  found: PlacedProblem[]
  /** Finds the word that was probably meant, for the first few. */
  suggest: ReturnType<typeof createSuggestions>
}

/** Nothing more is read where it is true: a request can hold many thousand problems, and each takes time. */
export function hasEnough({ found }: RuleProblems): boolean {
  return found.length >= PROBLEMS_MAX
}

/** Adds what is wrong inside a value that stands at a path of the request. */
export function addIssues(
  problems: RuleProblems,
  issues: readonly z.core.$ZodIssue[],
  { value, path }: { value: unknown; path: readonly PropertyKey[] },
): void {
  for (const issue of issues) {
    if (hasEnough(problems)) return
    problems.found.push({ path: [...path, ...issue.path], message: messageOf(issue, value, problems) })
  }
}

function messageOf(issue: z.core.$ZodIssue, value: unknown, { suggest }: RuleProblems): string {
  if (issue.code === 'unrecognized_keys') return `has no field ${issue.keys.slice(0, PROBLEMS_MAX).join(', ')}`
  if (issue.code !== 'invalid_value') return issue.message
  const given = issue.path.reduce<unknown>((inner, step) => (inner as Record<PropertyKey, unknown>)[step], value)
  const nearest = typeof given === 'string' ? suggest(given, issue.values.map(String)) : undefined
  return nearest === undefined ? issue.message : `${issue.message}; did you mean ${nearest}?`
}

/** One of a few words; says which. */
const oneOf = <const Word extends string>(words: readonly Word[]) => {
  const message = `must be one of ${words.join(', ')}`
  return z.enum(words, { error: () => message })
}

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

type Value = string | boolean | null | string[]

/** Judged as a whole: a long list of numbers has one problem and not one for each of them. */
const VALUE = z.custom<Value>(
  (value) =>
    value === null ||
    ['string', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  { error: () => 'must be a text, true, false, null or a list of texts; numbers are texts, such as "30"' },
)

/** One node of the tree; what is below it is read by itself. */
const NODE = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({
      kind: z.enum(['and', 'or']),
      conditions: z.array(z.unknown(), expecting('a list of conditions')).min(2, 'must be two conditions or more'),
    }),
    z.strictObject({ kind: z.literal('not'), condition: z.unknown() }),
    z.strictObject({ kind: z.literal('comparison'), operand: OPERAND, operator: oneOf(OPERATORS), value: VALUE }),
  ],
  kinds('and', 'or', 'not', 'comparison'),
)

/**
 * Reads the tree of a condition node by node, and adds what is wrong to the problems. How deep it may be is judged before:
 * the body of the request has a limit.
 *
 * @returns null where something is wrong.
 */
export function readCondition(value: unknown, path: readonly PropertyKey[], problems: RuleProblems): Condition | null {
  if (hasEnough(problems)) return null
  const node = NODE.safeParse(value)
  if (!node.success) {
    addIssues(problems, node.error.issues, { value, path })
    return null
  }
  const { data } = node
  if (data.kind === 'comparison') return data
  if (data.kind === 'not') {
    const condition = readCondition(data.condition, [...path, 'condition'], problems)
    return condition === null ? null : { kind: 'not', condition }
  }
  const conditions: Condition[] = []
  for (const [index, part] of data.conditions.entries()) {
    const condition = readCondition(part, [...path, 'conditions', index], problems)
    if (condition !== null) conditions.push(condition)
    else if (hasEnough(problems)) return null
  }
  return conditions.length < data.conditions.length ? null : { kind: data.kind, conditions }
}
