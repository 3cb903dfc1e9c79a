import { TRANSACTION_STATUSES } from '../../../../../domain/transaction.ts'
import type { PaymentFilterName } from '../../../../../src/dashboard/contract.ts'
import { PAYMENT_STATUSES } from '../../words/status.ts'

/** A value that can be chosen, and its name. */
export interface Choice {
  value: string
  label: string
}

/** How a filter is entered. `words` says what is chosen, where the value alone would not. */
export type FilterField = { label: string; words?: (value: string) => string } & (
  | {
      kind: 'text'
      placeholder?: string
      maxLength?: number
      inputMode?: 'decimal'
      capitals?: true
      /** Asked for only together with the currency. */
      needsCurrency?: true
    }
  | { kind: 'several'; choices: readonly Choice[] }
  /** One of the project's gateways. */
  | { kind: 'gateway' }
  /** A day in the reader's zone, from whose beginning or up to whose end it is filtered. */
  | { kind: 'day'; end: 'first' | 'last' }
  | { kind: 'mark' }
)

const AMOUNT = { kind: 'text', inputMode: 'decimal', needsCurrency: true } as const

/** The filters of the payments, in the order of the form. */
const FILTER_FIELDS: Readonly<Record<PaymentFilterName, FilterField>> = {
  status: {
    kind: 'several',
    label: 'Status',
    choices: TRANSACTION_STATUSES.map((value) => ({ value, label: PAYMENT_STATUSES[value].words })),
  },
  created_from: { kind: 'day', end: 'first', label: 'From day', words: (day) => `since ${day}` },
  created_to: { kind: 'day', end: 'last', label: 'To day', words: (day) => `until ${day}` },
  gateway_configuration_id: { kind: 'gateway', label: 'Gateway' },
  currency: { kind: 'text', label: 'Currency', placeholder: 'Any', maxLength: 3, capitals: true },
  amount_from: { ...AMOUNT, label: 'Amount from', words: (amount) => `from ${amount}` },
  amount_to: { ...AMOUNT, label: 'Amount to', words: (amount) => `up to ${amount}` },
  error_code: { kind: 'text', label: 'Error code', placeholder: 'card.do-not-honor' },
  needs_attention: { kind: 'mark', label: 'Needs attention', words: () => 'needs attention' },
}

/** The filters as they stand in the address of the page, with the text of the search. */
export type Filters = Partial<Record<PaymentFilterName | 'search', string>>

export const filterFields = Object.entries(FILTER_FIELDS) as readonly [PaymentFilterName, FilterField][]

export function filtersIn(query: URLSearchParams): Filters {
  const names = ['search', ...Object.keys(FILTER_FIELDS)]
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value))
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What the service is asked for: days become instants, and amounts go with their currency only. */
export function queryOf({ search, ...filters }: Filters): Record<string, string | undefined> {
  const asked = filterFields.map(([name, field]) => [name, askedFor(field, filters[name], filters)])
  return { ...Object.fromEntries(asked), search, limit: '25' }
}

function askedFor(field: FilterField, value: string | undefined, { currency }: Filters): string | undefined {
  if (field.kind === 'day') return beginOf(value, field.end === 'first' ? 0 : 1)
  return field.kind === 'text' && field.needsCurrency && !currency ? undefined : value
}

/** When the day begins that comes so many days after this one, in the reader's zone. */
function beginOf(day: string | undefined, daysAfter: number): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysAfter).toISOString()
}
