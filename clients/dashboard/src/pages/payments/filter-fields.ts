import type { PaymentFilterName } from '../../../../../src/dashboard/contract.ts'
import { longDay, monthName, typed } from '../../words/format.ts'
import { PAYMENT_STATUSES } from '../../words/status.ts'
import { t } from '../../words/words.ts'

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
  /** A day of UTC, as payments are counted, from whose beginning or up to whose end it is filtered. */
  | { kind: 'day'; end: 'first' | 'last' }
  | { kind: 'mark'; says: string }
)

const AMOUNT = { kind: 'text', inputMode: 'decimal', needsCurrency: true } as const

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
  currency: {
    kind: 'text',
    label: t('payments.filter.currency'),
    placeholder: t('payments.search.any'),
    maxLength: 3,
    capitals: true,
  },
  amount_from: {
    ...AMOUNT,
    label: t('payments.filter.amountFrom'),
    words: (amount) => t('payments.filter.fromAmount', { amount: typed(amount) }),
  },
  amount_to: {
    ...AMOUNT,
    label: t('payments.filter.amountTo'),
    words: (amount) => t('payments.filter.toAmount', { amount: typed(amount) }),
  },
  error_code: { kind: 'text', label: t('payments.filter.errorCode'), placeholder: 'card.do-not-honor' },
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
  return field.kind === 'text' && field.needsCurrency && !currency ? undefined : value
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
