/** The time that the overview shows: the last days, a month, or from one day to another. Days are those of UTC, as payments are counted. */
import type { RouteQuery } from '../../service/route.ts'
import { monthName } from '../../words/format.ts'
import { t } from '../../words/words.ts'

export interface Span {
  /** Both are shown. */
  from: string
  to: string
  days: number
  /** The choice that it is one of; `custom` for any other days. */
  choice: string
}

const DAY_MS = 86_400_000

/** The service counts no longer a time at once. */
const DAYS_MAX = 366

const LAST_DAYS = ['7', '30', '90'] as const

/** So many months are offered, this one and those before. */
const MONTHS = 4

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const spanOf = (from: string, to: string, choice: string): Span => ({
  ...{ from, to, choice },
  days: (Date.parse(to) - Date.parse(from)) / DAY_MS + 1,
})

/** "2026-10" and so on, the present month first. */
function latestMonths(now: number): string[] {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()]
  return Array.from({ length: MONTHS }, (_, back) => dayOf(Date.UTC(year, month - back, 1)).slice(0, 7))
}

/** What the address asks for; the last 30 days without anything that there is. */
export function readSpan(query: URLSearchParams, now: number): Span {
  const today = dayOf(now)
  const [from, to] = [query.get('from'), query.get('to')]
  if (isDay(from) && isDay(to) && from <= to) {
    const oldest = dayOf(Date.parse(to) - (DAYS_MAX - 1) * DAY_MS)
    return spanOf(from < oldest ? oldest : from, to, 'custom')
  }
  const month = query.get('month')
  if (month !== null && isDay(`${month}-01`)) {
    const end = new Date(`${month}-01`)
    const last = dayOf(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0))
    return spanOf(`${month}-01`, last > today && `${month}-01` <= today ? today : last, month)
  }
  const days = LAST_DAYS.find((one) => one === query.get('days')) ?? '30'
  return spanOf(dayOf(now - (Number(days) - 1) * DAY_MS), today, days)
}

/** The filters of the payments that were made then. */
export function paymentsOf({ from, to }: Span, currency: string | undefined) {
  return { created_from: from, created_to: to, ...(currency && { currency }) }
}

/** The days before to compare with, as many; null where the service does not count as many at once. */
export function firstDayBefore({ from, days }: Span): string | null {
  return 2 * days > DAYS_MAX ? null : dayOf(Date.parse(from) - days * DAY_MS)
}

export function choicesOf({ choice }: Span, now: number): { value: string; label: string }[] {
  const months = latestMonths(now)
  // A month of an address that somebody has sent.
  if (/^\d{4}-\d{2}$/.test(choice) && !months.includes(choice)) months.push(choice)
  return [
    ...LAST_DAYS.map((days) => ({ value: days as string, label: t(`overview.spans.d${days}`) })),
    ...months.map((month) => ({ value: month, label: monthName(month) })),
    { value: 'custom', label: t('overview.spans.custom') },
  ]
}

/** The query of an address that shows another choice. */
export function queryOfChoice(value: string, { from, to }: Span): RouteQuery {
  if (value === 'custom') return { from, to }
  return value.includes('-') ? { month: value } : { days: value }
}
