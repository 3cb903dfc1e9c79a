import { createSuggestions, type nearestName } from '../../../domain/nearest-name.ts'
import type { Condition } from '../../../domain/routing/condition.ts'
import { PROBLEMS_TOLD_MAX } from '../../../domain/routing/limits.ts'
import { type ProblemContext, ruleSetProblems } from '../../../domain/routing/problems.ts'
import type { RuleDefinition } from '../../../domain/routing/rule.ts'
import { ApiError, type InvalidField } from '../../http/api-error.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findRoutableGateways } from '../../persistence/queries/projects/gateway-configurations.ts'
import { findProject } from '../../persistence/queries/projects/projects.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { parseConditionText } from '../../routing/parse-condition.ts'
import { parseRules } from '../../routing/parse-rules.ts'
import { printCondition, printRules } from '../../routing/print-rules.ts'
import { RoutingTextError } from '../../routing/scanner.ts'
import { completeRule } from '../../routing/written-rule.ts'
import type { RuleInput } from './rule-input.ts'

/** The project's data that rules are checked against. */
export async function findProblemContext(
  em: EntityManager,
  scope: Scope,
): Promise<ProblemContext & { gatewayConfigurationIds: string[] }> {
  const project = await findProject(em, scope.projectId)
  if (project === null) throw new Error('A caller has a project.')
  const gateways = await findRoutableGateways(em, scope)
  return { defaultCurrency: project.defaultCurrency, gatewayConfigurationIds: gateways.map(({ id }) => id) }
}

/** The text of rules, and the parsed rules. */
export interface WrittenRules {
  text: string
  rules: RuleDefinition[]
}

/**
 * Parses and checks rules in either form; rules in JSON are printed as text.
 *
 * @throws ApiError with all problems: in a text by line and column, in JSON by the path of the field.
 */
export function readRules(given: string | readonly RuleInput[], context: ProblemContext): WrittenRules {
  const rules = typeof given === 'string' ? readText(given, context) : readList(given, context)
  if (rules.length === 0)
    throw invalidRules([{ name: 'rules', message: 'has no rule; DELETE /routing-rules leaves payments without rules' }])
  return { text: typeof given === 'string' ? given : printRules(rules), rules }
}

function readText(text: string, context: ProblemContext): RuleDefinition[] {
  try {
    return parseRules(text, context)
  } catch (error) {
    if (!(error instanceof RoutingTextError)) throw error
    throw invalidRules([error, ...error.others].map((problem) => placed('rules', problem)))
  }
}

function readList(inputs: readonly RuleInput[], context: ProblemContext): RuleDefinition[] {
  const paths: Paths = new Map()
  const problems: InvalidField[] = []
  const suggest = createSuggestions()
  const rules: RuleDefinition[] = []
  for (const [index, input] of inputs.entries()) {
    // The answer shows no more problems, and each invalid text takes time.
    if (problems.length === PROBLEMS_TOLD_MAX) break
    const path = `rules.${index}`
    try {
      const rule = completeRule({ ...input, condition: readCondition(input, path, paths, suggest) }, (message) => {
        throw new FieldProblem({ name: path, message })
      })
      paths.set(rule, path)
      rules.push(rule)
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      problems.push(error.field)
    }
  }
  if (problems.length > 0) throw invalidRules(problems)
  const found = ruleSetProblems(rules, context).map(({ at, property, message }) => {
    const path = paths.get(at) ?? 'rules'
    return { name: property === null ? path : `${path}.${property}`, message }
  })
  if (found.length > 0) throw invalidRules(found)
  return rules
}

/** The message is that of the first problem; the invalid fields list all. */
function invalidRules(problems: readonly InvalidField[]): ApiError {
  const [first] = problems
  const isOfText = first?.line !== undefined
  const message = isOfText ? first.message : `${first?.name ?? 'rules'} ${first?.message ?? 'cannot be read'}`
  return new ApiError('request.validation.error', {
    message: /[.?]$/.test(message) ? message : `${message}.`,
    invalidFields: problems.slice(0, PROBLEMS_TOLD_MAX),
  })
}

/** Where each rule and each part of a condition stands in the request, such as `rules.0.condition`. */
type Paths = Map<object, string>

/** Aborts the reading of a rule. */
class FieldProblem extends Error {
  readonly field: InvalidField

  constructor(field: InvalidField) {
    super(field.message)
    this.field = field
  }
}

/**
 * The condition in either form. Answers show both, so a request may send both, and they must be equal; a blank text counts
 * as absent.
 */
function readCondition(
  { condition, condition_text: text }: RuleInput,
  path: string,
  paths: Paths,
  suggest: typeof nearestName,
): Condition | null {
  const [name, textName] = [`${path}.condition`, `${path}.condition_text`]
  const read = (written: string, at: string) => (written.trim() === '' ? null : readTextAt(written, at, paths, suggest))
  const fromText = read(text ?? '', textName)
  if (typeof condition === 'object' && condition !== null) placeTree(condition, name, paths)
  const given = typeof condition === 'string' ? read(condition, name) : condition
  if (given === null || fromText === null || printCondition(given) === printCondition(fromText))
    return given ?? fromText
  const message = 'says another condition than condition; leave one of them out'
  throw new FieldProblem({ name: textName, message })
}

/** All parts of a text have the path of its field. */
function readTextAt(text: string, name: string, paths: Paths, suggest: typeof nearestName): Condition {
  try {
    const { condition, parts } = parseConditionText(text, suggest)
    for (const part of parts) paths.set(part, name)
    return condition
  } catch (error) {
    if (error instanceof RoutingTextError) throw new FieldProblem(placed(name, error))
    throw error
  }
}

function placed(name: string, { message, line, column }: RoutingTextError): InvalidField {
  return { name, message, line, column }
}

function placeTree(condition: Condition, path: string, paths: Paths): void {
  paths.set(condition, path)
  if (condition.kind === 'not') placeTree(condition.condition, `${path}.condition`, paths)
  else if (condition.kind !== 'comparison')
    for (const [index, part] of condition.conditions.entries()) placeTree(part, `${path}.conditions.${index}`, paths)
}
