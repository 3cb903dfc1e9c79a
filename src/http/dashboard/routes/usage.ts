import { ERRORS, isErrorCode } from '../../../../domain/errors.ts'
import { formatAmount } from '../../../../domain/money.ts'
import { findLimitUse } from '../../../persistence/queries/projects/limit-minutes.ts'
import { type PaymentDay, readPaymentDays } from '../../../persistence/queries/statistics/payment-days.ts'
import { presentTimestamp } from '../../../presenters/values.ts'
import { type ApiMiddleware, scopeOf } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { readMinutes, readStatisticsQuery } from '../query.ts'

/** Payments by days, of one currency. */
export function showStatistics({ orm, clock }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { days, currency: wanted, gatewayConfigurationId } = readStatisticsQuery(ctx, clock.now())
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const { days: read, countedTo } = await readPaymentDays(orm.em.fork(), scopeOf(ctx), {
      from,
      to,
      gatewayConfigurationId,
    })
    const currencies = currenciesIn(read)
    const currency = wanted ?? currencies[0] ?? null
    const shown = read.filter((one) => one.currency === currency)
    ctx.body = {
      success: true,
      statistics: {
        currencies,
        currency,
        days,
        ...seriesOf(shown, days, currency),
        counted_to: presentTimestamp(countedTo),
      },
    }
  }
}

/** The most used one first. */
function currenciesIn(read: readonly PaymentDay[]): string[] {
  const counts = new Map<string, number>()
  for (const { currency, count } of read) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([currency]) => currency)
}

function seriesOf(shown: readonly PaymentDay[], days: readonly string[], currency: string | null) {
  const places = new Map(days.map((day, place) => [day, place]))
  const sum = (matches: (one: PaymentDay) => boolean, value: 'count' | 'amountMinor'): number[] => {
    const sums = days.map(() => 0)
    for (const one of shown.filter(matches)) {
      const place = places.get(one.day) ?? 0
      sums[place] = (sums[place] ?? 0) + one[value]
    }
    // More may fail on a day than succeeded on it.
    return sums.map((total) => Math.max(0, total))
  }
  const ofKind = (kind: PaymentDay['kind']) => (one: PaymentDay) => one.kind === kind
  const amounts = (kind: PaymentDay['kind']) =>
    sum(ofKind(kind), 'amountMinor').map((minor) => (currency === null ? '0' : formatAmount(minor, currency)))
  const total = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  const codes = [...new Set(shown.filter(ofKind('declined')).map(({ errorCode }) => errorCode))]
  return {
    approved: sum(ofKind('approved'), 'count'),
    declined: sum(ofKind('declined'), 'count'),
    authorized_amount: amounts('approved'),
    captured_amount: amounts('captured'),
    refunded_amount: amounts('refunded'),
    declines: codes
      .map((code) => ({
        error_code: code,
        message: isErrorCode(code) ? ERRORS[code].message : 'The gateway gave no code that is known.',
        counts: sum((one) => one.kind === 'declined' && one.errorCode === code, 'count'),
      }))
      .sort((one, other) => total(other.counts) - total(one.counts)),
  }
}

const MINUTE_MS = 60_000

/** The limits of this environment, with how they were used in the last minutes. */
export function showRateLimits({ orm, clock }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const since = new Date(clock.now().getTime() - readMinutes(ctx) * MINUTE_MS)
    const limits = await findLimitUse(orm.em.fork(), scopeOf(ctx), since)
    ctx.body = {
      success: true,
      limits: limits.map(({ kind, limit, remaining, minutes }) => ({
        kind,
        limit,
        remaining,
        minutes: minutes.map(({ at, requests, refused, lowestRemaining }) => ({
          at: presentTimestamp(new Date(at)),
          requests,
          refused,
          lowest_remaining: lowestRemaining,
        })),
      })),
    }
  }
}
