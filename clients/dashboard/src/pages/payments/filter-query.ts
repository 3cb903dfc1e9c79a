import type { PaymentsQuery } from '../../../../../src/http/dashboard/contract.ts'

/** The filters as they stand in the address of the page. Days are those of the reader's zone, the last one included. */
export type Filters = Omit<PaymentsQuery, 'limit' | 'start_after'>

const FILTER_NAMES = [
  'search',
  'status',
  'currency',
  'amount_from',
  'amount_to',
  'created_from',
  'created_to',
  'gateway_configuration_id',
  'error_code',
  'needs_attention',
] as const satisfies readonly (keyof Filters)[]

export function filtersIn(query: URLSearchParams): Filters {
  const given = FILTER_NAMES.map((name) => [name, query.get(name)?.trim() ?? '']).filter(([, value]) => value !== '')
  return Object.fromEntries(given)
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** What the service is asked for: days become instants, and amounts go with their currency only. */
export function queryOf({
  amount_from,
  amount_to,
  created_from,
  created_to,
  ...others
}: Filters): Record<string, string | undefined> {
  const amounts = others.currency ? { amount_from, amount_to } : {}
  return {
    ...others,
    ...amounts,
    created_from: beginOf(created_from, 0),
    created_to: beginOf(created_to, 1),
    limit: '25',
  }
}

/** When the day begins that comes so many days after this one, in the reader's zone. */
function beginOf(day: string | undefined, daysAfter: number): string | undefined {
  if (day === undefined || !DAY.test(day)) return undefined
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysAfter).toISOString()
}
