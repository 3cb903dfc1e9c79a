import type { nearestName } from '../../domain/nearest-name.ts'
import {
  type Comparison,
  type Condition,
  FIELD_NAMES,
  type FieldName,
  type Operand,
  type Operator,
  VELOCITY_PATHS,
  type VelocityPath,
} from '../../domain/routing/condition.ts'
import { typeOf } from '../../domain/routing/fields.ts'
import { CONDITION_DEPTH_MAX } from '../../domain/routing/limits.ts'
import { Scanner } from './scanner.ts'

/** Where things begin in the text, for what is found out about them later. */
export interface Offsets {
  /** Of rules and of each part of a condition. */
  nodes: Map<object, number>
  /** Of the properties of a rule, by name. */
  properties: Map<object, ReadonlyMap<string, number>>
}

/** Longer ones first, so that `<=` is not read as `<`. */
const SYMBOLS = ['==', '!=', '<=', '>=', '<', '>'] as const
const OPERATOR_NAMES = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'contains']
const OPERAND_NAMES = [...FIELD_NAMES, 'rand()', 'velocity{…}', 'metadata.<key>']
const WORDS_OF_LOGIC = ['and', 'or', 'not', 'in', 'not-in', 'contains']

/**
 * Reads a condition:
 *
 *     either     = both { OR both }
 *     both       = negation { AND negation }
 *     negation   = NOT negation | "(" either ")" | comparison
 *     comparison = operand symbol value | operand [NOT] IN "(" value { "," value } ")" | operand CONTAINS value
 *     operand    = name | "metadata." key | "rand()" | "velocity{path: name; interval: length}"
 *
 * A parser by hand, because this is the whole of its grammar, one word of look-ahead decides everywhere, and tags, which
 * are taken as they stand, have no tokens that a generated lexer could know beforehand.
 *
 * @throws RoutingTextError
 */
export function parseCondition(scanner: Scanner, offsets: Offsets): Condition {
  return parseJunction('or', scanner, offsets, 0)
}

/**
 * Reads the text of one condition, which is not checked yet.
 *
 * @param suggest finds the known name that was probably meant.
 * @throws RoutingTextError, and nothing else, whatever the text is
 */
export function parseConditionText(text: string, suggest?: typeof nearestName): Condition {
  const scanner: Scanner = new Scanner(text, suggest)
  const condition = parseCondition(scanner, { nodes: new Map(), properties: new Map() })
  if (!scanner.isAtEnd()) scanner.failNext(['AND', 'OR', 'the end of the condition'])
  return condition
}

function parseJunction(kind: 'and' | 'or', scanner: Scanner, offsets: Offsets, depth: number): Condition {
  const offset = scanner.offset()
  const parsePart = () =>
    kind === 'or' ? parseJunction('and', scanner, offsets, depth) : parseNegation(scanner, offsets, depth)
  const first = parsePart()
  const conditions = [first]
  while (takeWord(scanner, kind)) conditions.push(parsePart())
  return conditions.length === 1 ? first : placed({ kind, conditions }, offset, offsets)
}

function parseNegation(scanner: Scanner, offsets: Offsets, depth: number): Condition {
  const offset = scanner.offset()
  if (depth > CONDITION_DEPTH_MAX) scanner.fail(offset, `a condition is nested at most ${CONDITION_DEPTH_MAX} deep`)
  if (takeWord(scanner, 'not')) {
    return placed({ kind: 'not', condition: parseNegation(scanner, offsets, depth + 1) }, offset, offsets)
  }
  if (!scanner.take('(')) return placed(parseComparison(scanner), offset, offsets)
  const condition = parseJunction('or', scanner, offsets, depth + 1)
  if (!scanner.take(')')) scanner.failNext(['AND', 'OR', '")"'])
  return condition
}

function placed<Node extends Condition>(node: Node, offset: number, offsets: Offsets): Node {
  offsets.nodes.set(node, offset)
  return node
}

/** Takes this word in whatever case it is written. */
function takeWord(scanner: Scanner, word: string): boolean {
  const peeked = scanner.peekWord()
  if (peeked?.toLowerCase() !== word) return false
  scanner.word()
  return true
}

function parseComparison(scanner: Scanner): Comparison {
  const operand = parseOperand(scanner)
  const operator = parseOperator(scanner)
  const value = operator === 'in' || operator === 'not-in' ? parseList(scanner) : parseValue(scanner, operand)
  return { kind: 'comparison', operand, operator, value }
}

function parseOperand(scanner: Scanner): Operand {
  const offset = scanner.offset()
  const word = scanner.word()
  if (word === null || WORDS_OF_LOGIC.includes(word.toLowerCase())) {
    return word === null
      ? scanner.failNext(OPERAND_NAMES)
      : scanner.fail(offset, `${word} is not expected here; a field comes first`)
  }
  if (word === 'rand') {
    scanner.expect('(')
    scanner.expect(')')
    return { kind: 'rand' }
  }
  if (word === 'velocity') return parseVelocity(scanner)
  if (word === 'metadata.') {
    const key = scanner.quoted()
    return key === null ? scanner.failNext(['a key of metadata']) : { kind: 'metadata', key }
  }
  if (word.startsWith('metadata.')) return { kind: 'metadata', key: word.slice('metadata.'.length) }
  if (!isFieldName(word)) scanner.failUnknown(offset, 'the field', word, OPERAND_NAMES)
  return { kind: 'field', name: word }
}

function isFieldName(word: string): word is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(word)
}

/** `velocity{path:card_fingerprint; interval:1h}`, or shorter `velocity(card_fingerprint, 1h)`. */
function parseVelocity(scanner: Scanner): Operand {
  const isShort = scanner.take('(')
  if (!isShort) {
    if (!scanner.take('{')) scanner.failNext(['"{"', '"("'])
    expectName(scanner, 'path')
  }
  const offset = scanner.offset()
  const path = scanner.word()
  if (path === null) return scanner.failNext(VELOCITY_PATHS)
  if (!isVelocityPath(path)) return scanner.failUnknown(offset, 'the path', path, VELOCITY_PATHS)
  scanner.expect(isShort ? ',' : ';')
  if (!isShort) expectName(scanner, 'interval')
  const interval = scanner.word() ?? scanner.failNext(['an interval, such as 1h'])
  if (!isShort) scanner.take(';')
  scanner.expect(isShort ? ')' : '}')
  return { kind: 'velocity', path, interval }
}

function isVelocityPath(word: string): word is VelocityPath {
  return (VELOCITY_PATHS as readonly string[]).includes(word)
}

function expectName(scanner: Scanner, name: string): void {
  if (scanner.peekWord() !== name) scanner.failNext([name])
  scanner.word()
  scanner.expect(':')
}

function parseOperator(scanner: Scanner): Operator {
  const symbol = scanner.takeOneOf(SYMBOLS)
  if (symbol !== null) return symbol as Operator
  if (takeWord(scanner, 'in')) return 'in'
  if (takeWord(scanner, 'not-in')) return 'not-in'
  if (takeWord(scanner, 'contains')) return 'contains'
  if (takeWord(scanner, 'not')) {
    if (takeWord(scanner, 'in')) return 'not-in'
    return scanner.failNext(['in'])
  }
  return scanner.failNext(OPERATOR_NAMES)
}

function parseList(scanner: Scanner): string[] {
  const end = scanner.take('[') ? ']' : ')'
  if (end === ')' && !scanner.take('(')) scanner.failNext(['"("'])
  const values: string[] = []
  do values.push(parseText(scanner))
  while (scanner.take(','))
  if (!scanner.take(end)) scanner.failNext(['","', `"${end}"`])
  return values
}

function parseText(scanner: Scanner): string {
  return scanner.quoted() ?? scanner.word() ?? scanner.failNext(['a value'])
}

function parseValue(scanner: Scanner, operand: Operand): Comparison['value'] {
  const quoted = scanner.quoted()
  if (quoted !== null) return quoted
  const offset = scanner.offset()
  const word = scanner.word() ?? scanner.failNext(['a value'])
  if (word === 'null') return null
  if (typeOf(operand) !== 'flag') return word
  if (word !== 'true' && word !== 'false') scanner.failUnknown(offset, 'the value', word, ['true', 'false'])
  return word === 'true'
}
