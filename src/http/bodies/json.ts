import { ApiError } from '../api-error.ts'
import { type BodyLimits, emptyFields, type Fields, isFields, refuseBeyond } from './fields.ts'
import { nestDottedNames } from './names.ts'

/** The names of amount fields, at any depth. A test compares them with the schemas. */
export const AMOUNT_NAMES = ['amount', 'capture_amount', 'discount_amount', 'balance'] as const

/** Fields whose content belongs to the merchant: nulls and numbers inside are ordinary values. */
export const OPAQUE: readonly string[] = [
  'gateway_data',
  'external_fraud_tools',
  'payment_methods',
  'rules',
  // In these each name is changed separately, and null removes it.
  'credentials',
  'settings',
  'capabilities',
]

/** A string of valid JSON, with colon and number where it is the name of a number. */
const TEXT_AND_NUMBER = /"([^"\\]*(?:\\.[^"\\]*)*)"(?:(\s*:\s*)(-?\d[\d.eE+-]*))?/g

/** `amount`, `shipping.amount`, `shipping[amount]`. */
const AMOUNT_NAME = new RegExp(`(?:^|[.[])(?:${AMOUNT_NAMES.join('|')})\\]?$`)

/**
 * The fields of a JSON body. An amount written as a number becomes its own text: `29.10` becomes "29.10" and `1e3` "1e3",
 * which is no amount.
 *
 * @param text from which `value` was parsed
 * @throws ApiError for a value that is no object, or is beyond the limits.
 */
export function readJson(value: unknown, text: string, limits: BodyLimits): Fields {
  // PHP writes an empty object so.
  if (Array.isArray(value) && value.length === 0) return emptyFields()
  if (!isFields(value)) throw new ApiError('request.bad-format', 'The body is not an object with fields.')
  refuseBeyond(value, limits)
  const read = nestDottedNames(value)
  const quoted = withQuotedAmounts(text)
  // Most bodies have amounts as texts. Otherwise the second parse provides only the amounts.
  return quoted === text ? read : amountsFrom(nestDottedNames(JSON.parse(quoted) as Fields), read)
}

/** A reviver of `JSON.parse` also sees the text of each number, but takes 95 ms for the worst 64 KiB; this takes 3. */
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

/** Takes the amounts from the second parse of the same body. */
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
