import { ERRORS, isErrorCode } from '../../../domain/errors.ts'
import { formatAmount } from '../../../domain/money.ts'
import { scopeOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { findLimitUse, type LimitUse } from '../../persistence/queries/projects/limit-minutes.ts'
import {
  type PaymentSeries,
  readCurrencies,
  readPaymentDays,
} from '../../persistence/queries/statistics/payment-days.ts'
import { call } from '../call.ts'
import { type RateLimit, rateLimitsAnswer, statisticsAnswer } from '../contract.ts'
import { readMinutes, readStatisticsQuery } from '../query.ts'

export const USAGE = [
  // Payments by days, of one currency.
  call('GET /statistics', {
    who: everyRole,
    answers: statisticsAnswer,
    hasQuery: true,
    async run({ ctx, deps, em }) {
      const { days, currency: wanted, gatewayConfigurationId } = readStatisticsQuery(ctx, deps.clock.now())
      const of = { ...scopeOf(ctx), days, gatewayConfigurationId }
      const currencies = await readCurrencies(em, of)
      const currency = wanted ?? currencies[0] ?? null
      const { series, countedTo } = await readPaymentDays(em, of, currency)
      const figures = figuresOf(series, days.length, currency)
      return { statistics: { currencies, currency, days, ...figures, counted_to: presentTimestamp(countedTo) } }
    },
  }),

  // The limits of this environment, with how they were used in the last minutes.
  call('GET /rate-limits', {
    who: everyRole,
    answers: rateLimitsAnswer,
    hasQuery: true,
    async run({ ctx, deps, em }) {
      const { starts, minutesEach } = stepsOf(readMinutes(ctx), deps.clock.now())
      const [from = deps.clock.now()] = starts
      const limits = await findLimitUse(em, scopeOf(ctx), { from, minutesEach })
      return {
        steps: starts.map((start) => presentTimestamp(start)),
        limits: limits.map((limit) => presentLimit(limit, starts.length)),
      }
    },
  }),
]

const total = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)

/** @param length how many days there are. */
function figuresOf(series: readonly PaymentSeries[], length: number, currency: string | null) {
  const sum = (values: (readonly number[])[]): number[] =>
    Array.from({ length }, (_, day) => total(values.map((one) => one[day] ?? 0)))
  const ofKind = (kind: PaymentSeries['kind']) => series.filter((one) => one.kind === kind)
  const countsOf = (kind: PaymentSeries['kind']) => sum(ofKind(kind).map(({ counts }) => counts))
  const amountsOf = (kind: PaymentSeries['kind']) =>
    sum(ofKind(kind).map(({ amountsMinor }) => amountsMinor)).map((minor) =>
      currency === null ? '0' : formatAmount(minor, currency),
    )
  return {
    approved: countsOf('approved'),
    declined: countsOf('declined'),
    authorized_amount: amountsOf('approved'),
    captured_amount: amountsOf('captured'),
    refunded_amount: amountsOf('refunded'),
    disputed_amount: amountsOf('disputed'),
    recovered_amount: amountsOf('recovered'),
    declines: ofKind('declined')
      .map(({ errorCode, counts }) => ({
        error_code: errorCode,
        message: isErrorCode(errorCode) ? ERRORS[errorCode].message : 'The gateway returned an unknown code.',
        counts: sum([counts]),
      }))
      .sort((one, other) => total(other.counts) - total(one.counts)),
  }
}

const MINUTE_MS = 60_000

/** More steps than this cannot be told apart in a chart. */
const STEPS_MAX = 120

/** Steps of equal length, the last of which ends with the present minute. */
function stepsOf(minutes: number, now: Date) {
  const minutesEach = Math.ceil(minutes / STEPS_MAX)
  const count = Math.ceil(minutes / minutesEach)
  const end = (Math.floor(now.getTime() / MINUTE_MS) + 1) * MINUTE_MS
  const starts = Array.from({ length: count }, (_, step) => new Date(end - (count - step) * minutesEach * MINUTE_MS))
  return { starts, minutesEach }
}

function presentLimit({ kind, limit, remaining, used }: LimitUse, steps: number): RateLimit {
  const byStep = new Map(used.map((one) => [one.step, one]))
  const each = (value: (step: LimitUse['used'][number] | undefined) => number) =>
    Array.from({ length: steps }, (_, step) => value(byStep.get(step)))
  return {
    kind,
    limit,
    remaining,
    requests: each((step) => step?.requests ?? 0),
    refused: each((step) => step?.refused ?? 0),
    lowest_remaining: each((step) => step?.lowestRemaining ?? limit),
  }
}
