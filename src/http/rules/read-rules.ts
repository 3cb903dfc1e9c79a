import { PROBLEMS_TOLD_MAX } from '../../../domain/routing/limits.ts'
import { type ProblemContext, ruleSetProblems } from '../../../domain/routing/problems.ts'
import type { RuleDefinition } from '../../../domain/routing/rule.ts'
import { parseRules } from '../../routing/parse-rules.ts'
import { printRules } from '../../routing/print-rules.ts'
import { RoutingTextError } from '../../routing/text-error.ts'
import { ApiError, type InvalidField } from '../api-error.ts'
import type { RuleInput } from '../schemas/rules/rule-input.ts'
import { definitionsOf } from './rule-definitions.ts'

/** Rules as they were written, and what they were read as. */
export interface WrittenRules {
  text: string
  rules: RuleDefinition[]
}

/**
 * Reads rules in either form and checks them; of those in JSON it makes the text.
 *
 * @throws ApiError that names what is wrong: in a text by line and column, in JSON by the path of the field.
 */
export function readRules(given: string | readonly RuleInput[], context: ProblemContext): WrittenRules {
  const written = typeof given === 'string' ? readText(given, context) : readList(given, context)
  if (written.rules.length > 0) return written
  const message = 'has no rule; DELETE /routing-rules leaves payments without rules'
  throw invalidRules([{ name: 'rules', message }])
}

function readText(text: string, context: ProblemContext): WrittenRules {
  try {
    return { text, rules: parseRules(text, context) }
  } catch (error) {
    if (!(error instanceof RoutingTextError)) throw error
    throw invalidRules(
      [error, ...error.others].map(({ line, column, message }) => ({ name: 'rules', message, line, column })),
    )
  }
}

function readList(inputs: readonly RuleInput[], context: ProblemContext): WrittenRules {
  const { rules, pathOf, problems } = definitionsOf(inputs)
  if (problems.length > 0) throw invalidRules(problems)
  const found = ruleSetProblems(rules, context).map(({ at, property, message }) => {
    const path = pathOf.get(at) ?? 'rules'
    return { name: property === null ? path : `${path}.${property}`, message }
  })
  if (found.length > 0) throw invalidRules(found)
  return { text: printRules(rules), rules }
}

/** The sentence of the answer is the first of them; each stands among the invalid fields. */
function invalidRules(problems: readonly InvalidField[]): ApiError {
  const [first] = problems
  const isOfText = first?.line !== undefined
  const message = isOfText ? first.message : `${first?.name ?? 'rules'} ${first?.message ?? 'cannot be read'}`
  return new ApiError('request.validation.error', {
    message: /[.?]$/.test(message) ? message : `${message}.`,
    invalidFields: problems.slice(0, PROBLEMS_TOLD_MAX),
  })
}
