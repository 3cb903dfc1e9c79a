/** Amounts, instants and numbers in the reader's language and zone. */
import { exponentOf, formatAmount, isCurrency, parseAmount } from '../../../../domain/money.ts'
import { locale } from './language.ts'
import { t } from './words.ts'

/** Digits with an optional fraction; `Intl` prints such a text exactly, without making it a floating-point number. */
type DecimalText = `${number}`

/** What is made at the first call. To make a format takes many times as long as to write with it. */
function once<Format>(make: () => Format): () => Format {
  let made: Format | undefined
  return () => {
    made ??= make()
    return made
  }
}

const numberFormats = new Map<string, Intl.NumberFormat>()

function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = JSON.stringify(options)
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options)
  numberFormats.set(key, format)
  return format
}

/** What more than one currency is written with, so that its code follows, or stands in its place where it comes last anyway. */
const SHARED_SYMBOL = /^(?:[$¥]|kr\.?)$/

/** "29.00" and EUR become "€29.00", and USD "$29.00 USD" (in German "29,00 USD"), with the digits that the text has. */
export function money(amount: string, currency: string): string {
  const digits = amount.split('.')[1]?.length ?? 0
  const format = numberFormat({
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  const text = format.format(amount as DecimalText)
  const symbol = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? ''
  return withCode(text, symbol, currency)
}

/** An amount with the code of its currency, where other currencies have the same symbol. */
export function withCode(text: string, symbol: string, currency: string): string {
  if (!SHARED_SYMBOL.test(symbol)) return text
  return text.endsWith(symbol) ? text.slice(0, -symbol.length) + currency : `${text}\u00a0${currency}`
}

/** For axes and tiles: "€12.4K". What is left out is less than the picture could show. */
export function shortMoney(amount: string, currency: string): string {
  const format = { style: 'currency', currency, notation: 'compact', maximumSignificantDigits: 3 } as const
  return numberFormat(format).format(amount as DecimalText)
}

/** The sum of decimal texts of one currency, added as whole minor units. */
export function sumOf(amounts: readonly string[], currency: string): string {
  const digits = exponentOf(currency)
  return decimalText(
    amounts.reduce((sum, amount) => sum + minorOf(amount, digits), 0n),
    digits,
  )
}

/** The first less the second, both of one currency. */
export function lessOf(first: string, second: string, currency: string): string {
  const digits = exponentOf(currency)
  return decimalText(minorOf(first, digits) - minorOf(second, digits), digits)
}

/** Sums are larger than any amount, and may lie below zero. */
function minorOf(amount: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'))
}

function decimalText(minor: bigint, digits: number): string {
  const [sign, size] = minor < 0n ? ['-', -minor] : ['', minor]
  const text = String(size).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** How high an amount is drawn. Good for pictures only. */
export function heightOf(amount: string): number {
  return Number(amount)
}

/** The signs before a fraction and between thousands: `['.', ',']`, in German `[',', '.']`. */
const signs = once(() => {
  const parts = numberFormat().formatToParts(1234567.5)
  return ['decimal', 'group'].map((sign) => parts.find(({ type }) => type === sign)?.value ?? '') as [string, string]
})

/** An amount as it is typed in the reader's language: "29.00", in German "29,00". */
export function typed(amount: string): string {
  return amount.replace('.', signs()[0])
}

/**
 * What was typed as a number, as the service writes it: "29,00" of a German becomes "29.00". A German's "1.500" is no number,
 * since some would mean a thousand more by it than others.
 */
export function untyped(text: string, [decimal, group] = signs()): string {
  const number = text.trim()
  return group === '.' && /\.\d{3}$/.test(number) ? '' : number.replace(decimal, '.')
}

/**
 * What a person has typed as an amount, in the digits of the currency; or why it is none.
 *
 * @param most the largest amount that there may be
 */
export function readAmount(
  text: string,
  currency: string,
  most: string,
): { amount: string; problem?: never } | { amount?: never; problem: string } {
  if (!isCurrency(currency)) return { problem: t('common.amount.unknownCurrency', { currency }) }
  const minor = parseAmount(untyped(text), currency)
  const mostMinor = parseAmount(most, currency) ?? 0
  if (minor === null) return { problem: wrongShape(mostMinor, currency) }
  if (minor === 0) return { problem: t('common.amount.zero') }
  if (minor > mostMinor) return { problem: t('common.amount.most', { most: money(most, currency) }) }
  return { amount: formatAmount(minor, currency) }
}

const EXAMPLE_MINOR = 1050

/** With an amount that can be meant, and never all that there is, which nobody shall take over unseen. */
function wrongShape(mostMinor: number, currency: string): string {
  const example = formatAmount(Math.min(EXAMPLE_MINOR, Math.ceil(mostMinor / 2)), currency)
  const sign = exponentOf(currency) === 0 ? 'none' : signs()[0]
  return t('common.amount.shape', { example: typed(example), sign })
}

/** Whether an amount is nothing: "0", "0.00". */
export function isZero(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

const INSTANT = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
const INSTANT_WITH_SECONDS = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }))
const ZONED = once(() => new Intl.DateTimeFormat(locale, { timeZoneName: 'short' }))
const CLOCK_TIME = once(() => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }))
const SHORT_DAY = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const LONG_DAY = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
const MONTH = once(() => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }))
const DISTANCE = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))

export function instant(text: string, { seconds = false }: { seconds?: boolean } = {}): string {
  return (seconds ? INSTANT_WITH_SECONDS() : INSTANT()).format(new Date(text))
}

/** The zone of an instant for the reader, "GMT+1", as it is then. */
export function zoneAt(text: string): string {
  const parts = ZONED().formatToParts(new Date(text))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone()
}

/** "15:11" */
export function clockTime(text: string): string {
  return CLOCK_TIME().format(new Date(text))
}

/** "2026-11-24 15:11:28 UTC", as logs have it. */
export function utc(text: string): string {
  return `${new Date(text).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** A day that is one in UTC, "2026-11-24", as "24 Nov". */
export function shortDay(day: string): string {
  return SHORT_DAY().format(new Date(`${day}T00:00:00Z`))
}

/** A month, "2026-10", as "October 2026". */
export function monthName(month: string): string {
  return MONTH().format(new Date(`${month}-01T00:00:00Z`))
}

/** A day that is one in UTC as "24 Nov 2026". */
export function longDay(day: string): string {
  return LONG_DAY().format(new Date(`${day}T00:00:00Z`))
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** "in 6 days", "2 hours ago". */
export function distance(text: string, now: number): string {
  const seconds = (new Date(text).getTime() - now) / 1_000
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1]
  return DISTANCE().format(Math.round(seconds / size), unit)
}

/** When something happens by itself, "in 6 days"; what is due happens "now", however late it is. */
export function coming(text: string, now: number): string {
  return distance(new Date(Math.max(Date.parse(text), now)).toISOString(), now)
}

/** The beginning of a day in the reader's zone. */
function beginOfDay(now: number, daysAhead = 0): Date {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() + daysAhead)
  return day
}

/** When something has to be done, by days of the reader: "tomorrow", "in 6 days"; on the day itself "in 3 hours". */
export function deadline(text: string, now: number): string {
  const hoursLeft = (beginOfDay(Date.parse(text)).getTime() - beginOfDay(now).getTime()) / 3_600_000
  // A day on which the clocks change has an hour more or less.
  const days = Math.round(hoursLeft / 24)
  return days === 0 ? distance(text, now) : DISTANCE().format(days, 'day')
}

/** The end of what a deadline says to be "in 7 days", or sooner; 0 is the end of today. */
export function endOfDeadline(now: number, days: number): Date {
  return beginOfDay(now, days + 1)
}

export function count(value: number): string {
  return numberFormat().format(value)
}

/** A share of a whole as "96.4 %"; of nothing there is none. */
export function share(part: number, whole: number): string {
  if (whole === 0) return '–'
  return numberFormat({ style: 'percent', maximumFractionDigits: 1 }).format(part / whole)
}

/** A path or an id whose long part is shortened, so that it can be read: "/invoices/iv_8xK2…q9Zt/capture". */
export function shortIds(path: string): string {
  return path.replaceAll(/(_\w{4})\w{16,}(\w{4})/g, '$1…$2')
}

/** The zone in which instants are shown, such as "Europe/Vienna". */
export function zone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
