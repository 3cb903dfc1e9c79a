import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/**
 * Database transactions counted by one statement. A payment has a handful of them; 20,000 take a fraction of a second, also
 * where nobody counted for hours.
 */
const TRANSACTIONS_AT_ONCE = 20_000

/** What a result counts as; every other operation counts as nothing. */
const KIND = `case
  when type in ('authorization', 'increment_authorization') and outcome = 'succeeded' then 'approved'
  when type = 'authorization' and outcome = 'failed' then 'declined'
  when type = 'capture' and (outcome = 'succeeded' or reason = 'failed_later') then 'captured'
  when type = 'refund' and (outcome = 'succeeded' or reason = 'failed_later') then 'refunded'
  when disputed_minor > 0 then 'disputed'
  when disputed_minor < 0 then 'recovered'
end`

/** Of a step of a dispute, what it has taken or given back. */
const AMOUNT = 'coalesce(abs(disputed_minor), amount_minor)'

/** A capture or refund that fails after all is taken off. An increment adds to the amount of an approval. */
const SIGN = `case when reason = 'failed_later' and outcome = 'failed' then -1 else 1 end`

/**
 * Adds the results of operations that were committed since the last call to the days that they belong to. Each is counted
 * once: those of database transactions before the oldest running one, in one database transaction with the mark of how far
 * it came.
 *
 * @returns whether more is left to be counted; false where another process is at it.
 */
export async function countOperations(em: EntityManager): Promise<boolean> {
  return em.transactional(async (transaction) => {
    const [progress] = await transaction.execute<{ counted_before: string }[]>(
      'select counted_before from payment_day_progress for update skip locked',
    )
    if (progress === undefined) return false
    const [done] = await transaction.execute<{ has_more: boolean }[]>(
      `with bound as materialized (
         select horizon, least(horizon, ?::bigint + ${TRANSACTIONS_AT_ONCE}) as "end"
           from (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon) oldest
       ), counted as (
         insert into payment_day
                (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code, count, amount_minor)
         select project_id, sandbox, (created_at at time zone 'UTC')::date as day, currency,
                coalesce(gateway_configuration_id, '') as configuration, kind,
                case when kind = 'declined' then coalesce(error_code, '') else '' end as code,
                sum(case when type = 'increment_authorization' then 0 else ${SIGN} end), sum(${SIGN} * ${AMOUNT})
           from (select operation.*, ${KIND} as kind from operation
                  where written_by >= ?::bigint and written_by < (select "end" from bound) and not is_attempt) result
          where kind is not null
          group by project_id, sandbox, day, currency, configuration, kind, code
          order by project_id, sandbox, day, currency, configuration, kind, code
         on conflict (project_id, sandbox, day, currency, gateway_configuration_id, kind, error_code) do update
            set count = payment_day.count + excluded.count,
                amount_minor = payment_day.amount_minor + excluded.amount_minor
       )
       update payment_day_progress
          set counted_before = greatest(counted_before, bound."end"), counted_at = clock_timestamp()
         from bound returning bound."end" < bound.horizon as has_more`,
      [progress.counted_before, progress.counted_before],
    )
    return done?.has_more === true
  })
}

/** The days of a project and environment. */
interface DaysOfProject extends Scope {
  /** Days in UTC as `2026-11-24`, one after the other. */
  days: readonly string[]
  /** Null for all. */
  gatewayConfigurationId: string | null
}

const OF_DAYS = `project_id = ? and sandbox = ? and day between ?::date and ?::date
            and (?::text is null or gateway_configuration_id = ?)`

function valuesOfDays({ projectId, sandbox, days, gatewayConfigurationId }: DaysOfProject) {
  return [projectId, sandbox, days[0] ?? '', days.at(-1) ?? '', gatewayConfigurationId, gatewayConfigurationId]
}

/** The currencies of the payments of these days, the most used one first. */
export async function readCurrencies(em: EntityManager, of: DaysOfProject): Promise<string[]> {
  const rows = await em.execute<{ currency: string }[]>(
    `select currency from payment_day where ${OF_DAYS} group by currency order by sum(count) desc, currency`,
    valuesOfDays(of),
  )
  return rows.map(({ currency }) => currency)
}

/** What happened, day by day. */
export interface PaymentSeries {
  kind: 'approved' | 'declined' | 'captured' | 'refunded' | 'disputed' | 'recovered'
  /** Of a decline; otherwise empty. */
  errorCode: string
  /** One for each day that was asked for. */
  counts: number[]
  amountsMinor: number[]
}

/** As they are counted, of all gateways; `places` counts days from the first one, and may name one several times. */
interface CountedSeries extends Omit<PaymentSeries, 'amountsMinor'> {
  places: number[]
  amounts: number[]
}

/**
 * What was counted in one currency, in any order; and until when it is complete. A year of four currencies is three times as
 * many rows as one of them.
 *
 * @param currency null for a time without payments.
 */
export async function readPaymentDays(
  em: EntityManager,
  of: DaysOfProject,
  currency: string | null,
): Promise<{ series: PaymentSeries[]; countedTo: Date | null }> {
  // Lists in place of a row for each day: to write and read the names of columns thousands of times takes longer than all else.
  const [read] = await em.execute<{ series: CountedSeries[]; counted_to: number | null }[]>(
    `select
       (select coalesce(json_agg(found), '[]') from (
         select kind, error_code as "errorCode", array_agg(day - ?::date) as places,
                array_agg(count) as counts, array_agg(amount_minor) as amounts
           from payment_day
          where ${OF_DAYS} and currency = ?
          group by kind, error_code) found) as series,
       (select extract(epoch from counted_at)::float8 * 1000 from payment_day_progress) as counted_to`,
    [of.days[0] ?? '', ...valuesOfDays(of), currency],
  )
  const { series = [], counted_to: countedTo = null } = read ?? {}
  return {
    series: series.map(({ kind, errorCode, places, counts, amounts }) => ({
      kind,
      errorCode,
      counts: sumsByPlace(places, counts, of.days.length),
      amountsMinor: sumsByPlace(places, amounts, of.days.length),
    })),
    countedTo: countedTo === null ? null : new Date(countedTo),
  }
}

function sumsByPlace(places: readonly number[], values: readonly number[], length: number): number[] {
  const sums = new Array<number>(length).fill(0)
  for (const [index, place] of places.entries()) sums[place] = (sums[place] ?? 0) + (values[index] ?? 0)
  return sums
}
