import { z } from 'zod'
import { coded, expecting, MISSING, shown } from './taken.ts'

const EXPECTED = 'must be a date and time with Z or an offset, in the years 1 to 9999, such as "2026-11-21T01:17:10Z"'

/**
 * ISO 8601 that names one instant: seconds are optional, their fraction has a point or a comma, the offset is `Z`,
 * `+02:00`, `+0200` or `+02`. Without an offset the instant would be ambiguous.
 */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:[Zz]|([+-])(\d{2})(?::?(\d{2}))?)$/

/** A form decodes the `+` of `2026-11-21T01:17:10+02:00` as a blank. */
const BLANK_FOR_PLUS = /^[\d-]{10}[Tt]\d{2}:\d{2}[\d:.,]{0,16} \d{2}(?::?\d{2})?$/

/**
 * An instant, cut to milliseconds; null for impossible dates, an offset of 24 hours, a leap second, and years outside 1 to
 * 9999 in UTC.
 */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '0', fraction = '', sign = '+', hours = '0', minutes = '0'] = match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // JavaScript reads February 30 as a day in March.
  if (Number.isNaN(midnight.getTime()) || midnight.getUTCDate() !== Number(day)) return null
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const seconds = (Number(hour) * 60 + Number(minute) - offset) * 60 + Number(second)
  const at = new Date(midnight.getTime() + seconds * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0')))
  return at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9_999 ? at : null
}

const DATE = { invalid: 'request.validation.invalid-date' } as const

export const instant = coded(
  z
    .string({ error: ({ input }) => (input === undefined ? MISSING : EXPECTED) })
    .transform((value, context) => {
      const at = parseInstant(value)
      if (at !== null) return at
      context.addIssue(notAnInstant(value))
      return z.NEVER
    })
    .meta({ format: 'date-time' }),
  DATE,
)

/** Describes an invalid instant, with the likely cause if it is known. */
const notAnInstant = (value: string): string => `${EXPECTED}, and ${cameAs(value)}`

/** What came in place of an instant, with the likely cause if it is known. */
export function cameAs(value: string): string {
  const cause = BLANK_FOR_PLUS.test(value)
    ? '; in a form or a query a + is written %2B, since a bare one is a blank'
    : ''
  return `came as ${shown(value)}${cause}`
}

const DATE_EXPECTED = 'a date, such as "1990-01-31", or an instant with Z or an offset'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Such as `Mon, 02 Jan 2006 15:04:05 GMT`. Source: RFC 1123, section 5.2.14, as HTTP writes it. */
const RFC_1123 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{2}) ([A-Z][a-z]{2}) (\d{4}) \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/**
 * A birth date or a date in a shop's records; a date without time is its beginning in UTC. Impossible dates are refused.
 */
export const calendarDate = coded(
  z.string(expecting(DATE_EXPECTED)).transform((value, context) => {
    const at = parseInstantOrDay(value) ?? rfc1123Of(value)
    if (at !== null) return at
    context.addIssue(`must be ${DATE_EXPECTED}, and came as ${shown(value)}`)
    return z.NEVER
  }),
  DATE,
)

/** An instant, or a date without time, which is its beginning in UTC; null for anything else. */
export const parseInstantOrDay = (text: string): Date | null =>
  parseInstant(DAY.test(text) ? `${text}T00:00:00Z` : text)

function rfc1123Of(value: string): Date | null {
  const [, day = '', month = '', year = ''] = RFC_1123.exec(value) ?? []
  const at = new Date(year === '' ? Number.NaN : value)
  // JavaScript would read February 30 as a day in March.
  const isThatDay = new Date(`${day} ${month} ${year} 00:00:00 GMT`).getUTCDate() === Number(day)
  return Number.isNaN(at.getTime()) || !isThatDay ? null : at
}
