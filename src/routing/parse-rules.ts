import { PROBLEMS_TOLD_MAX, RULES_MAX } from '../../domain/routing/limits.ts'
import { type ProblemContext, ruleSetProblems } from '../../domain/routing/problems.ts'
import { RULE_KINDS, type RuleDefinition, type RuleKind, STRATEGIES } from '../../domain/routing/rule.ts'
import { parseCondition } from './parse-condition.ts'
import { Scanner } from './scanner.ts'
import { completeRule, type WrittenGateway, type WrittenRule } from './written-rule.ts'

type Parse<Value> = (scanner: Scanner) => Value
type Properties<Owner> = { readonly [Name in keyof Owner]?: Parse<Owner[Name]> }

const parseFlag: Parse<boolean> = (scanner) => scanner.oneOf(['true', 'false'], 'the value') === 'true'

function parseGateway(scanner: Scanner): WrittenGateway {
  return { gateway_configuration_id: scanner.word('the id of a gateway configuration'), weight: scanner.wholeNumber() }
}

/** A tag ends with one of these, or with a comment. */
const TAG = /(?:[^,;{}"/]|\/(?!\*))+/y

/** Tags stand as they are, up to a comma or the end of the property; with quotes they may contain those. */
function parseTag(scanner: Scanner): string {
  const quoted = scanner.quoted()
  if (quoted !== null) return quoted
  const parts: string[] = []
  for (let part = scanner.match(TAG, ['a tag']); part !== null; part = scanner.match(TAG)) parts.push(part)
  return parts.join(' ').trim().replaceAll(/\s+/g, ' ') || scanner.fail()
}

const FALLBACK: Properties<NonNullable<WrittenRule['fallback']>> = {
  enabled: parseFlag,
  error_codes: (scanner) => scanner.list(() => scanner.word('an error code')),
  max_attempts: (scanner) => scanner.wholeNumber() ?? scanner.fail(),
}

const parseWord: Parse<string> = (scanner) => scanner.text().replaceAll('_', '-')
const THREE_DS: Properties<NonNullable<WrittenRule['dynamic_3ds_params']>> = {
  sca_exemption_reason: parseWord,
  challenge_indicator: parseWord,
}

/** Of all kinds. Block and trigger_3ds know `gateways` too, so that it can be left blank there. */
const COMMON: Properties<WrittenRule> = {
  condition: parseCondition,
  tags: (scanner) => scanner.list(parseTag),
  enabled: parseFlag,
  gateways: (scanner) => scanner.list(parseGateway),
}

/** How the value of each property is read, by the kinds of rules that have it. */
export const PROPERTIES: Readonly<Record<RuleKind, Properties<WrittenRule>>> = {
  block: { ...COMMON, run_for_card_verifications: parseFlag },
  trigger_3ds: { ...COMMON, run_for_card_verifications: parseFlag },
  route: {
    ...COMMON,
    strategy: (scanner) => scanner.oneOf(STRATEGIES, 'the strategy'),
    // `true` has all defaults.
    fallback: (scanner) =>
      scanner.isNext('{') ? parseBlock(scanner, FALLBACK, 'the property') : parseFlag(scanner) ? {} : null,
  },
  dynamic_3ds: {
    ...COMMON,
    dynamic_3ds_params: (scanner) => parseBlock(scanner, THREE_DS, 'the property'),
    run_for_card_verifications: parseFlag,
  },
}

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
  const rules: RuleDefinition[] = []
  while (!scanner.isAtEnd()) {
    if (rules.length === RULES_MAX) scanner.failAt(scanner.offset(), `a rule set has at most ${RULES_MAX} rules`)
    rules.push(parseRule(scanner))
  }
  const [first, ...others] = ruleSetProblems(rules, context)
    .map(({ at, property, message }) => ({ offset: scanner.locate(at, property), message }))
    .toSorted((one, other) => one.offset - other.offset)
    .slice(0, PROBLEMS_TOLD_MAX)
  if (first === undefined) return rules
  const more = others.map(({ offset, message }) => scanner.errorAt(offset, message))
  throw scanner.errorAt(first.offset, first.message, more)
}

function parseRule(scanner: Scanner): RuleDefinition {
  const offset = scanner.offset()
  const kind = scanner.oneOf(RULE_KINDS, 'the kind of rule')
  const written = parseBlock(scanner, PROPERTIES[kind], `in ${kind} the property`)
  const rule = completeRule({ ...written, kind }, (problem) => scanner.failAt(offset, problem))
  return scanner.placed(rule, offset, scanner.places.get(written)?.properties)
}

/** Reads `{ name: value; … }`, each name once, and a blank value as if it were not there. */
function parseBlock<Owner extends object>(
  scanner: Scanner,
  properties: Properties<Owner>,
  what: string,
): Partial<Owner> {
  const start = scanner.offset()
  const block: Partial<Owner> = {}
  const places = new Map<string, number>()
  const names = Object.keys(properties) as (keyof Owner & string)[]
  scanner.expect('{')
  while (!scanner.isNext('}')) {
    const offset = scanner.offset()
    const name = scanner.oneOf(names, what, '"}"')
    if (places.has(name)) scanner.failAt(offset, `${name} is given twice`)
    places.set(name, offset)
    scanner.expect(':')
    if (!scanner.isNext(';') && !scanner.isNext('}')) block[name] = properties[name]?.(scanner)
    if (!scanner.take(';')) break
  }
  scanner.expect('}')
  return scanner.placed(block, start, places)
}
