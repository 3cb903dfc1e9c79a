import { type Environment, environmentOf } from '../../../../domain/environment.ts'
import type { Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'
import { NEEDS_ATTENTION } from '../payments/attention.ts'

/** A kind of rows that wait for something or somebody. */
export type BacklogKind =
  | 'outcome-unknown'
  | 'needs-attention'
  | 'due-date-missed'
  | 'look-up-missed'
  | 'first-webhook'
  | 'repeated-webhook'

export interface Backlog {
  kind: BacklogKind
  environment: Environment
  /** At most `BACKLOG_MAX`. */
  count: number
  /** Since when the oldest one waits, or when it was due; may be ahead. Null where there is none. */
  oldest: Date | null
}

/** More are not counted: the statement must stay cheap when much waits. */
export const BACKLOG_MAX = 10_000

const BACKLOG = `
  select kind, sandbox, count(*)::integer as count, min(since) as oldest from (
    (select 'outcome-unknown' as kind, sandbox, outcome_unknown_since as since
       from transaction where outcome_unknown_since is not null limit ${BACKLOG_MAX})
    union all
    (select 'needs-attention', sandbox, null from transaction where ${NEEDS_ATTENTION} limit ${BACKLOG_MAX})
    union all
    (select case when next_due_at < $1 then 'due-date-missed' else 'look-up-missed' end, transaction.sandbox, due_at
       from payment_status join transaction on transaction.id = payment_status.transaction_id
      where updated_at < $1 and due_at < $1
      order by due_at limit ${BACKLOG_MAX})
    union all
    (select 'first-webhook', sandbox, queued_at
       from delivery where status = 'pending' and first_attempt_at is null order by queued_at limit ${BACKLOG_MAX})
    union all
    (select 'repeated-webhook', sandbox, release_at
       from delivery where status = 'pending' and release_at is not null and first_attempt_at is not null
      order by release_at limit ${BACKLOG_MAX})
  ) as waiting
  group by kind, sandbox`

/**
 * What waits in the database, by kind and environment; a kind that nothing is of is left out. Each part reads an index that
 * holds little but what it counts.
 *
 * @param missedBefore due dates and look-ups before this instant should have been acted on.
 */
export async function readBacklog(orm: Orm, missedBefore: Date): Promise<Backlog[]> {
  type Row = Pick<Backlog, 'kind' | 'count'> & { sandbox: boolean; oldest: string | Date | null }
  const rows = await execute<Row>(orm, BACKLOG, [missedBefore])
  return rows.map(({ kind, sandbox, count, oldest }) => ({
    kind,
    environment: environmentOf(sandbox),
    count,
    oldest: oldest === null ? null : new Date(oldest),
  }))
}
