import { z } from 'zod'
import { expecting, shown } from './fields.ts'
import { parseInstant } from './instant.ts'

const EXPECTED = 'a date, such as "1990-01-31", or an instant with Z or an offset'

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Such as `Mon, 02 Jan 2006 15:04:05 GMT`. Source: RFC 1123, section 5.2.14, as HTTP writes it. */
const RFC_1123 =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d{2}) ([A-Z][a-z]{2}) (\d{4}) \d{2}:\d{2}:\d{2} (?:GMT|UTC|[+-]\d{4})$/

/** A date of somebody's life or of a shop's records; a bare day is its beginning in UTC. Impossible dates are refused. */
export const calendarDate = z.string(expecting(EXPECTED)).transform((value, context) => {
  const at = DAY.test(value) ? dayOf(value) : (parseInstant(value) ?? rfc1123Of(value))
  if (at !== null) return at
  context.addIssue(`must be ${EXPECTED}, and came as ${shown(value)}`)
  return z.NEVER
})

function dayOf(value: string): Date | null {
  return z.iso.date().safeParse(value).success ? new Date(`${value}T00:00:00Z`) : null
}

function rfc1123Of(value: string): Date | null {
  const [, day = '', month = '', year = ''] = RFC_1123.exec(value) ?? []
  const at = new Date(year === '' ? Number.NaN : value)
  // A thirtieth of February would be read as a day in March.
  const isThatDay = new Date(`${day} ${month} ${year} 00:00:00 GMT`).getUTCDate() === Number(day)
  return Number.isNaN(at.getTime()) || !isThatDay ? null : at
}
