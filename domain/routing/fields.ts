import { isCountry } from '../country.ts'
import { isCurrency } from '../money.ts'
import type { FieldName, Operand, Operator } from './condition.ts'
import type { RoutingFacts } from './facts.ts'

interface TextField {
  type: 'text'
  read: (facts: RoutingFacts) => string | null
  /** The stored form of a value, so that `gb` and `GB` are one country. */
  normalize: (value: string) => string
  /** The valid values for an equality comparison, with a description for merchants. */
  accepts?: { test: (value: string) => boolean; description: string }
}

interface FlagField {
  type: 'flag'
  read: (facts: RoutingFacts) => boolean
}

type Field = { type: 'amount' } | TextField | FlagField

const capitals = (value: string) => value.toUpperCase()
const small = (value: string) => value.toLowerCase()
const asItIs = (value: string) => value

const country = (read: TextField['read']): TextField => ({
  type: 'text',
  read,
  normalize: capitals,
  accepts: { test: isCountry, description: 'the two letters of a country, such as GB' },
})
const word = (read: TextField['read']): TextField => ({ type: 'text', read, normalize: small })

/** Each field has its own read function, because a generic one that reads any property is several times slower. */
export const FIELDS: Readonly<Record<FieldName, Field>> = {
  amount: { type: 'amount' },
  currency: {
    type: 'text',
    read: (facts) => facts.currency,
    normalize: capitals,
    accepts: { test: isCurrency, description: 'the three letters of a currency, such as EUR' },
  },
  customer_country: country((facts) => facts.customerCountry),
  ip_country: country((facts) => facts.ipCountry),
  card_country: country((facts) => facts.cardCountry),
  card_scheme: word((facts) => facts.cardScheme),
  card_co_scheme: word((facts) => facts.cardCoScheme),
  card_type: word((facts) => facts.cardType),
  card_category: word((facts) => facts.cardCategory),
  card_iin: {
    type: 'text',
    read: (facts) => facts.cardIin,
    normalize: asItIs,
    accepts: { test: (value) => /^\d{6,8}$/.test(value), description: 'the first 6 to 8 digits of a card' },
  },
  card_last4: {
    type: 'text',
    read: (facts) => facts.cardLast4,
    normalize: asItIs,
    accepts: { test: (value) => /^\d{4}$/.test(value), description: 'the last four digits of a card' },
  },
  card_fingerprint: { type: 'text', read: (facts) => facts.cardFingerprint, normalize: asItIs },
  channel: word((facts) => facts.channel),
  merchant_initiated: { type: 'flag', read: (facts) => facts.merchantInitiated },
  payment_intent: word((facts) => facts.paymentIntent),
  incremental: { type: 'flag', read: (facts) => facts.incremental },
}

/** The type of an operand's value. Metadata is text that may be a number. */
export type OperandType = 'amount' | 'number' | 'text' | 'flag' | 'metadata'

export function operandType(operand: Operand): OperandType {
  if (operand.kind === 'field') return FIELDS[operand.name].type
  return operand.kind === 'metadata' ? 'metadata' : 'number'
}

const EQUALITY: readonly Operator[] = ['==', '!=']
const ORDER: readonly Operator[] = ['<', '<=', '>', '>=']
const TEXT: readonly Operator[] = [...EQUALITY, 'in', 'not-in', 'contains']

const OPERATORS_OF: Readonly<Record<OperandType, readonly Operator[]>> = {
  amount: [...EQUALITY, ...ORDER],
  number: [...EQUALITY, ...ORDER],
  text: TEXT,
  flag: EQUALITY,
  metadata: [...TEXT, ...ORDER],
}

export function allowedOperators(operand: Operand): readonly Operator[] {
  return OPERATORS_OF[operandType(operand)]
}

/** A value in the stored form of the operand's values. */
export function normalizeFor(operand: Operand, value: string): string {
  const field = operand.kind === 'field' ? FIELDS[operand.name] : null
  return field?.type === 'text' ? field.normalize(value) : value
}

/** A function that reads text or a flag (null if missing) from the facts; null for operands that are numbers. */
export function operandReader(operand: Operand): ((facts: RoutingFacts) => string | boolean | null) | null {
  if (operand.kind === 'metadata') return metadataReader(operand.key)
  if (operand.kind !== 'field') return null
  const field = FIELDS[operand.name]
  return field.type === 'amount' ? null : field.read
}

/** Reads own keys only: every object has an inherited `constructor`. */
function metadataReader(key: string): TextField['read'] {
  return ({ metadata }) => (Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null)
}
