import { createSuggestions } from '../../../domain/nearest-name.ts'
import type { Condition } from '../../../domain/routing/condition.ts'
import { PROBLEMS_TOLD_MAX } from '../../../domain/routing/limits.ts'
import { type ProblemContext, ruleSetProblems } from '../../../domain/routing/problems.ts'
import type { RuleDefinition } from '../../../domain/routing/rule.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findRoutableGateways } from '../../persistence/queries/projects/gateway-configurations.ts'
import { findProject } from '../../persistence/queries/projects/projects.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { buildRule } from '../../routing/build-rule.ts'
import { parseConditionText } from '../../routing/parse-condition.ts'
import { createProperties, type Properties } from '../../routing/parse-property.ts'
import { parseRules } from '../../routing/parse-rules.ts'
import { printCondition, printRules } from '../../routing/print-rules.ts'
import { RoutingTextError } from '../../routing/text-error.ts'
import { ApiError, type InvalidField } from '../api-error.ts'
import type { RuleInput } from '../schemas/rules/rule-input.ts'

/** The project's data that rules are checked against. */
export async function problemContextOf(
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

type Suggest = ReturnType<typeof createSuggestions>

interface Definitions {
  rules: RuleDefinition[]
  /** The path of each rule and each part of a condition in the request, such as `rules.0.condition`. */
  pathOf: Map<object, string>
  problems: InvalidField[]
}

/** Aborts the parsing of a rule. */
class FieldProblem extends Error {
  readonly field: InvalidField

  constructor(field: InvalidField) {
    super(field.message)
    this.field = field
  }
}

function definitionsOf(inputs: readonly RuleInput[]): Definitions {
  const found: Definitions = { rules: [], pathOf: new Map(), problems: [] }
  const suggest = createSuggestions()
  for (const [index, input] of inputs.entries()) {
    // The answer shows no more problems, and each invalid text takes time.
    if (found.problems.length === PROBLEMS_TOLD_MAX) break
    const path = `rules.${index}`
    try {
      const condition = conditionOf(input, { path, pathOf: found.pathOf, suggest })
      const rule = buildRule(input.kind, { ...propertiesOf(input), condition }, (message) => {
        throw new FieldProblem({ name: path, message })
      })
      found.pathOf.set(rule, path)
      found.rules.push(rule)
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error
      found.problems.push(error.field)
    }
  }
  return found
}

function propertiesOf(input: RuleInput): Omit<Properties, 'condition'> {
  const common = { ...createProperties(), enabled: input.enabled ?? true, tags: input.tags ?? [] }
  if (input.kind === 'route') {
    const { fallback, strategy } = input
    return {
      ...common,
      gateways: gatewaysOf(input),
      strategy: strategy ?? null,
      fallback: fallback
        ? {
            // A given fallback is enabled by default.
            enabled: fallback.enabled ?? true,
            errorCodes: fallback.error_codes ?? [],
            maxAttempts: fallback.max_attempts ?? null,
          }
        : null,
    }
  }
  const runForCardVerifications = input.run_for_card_verifications ?? false
  if (input.kind !== 'dynamic_3ds') return { ...common, runForCardVerifications }
  const { sca_exemption_reason: reason, challenge_indicator: indicator } = input.dynamic_3ds_params ?? {}
  return {
    ...common,
    runForCardVerifications,
    gateways: gatewaysOf(input),
    scaExemptionReason: reason ?? null,
    challengeIndicator: indicator ?? null,
  }
}

function gatewaysOf({ gateways }: Extract<RuleInput, { gateways?: unknown }>): Properties['gateways'] {
  return (gateways ?? []).map(({ gateway_configuration_id: id, weight }) => ({ id, weight: weight ?? null }))
}

/** The condition in either form. The API returns both, so a request may send both, and they must be equal. */
function conditionOf(
  { condition: given, condition_text: text }: RuleInput,
  { path, pathOf, suggest }: { path: string; pathOf: Map<object, string>; suggest: Suggest },
): Condition | null {
  const at = `${path}.condition`
  const fromText = text == null || text.trim() === '' ? null : parsed(text, `${path}.condition_text`, suggest)
  if (given === null) return placed(fromText, `${path}.condition_text`, pathOf)
  if (typeof given === 'string') return placed(given.trim() === '' ? null : parsed(given, at, suggest), at, pathOf)
  place(given, at, pathOf, (outer, part) => `${outer}.${part}`)
  if (fromText !== null && printCondition(fromText) !== printCondition(given)) {
    const message = 'says another condition than condition; leave one of them out'
    throw new FieldProblem({ name: `${path}.condition_text`, message })
  }
  return given
}

function parsed(text: string, name: string, suggest: Suggest): Condition {
  try {
    return parseConditionText(text, suggest)
  } catch (error) {
    if (!(error instanceof RoutingTextError)) throw error
    const { line, column, message } = error
    throw new FieldProblem({ name, message, line, column })
  }
}

/** All parts of a parsed text have the path of their field. */
function placed(condition: Condition | null, path: string, pathOf: Map<object, string>): Condition | null {
  if (condition !== null) place(condition, path, pathOf, () => path)
  return condition
}

/** @param inner the path of a part, from that of the whole. */
function place(
  condition: Condition,
  path: string,
  pathOf: Map<object, string>,
  inner: (path: string, part: string) => string,
): void {
  pathOf.set(condition, path)
  if (condition.kind === 'not') place(condition.condition, inner(path, 'condition'), pathOf, inner)
  else if (condition.kind !== 'comparison')
    for (const [index, part] of condition.conditions.entries())
      place(part, inner(path, `conditions.${index}`), pathOf, inner)
}
