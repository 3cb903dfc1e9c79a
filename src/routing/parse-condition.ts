import type { nearestName } from '../../domain/nearest-name.ts'
import {
  type Comparison,
  type Condition,
  FIELD_NAMES,
  OPERATORS,
  type Operand,
  type Operator,
  VELOCITY_PATHS,
} from '../../domain/routing/condition.ts'
import { operandType } from '../../domain/routing/fields.ts'
import { CONDITION_DEPTH_MAX } from '../../domain/routing/limits.ts'
import { Scanner } from './scanner.ts'

const OPERATOR = /==|!=|<=?|>=?|(?:in|not-in|not|contains)(?![\w.-]*[\w.])/iy
const OPERAND_NAMES = [...FIELD_NAMES, 'rand()', 'velocity{…}', 'metadata.<key>']
const METADATA = 'metadata.'
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
 * Each function looks one word ahead. The scanner collects what it would have taken, for the sentence of an error.
 *
 * @throws RoutingTextError
 */
export function parseCondition(scanner: Scanner): Condition {
  return parseJunction('or', scanner, 0)
}

/**
 * Reads the text of one condition, which is not checked yet.
 *
 * @param suggest finds the known name that was probably meant.
 * @returns the condition and all its parts, itself included.
 * @throws RoutingTextError, and nothing else, whatever the text is
 */
export function parseConditionText(
  text: string,
  suggest?: typeof nearestName,
): { condition: Condition; parts: Iterable<object> } {
  const scanner: Scanner = new Scanner(text, suggest)
  const condition = parseCondition(scanner)
  if (!scanner.isAtEnd('the end of the condition')) scanner.fail()
  return { condition, parts: scanner.places.keys() }
}

function parseJunction(kind: 'and' | 'or', scanner: Scanner, depth: number): Condition {
  const offset = scanner.offset()
  const parsePart = () => (kind === 'or' ? parseJunction('and', scanner, depth) : parseNegation(scanner, depth))
  const first = parsePart()
  const conditions = [first]
  while (scanner.takeWord(kind.toUpperCase())) conditions.push(parsePart())
  return conditions.length === 1 ? first : scanner.placed({ kind, conditions }, offset)
}

function parseNegation(scanner: Scanner, depth: number): Condition {
  const offset = scanner.offset()
  if (depth > CONDITION_DEPTH_MAX) scanner.failAt(offset, `a condition is nested at most ${CONDITION_DEPTH_MAX} deep`)
  if (scanner.takeWord('NOT'))
    return scanner.placed({ kind: 'not', condition: parseNegation(scanner, depth + 1) }, offset)
  if (!scanner.take('(')) return scanner.placed(parseComparison(scanner), offset)
  const condition = parseJunction('or', scanner, depth + 1)
  scanner.expect(')')
  return condition
}

function parseComparison(scanner: Scanner): Comparison {
  const operand = parseOperand(scanner)
  const operator = parseOperator(scanner)
  const value = operator === 'in' || operator === 'not-in' ? parseList(scanner) : parseValue(scanner, operand)
  return { kind: 'comparison', operand, operator, value }
}

function parseOperand(scanner: Scanner): Operand {
  const offset = scanner.offset()
  const word = scanner.word(...OPERAND_NAMES)
  if (word === 'rand') {
    scanner.expect('(')
    scanner.expect(')')
    return { kind: 'rand' }
  }
  if (word === 'velocity') return parseVelocity(scanner)
  if (word === METADATA) return { kind: 'metadata', key: scanner.quoted('a key of metadata') ?? scanner.fail() }
  if (word.startsWith(METADATA)) return { kind: 'metadata', key: word.slice(METADATA.length) }
  if (WORDS_OF_LOGIC.includes(word.toLowerCase()))
    scanner.failAt(offset, `${word} is not expected here; a field comes first`)
  const name = FIELD_NAMES.find((known) => known === word)
  return { kind: 'field', name: name ?? scanner.failUnknown(offset, 'the field', word, OPERAND_NAMES) }
}

/** `velocity{path:card_fingerprint; interval:1h}`, or shorter `velocity(card_fingerprint, 1h)`. */
function parseVelocity(scanner: Scanner): Operand {
  const isLong = scanner.take('{')
  if (!isLong) scanner.expect('(')
  if (isLong) expectName(scanner, 'path')
  const path = scanner.oneOf(VELOCITY_PATHS, 'the path')
  scanner.expect(isLong ? ';' : ',')
  if (isLong) expectName(scanner, 'interval')
  const interval = scanner.word('an interval, such as 1h')
  if (isLong) scanner.take(';')
  scanner.expect(isLong ? '}' : ')')
  return { kind: 'velocity', path, interval }
}

function expectName(scanner: Scanner, name: string): void {
  if (!scanner.takeWord(name)) scanner.fail()
  scanner.expect(':')
}

function parseOperator(scanner: Scanner): Operator {
  const operator = (scanner.match(OPERATOR, OPERATORS) ?? scanner.fail()).toLowerCase()
  if (operator !== 'not') return operator as Operator
  return scanner.takeWord('IN') ? 'not-in' : scanner.fail()
}

function parseList(scanner: Scanner): string[] {
  const end = scanner.take('(') ? ')' : ']'
  if (end === ']') scanner.expect('[')
  const values = scanner.list(() => scanner.text())
  scanner.expect(end)
  return values
}

function parseValue(scanner: Scanner, operand: Operand): Comparison['value'] {
  const quoted = scanner.quoted()
  if (quoted !== null) return quoted
  const offset = scanner.offset()
  const word = scanner.word('a value')
  if (word === 'null') return null
  if (operandType(operand) !== 'flag') return word
  if (word !== 'true' && word !== 'false') scanner.failUnknown(offset, 'the value', word, ['true', 'false'])
  return word === 'true'
}
