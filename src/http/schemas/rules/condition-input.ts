import { z } from 'zod'
import type { createSuggestions } from '../../../../domain/nearest-name.ts'
import { type Condition, FIELD_NAMES, OPERATORS, VELOCITY_PATHS } from '../../../../domain/routing/condition.ts'
import { expecting } from '../fields/fields.ts'
import { PROBLEMS_MAX } from '../fields/input.ts'

/** A problem inside a value, with its path. */
export interface PlacedProblem {
  path: PropertyKey[]
  message: string
}

/** The problems of one request, up to the answer's maximum. */
export interface RuleProblems {
  found: PlacedProblem[]
  /** Suggests the word that was probably meant, for the first few. */
  suggest: ReturnType<typeof createSuggestions>
}

/** True stops reading: a request can have many thousand problems, and each takes time. */
export function hasEnough({ found }: RuleProblems): boolean {
  return found.length >= PROBLEMS_MAX
}

/** Adds the problems of a value at a path of the request. */
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

/** One of several words; the message lists them. */
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

/** Checked as a whole: a long list of numbers is one problem, not one for each item. */
const VALUE = z.custom<Value>(
  (value) =>
    value === null ||
    ['string', 'boolean'].includes(typeof value) ||
    (Array.isArray(value) && value.every((one) => typeof one === 'string')),
  { error: () => 'must be a text, true, false, null or a list of texts; numbers are texts, such as "30"' },
)

/** One node of the tree; its children are parsed separately. */
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
 * Parses the tree of a condition node by node, and adds its problems. The limit of the body has already limited its depth.
 *
 * @returns null for an invalid condition.
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
