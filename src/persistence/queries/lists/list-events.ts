import { EventEntity, type EventRow } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { allOf, type Condition, sqlOf } from './list-conditions.ts'
import { readPage } from './list-page.ts'
import type { Page, PageRequest } from './page.ts'

/** The ids of transactions that run in other databases of the server. */
const HELD_ELSEWHERE = `select held.transactionid
  from pg_locks held join pg_stat_activity owner on owner.pid = held.pid
  where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and owner.datname <> current_database()`

/**
 * The oldest running transaction of this database, or else the next one. PostgreSQL's own horizon counts all databases of
 * the server: a long transaction in another one would hold the list back. So transactions that another database held just
 * before, or holds now, are left out. A transaction of unknown database counts as ours.
 */
const HORIZON = `(select coalesce(
  (select running from pg_snapshot_xip(pg_current_snapshot()) as running
    where running::xid <> all(?::xid[]) and running::xid not in (${HELD_ELSEWHERE})
    order by running limit 1),
  pg_snapshot_xmax(pg_current_snapshot())))`

/**
 * An event is visible once no older transaction can commit before it: its own is older than the oldest running one. A
 * client that polls from the last id it saw therefore misses no event.
 */
const VISIBLE = `project_id = ? and sandbox = ? and written_by < (select "end" from horizon)`

export interface EventsRequest extends PageRequest {
  /** All must hold; the cursor's event need not meet them. */
  conditions?: readonly Condition[]
}

/**
 * One page of the events of a project and environment, in the order in which they were committed.
 *
 * @returns null where the cursor is not an event of this list.
 */
export async function listEvents(
  em: EntityManager,
  scope: Scope,
  { conditions = [], ...request }: EventsRequest,
): Promise<Page<EventRow> | null> {
  const heldElsewhere = await findHeldElsewhere(em)
  const whole = { sql: VISIBLE, values: [scope.projectId, scope.sandbox] }
  const listed = allOf([whole, ...conditions.map((condition) => sqlOf(condition, scope.projectId))])
  const page = await readPage(
    em,
    {
      entity: EventEntity,
      columns: em.getMetadata(EventEntity).props.flatMap(({ fieldNames }) => fieldNames),
      order: ['written_by', 'position'],
      whole,
      listed,
      preamble: { sql: `with horizon as materialized (select ${HORIZON} as "end")`, values: [heldElsewhere] },
    },
    request,
  )
  return page as Page<EventRow> | null
}

/**
 * Reads the transactions of other databases before the list does. The list statement may still see such a transaction
 * running in its snapshot but find its lock gone, and could not tell its database: this list still excludes it. A
 * transaction that begins later is newer than all events shown before, so no shown event vanishes for a moment.
 *
 * @returns an array in PostgreSQL's own form.
 */
async function findHeldElsewhere(em: EntityManager): Promise<string> {
  const [found] = await em.execute<{ held: string }[]>(`select array(${HELD_ELSEWHERE})::text as held`)
  return found?.held ?? '{}'
}
