import { EventEntity, type EventRow } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { allOf, type Condition, sqlOf } from './list-conditions.ts'
import { readPage } from './list-page.ts'
import type { Page, PageRequest } from './page.ts'

/** The numbers of the transactions that connections to other databases of the server hold at this moment. */
const HELD_ELSEWHERE = `select held.transactionid
  from pg_locks held join pg_stat_activity owner on owner.pid = held.pid
  where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and owner.datname <> current_database()`

/**
 * The oldest transaction of this database that still runs, or else the next one. PostgreSQL's own horizon counts every
 * database of the server, so that a long change in another one would hold the list back; what another one held right before,
 * or holds now, is therefore left out. What cannot be placed counts as ours.
 */
const HORIZON = `(select coalesce(
  (select running from pg_snapshot_xip(pg_current_snapshot()) as running
    where running::xid <> all(?::xid[]) and running::xid not in (${HELD_ELSEWHERE})
    order by running limit 1),
  pg_snapshot_xmax(pg_current_snapshot())))`

/**
 * An event is shown only when no older database transaction can still commit before it: its own lies below the
 * oldest one that is still running. A poller that keeps the last id it saw therefore misses nothing.
 */
const VISIBLE = `project_id = ? and sandbox = ? and written_by < (select "end" from horizon)`

export interface EventsRequest extends PageRequest {
  /** All must hold. The cursor need not meet them. */
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
  const listed = allOf([whole, ...conditions.map(sqlOf)])
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
 * What other databases hold before the list is read. A transaction of another one that the reading still finds running may
 * end before its locks are read, and then cannot be placed. Known from here it is left out all the same; and one that began
 * after this statement is newer than whatever was shown before, so that nothing that was shown vanishes for a moment.
 *
 * @returns an array in PostgreSQL's own form.
 */
async function findHeldElsewhere(em: EntityManager): Promise<string> {
  const [found] = await em.execute<{ held: string }[]>(`select array(${HELD_ELSEWHERE})::text as held`)
  return found?.held ?? '{}'
}
