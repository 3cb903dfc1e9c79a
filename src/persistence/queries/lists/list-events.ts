import { EventEntity, type EventRow } from '../../entities/event.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { allOf, type Condition, sqlOf } from './list-conditions.ts'
import type { Page, PageRequest } from './page.ts'

/**
 * The oldest transaction of this database that still runs, or else the next one. PostgreSQL's own horizon counts every
 * database of the server, so that a long change in another one would hold the list back; whose lock on its own number
 * belongs to a connection of another database is therefore left out. One that cannot be placed counts as ours.
 */
const HORIZON = `(select coalesce(
  (select running from pg_snapshot_xip(pg_current_snapshot()) as running
    where not exists (
      select from pg_locks held join pg_stat_activity owner on owner.pid = held.pid
       where held.locktype = 'transactionid' and held.mode = 'ExclusiveLock' and held.transactionid = running::xid
         and owner.datname <> current_database())
    order by running limit 1),
  pg_snapshot_xmax(pg_current_snapshot())))`

/**
 * An event is shown only when no older database transaction can still commit before it: its own lies below the
 * oldest one that is still running. A poller that keeps the last id it saw therefore misses nothing.
 */
const VISIBLE = `project_id = ? and sandbox = ? and written_by < ${HORIZON}`

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
  { projectId, sandbox }: Scope,
  { limit, order, cursor, conditions = [] }: EventsRequest,
): Promise<Page<EventRow> | null> {
  const scope = [projectId, sandbox]
  const listed = allOf([{ sql: VISIBLE, values: scope }, ...conditions.map(sqlOf)])
  const [counted] = await em.execute<{ total: string }[]>(`select count(*) as total from event where ${listed.sql}`, [
    ...listed.values,
  ])
  const place = cursor === null ? null : await findPlace(em, scope, cursor.id)
  if (place === undefined) return null

  // The page before a cursor is read away from it and turned round.
  const isBackwards = cursor?.side === 'before'
  const isAscending = (order === 'asc') !== isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const beyond = place === null ? '' : `and (written_by, position) ${isAscending ? '>' : '<'} (?::xid8, ?::bigint)`
  const rows = await em.execute<object[]>(
    `select id, project_id, sandbox, name, invoice_id, transaction_id, sequence, customer_id, data, fired_at, resends
       from event where ${listed.sql} ${beyond}
      order by written_by ${direction}, position ${direction} limit ?`,
    // One row more than the page tells whether there are more.
    [...listed.values, ...(place === null ? [] : [place.written_by, place.position]), limit + 1],
  )
  const page = rows.slice(0, limit).map((row) => em.map(EventEntity, row))
  return {
    rows: isBackwards ? page.reverse() : page,
    hasMore: rows.length > limit,
    totalCount: Number(counted?.total ?? 0),
  }
}

/** Where an event stands in the order of all; undefined where the list does not show it. */
async function findPlace(em: EntityManager, scope: (string | boolean)[], id: string) {
  const [place] = await em.execute<{ written_by: string; position: string }[]>(
    `select written_by::text, position::text from event where ${VISIBLE} and id = ?`,
    [...scope, id],
  )
  return place
}
