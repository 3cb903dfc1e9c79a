import type { PaymentFilterName } from '../../../../../src/dashboard/contract.ts'
import { longDay, monthName, typed } from '../../words/format.ts'
import { codeWords, PAYMENT_STATUSES } from '../../words/status.ts'
import { CODES, t } from '../../words/words.ts'

/** A value that can be chosen, and its name. */
export interface Choice {
  value: string
  label: string
}

/** How a filter is entered. `words` says what is chosen, where the value alone would not. */
export type FilterField = { label: string; words?: (value: string) => string } & (
  | { kind: 'currency' }
  /** Asked for only together with the currency. */
  | { kind: 'amount' }
  | { kind: 'several'; choices: readonly Choice[] }
  /** One of those that there are, or another one that an address of this page has. */
  | { kind: 'one'; choices: readonly Choice[] }
  /** One of the project's gateways. */
  | { kind: 'gateway' }
  /** A day of UTC, as payments are counted, from whose beginning or up to whose end it is filtered. */
  | { kind: 'day'; end: 'first' | 'last' }
  | { kind: 'mark'; says: string }
)

/** The filters of the payments, in the order of the form. */
const FILTER_FIELDS: Readonly<Record<PaymentFilterName, FilterField>> = {
  status: {
    kind: 'several',
    label: t('common.status'),
    choices: Object.entries(PAYMENT_STATUSES).map(([value, { words }]) => ({ value, label: words })),
  },
  created_from: {
    kind: 'day',
    end: 'first',
    label: t('payments.filter.from'),
    words: (day) => t('payments.filter.since', { day: longDay(day) }),
  },
  created_to: {
    kind: 'day',
    end: 'last',
    label: t('payments.filter.to'),
    words: (day) => t('payments.filter.until', { day: longDay(day) }),
  },
  gateway_configuration_id: { kind: 'gateway', label: t('payments.filter.gateway') },
  currency: { kind: 'currency', label: t('payments.filter.currency') },
  amount_from: {
    kind: 'amount',
    label: t('payments.filter.amountFrom'),
    words: (amount) => t('payments.filter.fromAmount', { amount: typed(amount) }),
  },
  amount_to: {
    kind: 'amount',
    label: t('payments.filter.amountTo'),
    words: (amount) => t('payments.filter.toAmount', { amount: typed(amount) }),
  },
  error_code: {
    kind: 'one',
    label: t('payments.filter.errorCode'),
    // A developer looks for the code, and everybody else for its words.
    choices: CODES.map((code) => ({ value: code, label: `${codeWords(code)} (${code})` })).toSorted((one, other) =>
      one.label.localeCompare(other.label),
    ),
  },
  partly_captured: {
    kind: 'mark',
    label: t('status.partlyCaptured.words'),
    says: t('status.partlyCaptured.meaning'),
    words: () => t('status.partlyCaptured.words'),
  },
  needs_attention: {
    kind: 'mark',
    label: t('payments.filter.attention'),
    says: t('overview.attentionAbout'),
    words: () => t('payments.filter.attention'),
  },
}

/** The filters as they stand in the address of the page, with the text of the search and the order of the list. */
export type Filters = Partial<Record<PaymentFilterName | 'search' | 'order', string>>

export const filterFields = Object.entries(FILTER_FIELDS) as readonly [PaymentFilterName, FilterField][]

export function filtersIn(query: URLSearchParams): Filters {
  const names = ['search', 'order', ...Object.keys(FILTER_FIELDS)]
  return Object.fromEntries(names.map((name) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value))
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What the service is asked for: days become instants, and amounts go with their currency only. */
export function queryOf({ search, order, ...filters }: Filters): Record<string, string | undefined> {
  const asked = filterFields.map(([name, field]) => [name, askedFor(field, filters[name], filters)])
  return { ...Object.fromEntries(asked), search, order }
}

function askedFor(field: FilterField, value: string | undefined, { currency }: Filters): string | undefined {
  if (field.kind === 'day') return beginOf(value, field.end === 'first' ? 0 : 1)
  return field.kind === 'amount' && !currency ? undefined : value
}

/** Filters that are set, or taken away. */
export type Changed = { [Name in keyof Filters]: Filters[Name] | undefined }

/** The filters after a change. An amount comes and goes with a currency: the project's own where none was chosen before. */
export function changedFilters(filters: Filters, changed: Changed, defaultCurrency: string): Changed {
  const { amount_from, amount_to, currency, ...others } = { ...filters, ...changed }
  if (currency) return { ...others, currency, amount_from, amount_to }
  const isAmountNew = Boolean(changed.amount_from || changed.amount_to)
  return isAmountNew ? { ...others, currency: defaultCurrency, amount_from, amount_to } : others
}

/** The name of the file of the list: by the days of its filter, or else by today. */
export function fileNameOf({ created_from, created_to }: Filters, today = dayOf(new Date())): string {
  const [from, to] = [created_from, created_to].map((day) => (day !== undefined && DAY.test(day) ? day : null))
  if (from) return `payments-${from}-to-${to ?? today}.csv`
  return `payments-${to ? `to-${to}` : today}.csv`
}

/** When the day of UTC begins that comes so many days after this one. */
export function beginOf(day: string | undefined, daysAfter: number): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, date + daysAfter)).toISOString()
}

/** Times that people ask for: the days of UTC from and to which they go, joined by a stroke. */
export function periods(now = new Date()): Choice[] {
  const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const between = (first: Date, last: Date) => `${dayOf(first)}/${dayOf(last)}`
  const lastDays = (days: number) => between(new Date(Date.UTC(year, month, date - days + 1)), now)
  return [
    { value: lastDays(1), label: t('payments.filter.today') },
    ...[7, 30].map((days) => ({ value: lastDays(days), label: t('payments.filter.lastDays', { days: String(days) }) })),
    ...Array.from({ length: MONTHS }, (_, ago) => {
      const first = new Date(Date.UTC(year, month - ago, 1))
      const last = new Date(Date.UTC(year, month - ago + 1, 0))
      return { value: between(first, last), label: monthName(dayOf(first).slice(0, 'yyyy-mm'.length)) }
    }),
  ]
}

const MONTHS = 13

/** The day of UTC, "2026-11-24". */
export const dayOf = (at: Date) => at.toISOString().slice(0, 'yyyy-mm-dd'.length)
