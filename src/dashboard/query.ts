import { z } from 'zod'
import { isCurrency, parseAmount } from '../../domain/money.ts'
import type { ApiContext } from '../http/context.ts'
import { defineInput, type InputDefinition, invalidField, readInput } from '../http/input/input.ts'
import { readEmailAddress } from '../objects/customer-email.ts'
import { parseInstant } from '../objects/instants.ts'
import { optionalId, optionalText } from '../objects/taken.ts'
import {
  type GivenPaymentFilters,
  PAYMENT_FILTERS,
  type PaymentFilterKind,
  type PaymentFilterName,
  paymentFilters,
} from './search/payment-filters.ts'
import type { PaymentSearch } from './search/search-payments.ts'

const PAYMENTS_DEFAULT = 25
const PAYMENTS_MAX = 100
const DAYS_DEFAULT = 30
const DAYS_MAX = 366
const SKIPPED_MAX = 10_000
const MINUTES_DEFAULT = 60
const MINUTES_MAX = 24 * 60
const DAY_MS = 24 * 60 * 60 * 1000

/** Longer than any number of an order, reference or email address. */
const TEXT_LENGTH_MAX = 254

const UNKNOWN = 'is not known to this project'

const wholeNumber = (max: number) =>
  optionalText(9, {
    holds: (value) => /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= max,
    message: `must be a whole number from 1 to ${max}`,
  }).transform((value) => (value === null ? null : Number(value)))

const currency = optionalText(3, {
  holds: (value) => isCurrency(value.toUpperCase()),
  message: 'must be an ISO 4217 code',
}).transform((value) => value?.toUpperCase() ?? null)

const configurationId = optionalId('gatewayConfiguration', UNKNOWN, 'resource.gateway-configuration.not-found')

const day = optionalText(10, {
  holds: (value) => z.iso.date().safeParse(value).success,
  message: 'must be a day, such as 2026-11-24',
})

/** An instant, or the beginning of a day in UTC. */
const instant = optionalText(40, {
  holds: (value) => instantOf(value) !== null,
  message: 'must be an instant or a day, such as 2026-11-24',
}).transform((value) => (value === null ? null : instantOf(value)))

function instantOf(text: string): Date | null {
  return parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
}

/** One value, as a list. */
const single = <Value>(schema: z.ZodType<Value | null>) =>
  schema.transform((value): readonly Value[] | null => (value === null ? null : [value]))

const wordsOf = (words: readonly string[]) =>
  optionalText(TEXT_LENGTH_MAX, {
    holds: (value) => value.split(',').every((word) => words.includes(word)),
    message: `must be some of ${words.join(', ')}, separated by commas`,
  }).transform((value) => (value === null ? null : [...new Set(value.split(','))]))

/** The values of a filter; null where it is not given. Amounts are read as soon as their currency is known. */
const FILTER_VALUES: Readonly<Record<PaymentFilterKind, (words: readonly string[]) => z.ZodType<FilterValues | null>>> =
  {
    keyword: () => single(optionalText(TEXT_LENGTH_MAX)),
    words: wordsOf,
    currency: () => single(currency),
    amount: () => single(optionalText(20)),
    instant: () => single(instant),
    gateway: () => single(configurationId),
    mark: () => single(optionalText(4, { holds: (value) => value === 'true', message: 'must be true, or left out' })),
  }

type FilterValues = readonly (string | Date)[]

const FILTERS = Object.fromEntries(
  paymentFilters().map(([name, { kind, words = [] }]) => [name, FILTER_VALUES[kind](words)]),
) as Record<PaymentFilterName, z.ZodType<FilterValues | null>>

/**
 * All of it may be left out. `search` is the number of an order, the name of an invoice, of a card's holder or of a customer,
 * an email address, or an id (`iv_…`, `tr_…`, `card_…`, `cust_…`), whole or the beginning of it; or the reference of an
 * invoice or a customer, or the last four digits of a card. Upper and lower case are alike, and so are letters with and
 * without accents.
 */
const PAYMENTS = defineInput(() => ({
  ...FILTERS,
  search: optionalText(TEXT_LENGTH_MAX),
  order: optionalText(4, { holds: (value) => value === 'asc' || value === 'desc', message: 'must be asc or desc' }),
  limit: wholeNumber(PAYMENTS_MAX),
  start_after: optionalId('transaction', 'is not a payment of this project', 'request.pagination.invalid'),
}))

/** What a person looks for among the payments. */
export function readPaymentSearch(ctx: ApiContext): PaymentSearch {
  const { search, order, limit, start_after: startAfter, ...filters } = readQuery(ctx, PAYMENTS)
  const text = search?.trim() ?? ''
  return {
    text: readEmailAddress(text) ?? text,
    filters: withAmounts(filters),
    order: order === 'asc' ? 'asc' : 'desc',
    limit: limit ?? PAYMENTS_DEFAULT,
    startAfter,
  }
}

/** The filters that are given, their amounts in minor units of the currency. */
function withAmounts(filters: Record<PaymentFilterName, FilterValues | null>): GivenPaymentFilters {
  const given = Object.entries(filters).filter((entry): entry is [PaymentFilterName, FilterValues] => entry[1] !== null)
  const amountOf = (name: PaymentFilterName, text: string): number => {
    const [currency] = filters.currency ?? []
    if (currency === undefined) throw invalidField(name, 'needs a currency')
    const amountMinor = parseAmount(text, String(currency))
    if (amountMinor === null) throw invalidField(name, `must be an amount in ${currency}, such as 29.00`)
    return amountMinor
  }
  return Object.fromEntries(
    given.map(([name, values]) => [
      name,
      PAYMENT_FILTERS[name].kind === 'amount' ? values.map((text) => amountOf(name, String(text))) : values,
    ]),
  )
}

const DISPUTES = defineInput(() => ({
  state: optionalText(4, { holds: (value) => value === 'open' || value === 'all', message: 'must be open or all' }),
  due_before: instant,
  start_after: wholeNumber(SKIPPED_MAX),
}))

/** Which disputes to show: the open ones, unless all are asked for, or those that are due before then, after so many payments. */
export function readDisputesQuery(ctx: ApiContext): { state: 'open' | 'all'; dueBefore: Date | null; skip: number } {
  const { state, due_before: dueBefore, start_after: skip } = readQuery(ctx, DISPUTES)
  return { state: state === 'all' ? 'all' : 'open', dueBefore, skip: skip ?? 0 }
}

const CUSTOMERS = defineInput(() => ({
  search: optionalText(TEXT_LENGTH_MAX),
  start_after: optionalId('customer', 'is not a customer of this project', 'request.pagination.invalid'),
}))

/** What a person looks for among the customers; an empty text stands for all of them. */
export function readCustomerSearch(ctx: ApiContext): { text: string; startAfter: string | null } {
  const { search, start_after: startAfter } = readQuery(ctx, CUSTOMERS)
  const text = search?.trim() ?? ''
  return { text: readEmailAddress(text) ?? text, startAfter }
}

/** Days in UTC, both inclusive, at most 366; by default the last 30. */
const STATISTICS = defineInput(() => ({ from: day, to: day, currency, gateway_configuration_id: configurationId }))

/** The days to show, all of them. */
export function readStatisticsQuery(ctx: ApiContext, now: Date) {
  const { from, to, currency: wanted, gateway_configuration_id: gatewayConfigurationId } = readQuery(ctx, STATISTICS)
  const last = Date.parse(to ?? dayOf(now.getTime()))
  const first = from === null ? last - (DAYS_DEFAULT - 1) * DAY_MS : Date.parse(from)
  const count = (last - first) / DAY_MS + 1
  if (count < 1) throw invalidField('to', 'must not be before from')
  if (count > DAYS_MAX) throw invalidField('from', `must be ${DAYS_MAX} days before to at most`)
  const days = Array.from({ length: count }, (_, index) => dayOf(first + index * DAY_MS))
  return { days, currency: wanted, gatewayConfigurationId }
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length)
}

/** How far back, 1 to 1440 minutes; by default 60. */
const RATE_LIMITS = defineInput(() => ({ minutes: wholeNumber(MINUTES_MAX) }))

/** How many minutes back the gauges go. */
export function readMinutes(ctx: ApiContext): number {
  return readQuery(ctx, RATE_LIMITS).minutes ?? MINUTES_DEFAULT
}

/** Refuses every other parameter. */
function readQuery<Output>(ctx: ApiContext, definition: InputDefinition<Output>): Output {
  return readInput(definition, { fields: { ...ctx.query }, isForm: true })
}
