import { ApiError } from '../api-error.ts'
import {
  type BodyLimits,
  emptyFields,
  type Fields,
  isFields,
  refuseTooManyNames,
  tooDeep,
  tooManyEntries,
} from './fields.ts'
import { nestDottedNames } from './names.ts'

/** The fields that are amounts of money, wherever they stand. A test compares them with the schemas. */
export const AMOUNT_NAMES = ['amount', 'capture_amount', 'discount_amount', 'balance'] as const

/** Fields whose content belongs to the merchant: a null or a number inside is a value like any other. */
export const OPAQUE: readonly string[] = [
  'gateway_data',
  'external_fraud_tools',
  'payment_methods',
  'rules',
  // Of these each name is changed by itself, and null takes it away.
  'credentials',
  'settings',
  'capabilities',
]

/** A text of valid JSON, with the colon and the number after it where it is the name of a number. */
const TEXT_AND_NUMBER = /"([^"\\]*(?:\\.[^"\\]*)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/g

/** `amount`, `shipping.amount`, `shipping[amount]`. */
const AMOUNT_NAME = new RegExp(`(?:^|[.[])(?:${AMOUNT_NAMES.join('|')})\\]?$`)

/**
 * The fields of a JSON body. An amount that is written as a number becomes the text of that number: `29.10` is "29.10" and
 * `1e3` is "1e3", which is no amount.
 *
 * @throws ApiError where the text is no JSON object, or one beyond the limits.
 */
export function readJson(text: string, limits: BodyLimits): Fields {
  const fields = parse(text)
  refuseBeyond(fields, limits)
  const read = nestDottedNames(fields)
  const quoted = withQuotedAmounts(text)
  // Most bodies have their amounts as texts. Of the others, nothing but amounts is taken from the second reading.
  return quoted === text ? read : amountsFrom(nestDottedNames(parse(quoted)), read)
}

function parse(text: string): Fields {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('request.bad-format')
  }
  if (!isFields(value)) throw new ApiError('request.bad-format', 'The body is not an object with fields.')
  return value
}

/** Walks level by level, so that a deep body cannot exhaust the stack. */
function refuseBeyond(fields: Fields, limits: BodyLimits): void {
  let level: unknown[] = [refuseTooManyNames(fields)]
  let entries = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.depth) throw tooDeep(limits)
    const containers = level.filter((value) => typeof value === 'object' && value !== null)
    if (containers.some((container) => Object.hasOwn(container as object, '__proto__')))
      throw new ApiError('request.bad-format')
    level = containers.flatMap((value) => Object.values(value as object))
    entries += level.length
    if (entries > limits.entries) throw tooManyEntries(limits)
  }
}

/** A reviver of `JSON.parse` would be told the text of each number, and takes 95 ms for the worst 64 KiB; this takes 3. */
function withQuotedAmounts(text: string): string {
  return text.replaceAll(
    TEXT_AND_NUMBER,
    (whole, name: string, colon: string | undefined, number: string | undefined) =>
      colon !== undefined && number !== undefined && isAmountName(name) ? `"${name}"${colon}"${number}"` : whole,
  )
}

function isAmountName(written: string): boolean {
  return AMOUNT_NAME.test(written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written)
}

/** Takes the amounts from the second reading of the same body. */
function amountsFrom(quoted: Fields, read: Fields): Fields {
  const fields = emptyFields()
  for (const [name, value] of Object.entries(read)) {
    const isMerchants = name === 'metadata' || OPAQUE.includes(name)
    fields[name] = isMerchants ? value : amountsOf(quoted[name], value)
  }
  return fields
}

function amountsOf(quoted: unknown, read: unknown): unknown {
  if (Array.isArray(quoted) && Array.isArray(read)) return quoted.map((item, index) => amountsOf(item, read[index]))
  return isFields(quoted) && isFields(read) ? amountsFrom(quoted, read) : quoted
}
