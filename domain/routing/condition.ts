/**
 * The condition of a routing rule as it is stored: a tree of plain JSON. Numbers are decimal strings, because what an
 * amount means in minor units depends on its currency.
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

/** What earlier payments may have in common with this one to be counted. */
export const VELOCITY_PATHS = ['card_fingerprint', 'card_iin', 'customer_id', 'ip_address'] as const
export type VelocityPath = (typeof VELOCITY_PATHS)[number]

/** How many earlier payments had the same value at `path` within the interval, such as `1h`, that ends now. */
export interface Velocity {
  kind: 'velocity'
  path: VelocityPath
  interval: string
}

/** What stands at the left of a comparison. */
export type Operand =
  | { kind: 'field'; name: FieldName }
  | { kind: 'metadata'; key: string }
  /** From 0 up to but not 1; the same for one payment and one rule, however often it is asked for. */
  | { kind: 'rand' }
  | Velocity

export const OPERATORS = ['==', '!=', '<', '<=', '>', '>=', 'in', 'not-in', 'contains'] as const
export type Operator = (typeof OPERATORS)[number]

export interface Comparison {
  kind: 'comparison'
  operand: Operand
  operator: Operator
  /** A list with `in` and `not-in`. Null, with `==` and `!=`, stands for a value that is missing. */
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

/** The operand as it is written in the text form. */
export function nameOf(operand: Operand): string {
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

/** A key of metadata that needs no quotes. */
const BARE_KEY = /^[A-Za-z0-9_.-]*[A-Za-z0-9_]$/

export function asksFor(condition: Condition | null, name: FieldName): boolean {
  if (condition === null) return false
  if (condition.kind === 'not') return asksFor(condition.condition, name)
  if (condition.kind === 'comparison') return condition.operand.kind === 'field' && condition.operand.name === name
  return condition.conditions.some((part) => asksFor(part, name))
}
