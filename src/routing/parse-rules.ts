import { PROBLEMS_TOLD_MAX, RULES_MAX } from '../../domain/routing/limits.ts'
import { type ProblemContext, type RuleProblem, ruleSetProblems } from '../../domain/routing/problems.ts'
import { RULE_KINDS, type RuleDefinition, type RuleKind } from '../../domain/routing/rule.ts'
import { buildRule } from './build-rule.ts'
import type { Offsets } from './parse-condition.ts'
import { createProperties, PROPERTIES_OF, PROPERTY_PARSERS, parseBlock } from './parse-property.ts'
import { Scanner } from './scanner.ts'
import { RoutingTextError } from './text-error.ts'

/**
 * Reads the text form of a rule set: any number of
 *
 *     rule     = kind "{" [ property { ";" property } [ ";" ] ] "}"
 *     property = name ":" [ value ]
 *
 * Between any two of its parts there may be blanks, line ends and comments, written like this one. The rules are checked
 * as well, so what comes back can be numbered, stored and compiled.
 *
 * @throws RoutingTextError, and nothing else, whatever the text is
 */
export function parseRules(text: string, context: ProblemContext): RuleDefinition[] {
  const scanner: Scanner = new Scanner(text)
  const offsets: Offsets = { nodes: new Map(), properties: new Map() }
  const rules: RuleDefinition[] = []
  while (!scanner.isAtEnd()) {
    if (rules.length === RULES_MAX) scanner.fail(scanner.offset(), `a rule set has at most ${RULES_MAX} rules`)
    rules.push(parseRule(scanner, offsets))
  }
  refuseProblems(ruleSetProblems(rules, context), scanner, offsets)
  return rules
}

function refuseProblems(problems: readonly RuleProblem[], scanner: Scanner, offsets: Offsets): void {
  const placed = problems
    .map((problem) => ({ offset: offsetOf(problem, offsets), message: problem.message }))
    .toSorted((one, other) => one.offset - other.offset)
    .slice(0, PROBLEMS_TOLD_MAX)
  const [first, ...others] = placed
  if (first === undefined) return
  throw new RoutingTextError(
    scanner.placeOf(first.offset),
    first.message,
    {},
    others.map(({ offset, message }) => new RoutingTextError(scanner.placeOf(offset), message)),
  )
}

/** Where a problem lies: the property where that was written, or else the condition or rule. */
function offsetOf({ at, property }: RuleProblem, offsets: Offsets): number {
  const ofProperty = property === null ? undefined : offsets.properties.get(at)?.get(property)
  return ofProperty ?? offsets.nodes.get(at) ?? 0
}

function parseRule(scanner: Scanner, offsets: Offsets): RuleDefinition {
  const offset = scanner.offset()
  const kind = parseKind(scanner)
  const properties = createProperties()
  const given = parseBlock(scanner, PROPERTIES_OF[kind], `in ${kind} the property`, (name) => {
    Object.assign(properties, PROPERTY_PARSERS[name]?.(scanner, offsets))
  })
  const rule = buildRule(kind, properties, (problem) => scanner.fail(offset, problem))
  offsets.nodes.set(rule, offset)
  offsets.properties.set(rule, given)
  return rule
}

function parseKind(scanner: Scanner): RuleKind {
  const offset = scanner.offset()
  const word = scanner.word() ?? scanner.failNext(RULE_KINDS)
  return RULE_KINDS.find((kind) => kind === word) ?? scanner.failUnknown(offset, 'the kind of rule', word, RULE_KINDS)
}
