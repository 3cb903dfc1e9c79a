import { z } from 'zod'
import { isCurrency, parseAmount } from '../../../domain/money.ts'
import { TRANSACTION_STATUSES, type TransactionStatus } from '../../../domain/transaction.ts'
import { optionalId, optionalText } from '../../objects/taken.ts'
import type { PaymentSearch } from '../../persistence/queries/payments/search-payments.ts'
import type { ApiContext } from '../context.ts'
import { defineInput, type InputDefinition, invalidField, readInput } from '../input/input.ts'
import { parseInstant } from '../input/instant.ts'
import type { PaymentsQuery, RateLimitsQuery, StatisticsQuery } from './contract.ts'

const PAYMENTS_DEFAULT = 25
const PAYMENTS_MAX = 100
const DAYS_DEFAULT = 30
const DAYS_MAX = 366
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

const PAYMENTS = defineInput(
  () =>
    ({
      search: optionalText(TEXT_LENGTH_MAX),
      status: optionalText(TEXT_LENGTH_MAX, {
        holds: (value) => value.split(',').every((word) => (TRANSACTION_STATUSES as readonly string[]).includes(word)),
        message: `must be some of ${TRANSACTION_STATUSES.join(', ')}, separated by commas`,
      }),
      currency,
      amount_from: optionalText(20),
      amount_to: optionalText(20),
      created_from: instant,
      created_to: instant,
      gateway_configuration_id: configurationId,
      error_code: optionalText(TEXT_LENGTH_MAX),
      needs_attention: optionalText(4, { holds: (value) => value === 'true', message: 'must be true, or left out' }),
      limit: wholeNumber(PAYMENTS_MAX),
      start_after: optionalId('transaction', 'is no payment of this project', 'request.pagination.invalid'),
    }) satisfies Record<keyof PaymentsQuery, z.ZodType>,
)

/** What a person looks for among the payments. */
export function readPaymentSearch(ctx: ApiContext): PaymentSearch {
  const query = readQuery(ctx, PAYMENTS)
  const amountOf = (name: 'amount_from' | 'amount_to'): number | null => {
    const text = query[name]
    if (text === null) return null
    if (query.currency === null) throw invalidField(name, 'needs the currency: 500 are five hundred yen, or five euros')
    const amountMinor = parseAmount(text, query.currency)
    if (amountMinor === null) throw invalidField(name, `must be an amount in ${query.currency}, such as 29.00`)
    return amountMinor
  }
  return {
    text: query.search?.trim() ?? '',
    statuses: [...new Set((query.status?.split(',') ?? []) as TransactionStatus[])],
    currency: query.currency,
    amountFromMinor: amountOf('amount_from'),
    amountToMinor: amountOf('amount_to'),
    createdFrom: query.created_from,
    createdTo: query.created_to,
    gatewayConfigurationId: query.gateway_configuration_id,
    errorCode: query.error_code,
    needsAttention: query.needs_attention !== null,
    limit: query.limit ?? PAYMENTS_DEFAULT,
    startAfter: query.start_after,
  }
}

const STATISTICS = defineInput(
  () =>
    ({
      from: day,
      to: day,
      currency,
      gateway_configuration_id: configurationId,
    }) satisfies Record<keyof StatisticsQuery, z.ZodType>,
)

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

const RATE_LIMITS = defineInput(
  () => ({ minutes: wholeNumber(MINUTES_MAX) }) satisfies Record<keyof RateLimitsQuery, z.ZodType>,
)

/** How many minutes back the gauges go. */
export function readMinutes(ctx: ApiContext): number {
  return readQuery(ctx, RATE_LIMITS).minutes ?? MINUTES_DEFAULT
}

/** Refuses every other parameter. */
function readQuery<Output>(ctx: ApiContext, definition: InputDefinition<Output>): Output {
  return readInput(definition, { fields: { ...ctx.query }, isForm: true })
}
