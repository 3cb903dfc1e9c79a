/**
 * The condition of a routing rule as stored: a tree of plain JSON. Numbers are decimal strings, because the minor units of
 * an amount depend on its currency.
 */

export const FIELD_NAMES = [
  'amount',
  'currency',
  'customer_country',
  'ip_country',
  'card_country',
  'card_scheme',
  'card_co_scheme',
  'card_type',
  'card_category',
  'card_iin',
  'card_last4',
  'card_fingerprint',
  'channel',
  'merchant_initiated',
  'payment_intent',
  'incremental',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

/** The values by which earlier payments are counted. */
export const VELOCITY_PATHS = ['card_fingerprint', 'card_iin', 'customer_id', 'ip_address'] as const
export type VelocityPath = (typeof VELOCITY_PATHS)[number]

/** The number of earlier payments with the same value at `path` within the last `interval`, such as `1h`. */
export interface Velocity {
  kind: 'velocity'
  path: VelocityPath
  interval: string
}

/** The left side of a comparison. */
export type Operand =
  | { kind: 'field'; name: FieldName }
  | { kind: 'metadata'; key: string }
  /** From 0 (included) to 1 (excluded); always the same for one payment and one rule. */
  | { kind: 'rand' }
  | Velocity

export const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'contains'] as const
export type Operator = (typeof OPERATORS)[number]

export interface Comparison {
  kind: 'comparison'
  operand: Operand
  operator: Operator
  /** A list for `in` and `not-in`. Null, with `==` and `!=`, means a missing value. */
  value: string | boolean | null | readonly string[]
}

export interface Junction {
  kind: 'and' | 'or'
  /** Two or more. */
  conditions: readonly Condition[]
}

export interface Negation {
  kind: 'not'
  condition: Condition
}

export type Condition = Junction | Negation | Comparison

/** The operand in the text form. */
export function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case 'field':
      return operand.name
    case 'metadata':
      return `metadata.${BARE_KEY.test(operand.key) ? operand.key : JSON.stringify(operand.key)}`
    case 'rand':
      return 'rand()'
    case 'velocity':
      return `velocity{path: ${operand.path}; interval: ${operand.interval}}`
  }
}

/** A metadata key without need for quotes. */
const BARE_KEY = /^[A-Za-z0-9_.-]*[A-Za-z0-9_]$/

export function asksFor(condition: Condition | null, name: FieldName): boolean {
  if (condition === null) return false
  if (condition.kind === 'not') return asksFor(condition.condition, name)
  if (condition.kind === 'comparison') return condition.operand.kind === 'field' && condition.operand.name === name
  return condition.conditions.some((part) => asksFor(part, name))
}
