import { isCurrency, parseAmount } from '../../../domain/money.ts'
import { readEmailAddress } from '../../objects/customer-email.ts'
import { cameAs, parseInstantOrDay } from '../../objects/instants.ts'
import { isStorable, URL_LENGTH_MAX } from '../../objects/taken.ts'
import type {
  Condition,
  FieldKind,
  FilterField,
  FilterOperator,
} from '../../persistence/queries/lists/list-conditions.ts'
import type { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import { invalidField } from '../input/input.ts'
import { textsOf } from '../input/query.ts'

type Filters = Readonly<Record<string, FilterField>>

/** More conditions than any list has fields, with both bounds each. */
const CONDITIONS_MAX = 50

/** A name, for metadata with the key after a dot; the operator; and the rest. */
const WRITTEN = /^\s*([a-z0-9_]+)(?:\.([^:]{1,40}))?\s*(:|>=|<)(.*)$/s

const ORDERED: readonly FieldKind[] = ['integer', 'amount', 'instant']

interface Written {
  name: string
  /** Of metadata: its key. */
  key: string | undefined
  field: FilterField
  operator: FilterOperator
  value: string
}

/**
 * The conditions of the query, all of which must hold: `filter=field:value`, `filter[]=` or `filter[0]=`. Instants and
 * numbers also take `>=` and `<`, with or without a colon before them.
 *
 * @throws ApiError request.filter.invalid, naming the fields of the list.
 */
export function readFilters(ctx: ApiContext, filters: Filters, at: Date): Condition[] {
  const texts = textsOf(ctx, 'filter', (name) => wrong(`cannot be written as ${name}; write filter=field:value`))
  if (texts.length > CONDITIONS_MAX) throw wrong(`must have ${CONDITIONS_MAX} conditions at most`)
  const written = texts.map((text) => takeApart(text, filters))
  const currencies = written.filter(({ field }) => field.kind === 'currency').map(({ value }) => value.toUpperCase())
  return written.map(({ name, key, field, operator, value }) => ({
    field,
    operator,
    value: key === undefined ? read(name, field, value, currencies) : readMetadata(key, value),
    at,
  }))
}

function takeApart(text: string, filters: Filters): Written {
  const [, name = '', key, sign = '', rest = ''] = WRITTEN.exec(text) ?? []
  const field = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (field === undefined || (field.kind === 'metadata') !== (key !== undefined)) {
    throw wrong(`must be field:value, where the fields of this list are ${namesOf(filters).join(', ')}`)
  }
  const isOrdered = ORDERED.includes(field.kind)
  if (!isOrdered && sign !== ':') throw wrong(`compares ${name} by a colon only`)
  const [, inner, value = ''] = (isOrdered && sign === ':' ? /^\s*(>=|<)(.*)$/s.exec(rest) : null) ?? ['', sign, rest]
  const operator = inner === '>=' || inner === '<' ? inner : '='
  if (field.kind === 'instant' && operator === '=') throw wrong(`compares ${name} by >= and < only`)
  return { name, key, field, operator, value: value.trim() }
}

function namesOf(filters: Filters): string[] {
  return Object.entries(filters).map(([name, { kind }]) => (kind === 'metadata' ? `${name}.KEY` : name))
}

/** The metadata that an object must have: JSON of one key and its text. */
function readMetadata(key: string, value: string): string {
  if (value === '' || value.length > URL_LENGTH_MAX || !isStorable([key, value]))
    throw wrong(`must compare metadata.${key} with a text`)
  return JSON.stringify({ [key]: value })
}

function read(
  name: string,
  { kind, words = [] }: FilterField,
  value: string,
  currencies: readonly string[],
): Condition['value'] {
  const refuse = (expected: string) => wrong(`must compare ${name} with ${expected}`)
  switch (kind) {
    case 'metadata':
    case 'keyword':
    case 'text':
    case 'email':
      if (value === '' || value.length > URL_LENGTH_MAX || !isStorable(value)) throw refuse('a text')
      return kind === 'email' ? (readEmailAddress(value) ?? value) : value
    case 'word':
      if (!words.includes(value)) throw refuse(`one of ${words.join(', ')}`)
      return value
    case 'currency':
      if (!isCurrency(value.toUpperCase())) throw refuse('an ISO 4217 code')
      return value.toUpperCase()
    case 'boolean':
      if (!['true', 'false', '1', '0'].includes(value)) throw refuse('true or false')
      return value === 'true' || value === '1'
    case 'integer':
      if (!/^\d{1,9}$/.test(value)) throw refuse('a whole number')
      return Number(value)
    case 'instant': {
      const at = parseInstantOrDay(value)
      if (at === null)
        throw refuse(`a date or an instant, such as 2026-11-21 or 2026-11-21T01:17:10Z; it ${cameAs(value)}`)
      return at
    }
    case 'amount': {
      // An amount needs its currency: 500 are five hundred yen, or five euros in cents.
      const [currency] = currencies
      if (currency === undefined)
        throw wrong(`compares ${name} within one currency: add filter=currency:EUR, or another`)
      const amountMinor = isCurrency(currency) ? parseAmount(value, currency) : null
      if (amountMinor === null) throw refuse(`an amount in ${currency}, such as 29.00`)
      return amountMinor
    }
  }
}

function wrong(message: string): ApiError {
  return invalidField('filter', message, 'request.filter.invalid')
}
