import { RECONCILIATION_DELAYS_SECONDS } from '../../../../domain/backoff.ts'
import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import { ReconciliationEntity, type ReconciliationRow } from '../../entities/reconciliation.ts'
import type { EntityManager } from '../../orm.ts'

/** Days that are listed of an account that was there before its first reconciliation. */
const FIRST_DAYS = 7

/** How long a deleted account is still listed: refunds and reversals come for weeks. */
const DELETED_LISTED_DAYS = 30

/** Reconciliations made by one statement. */
const BATCH_SIZE = 200

/** Longer than a page takes. Who was not heard of for so long counts as dead, and another one goes on. */
const HELD_MS = 10 * 60 * 1000

/**
 * Makes a reconciliation for each account and day that has none: from the day of the account on, without a gap, also after
 * weeks in which no process ran. Those of one day are made once, by any process.
 *
 * @param lastDay the last day in UTC that has ended everywhere, such as `2026-11-23`
 * @returns whether there may be more to be made
 */
export async function createDueReconciliations(
  em: EntityManager,
  {
    gatewayNames,
    lastDay,
    now,
    randomBytes,
  }: { gatewayNames: string[]; lastDay: string; now: Date; randomBytes: RandomBytes },
): Promise<boolean> {
  type Due = { id: string; projectId: string; sandbox: boolean; day: string }
  const due = await em.execute<Due[]>(
    `select configuration.id, configuration.project_id as "projectId", configuration.sandbox,
            (first.day + passed)::text as day
       from gateway_configuration configuration
       cross join lateral (
         select coalesce(max(day) + 1, greatest((configuration.created_at at time zone 'UTC')::date, ?::date - ${FIRST_DAYS - 1}))
           from reconciliation where gateway_configuration_id = configuration.id and day is not null
       ) as first (day)
       cross join lateral generate_series(0, ?::date - first.day) as passed
      where configuration.gateway_name in (${gatewayNames.map(() => '?').join()})
        and (configuration.deleted_at is null
             or first.day + passed <= (configuration.deleted_at at time zone 'UTC')::date + ${DELETED_LISTED_DAYS})
      order by 4, 1 limit ${BATCH_SIZE}`,
    [lastDay, lastDay, ...gatewayNames],
  )
  if (due.length === 0) return false
  const rows = due.map(({ id: gatewayConfigurationId, ...each }, place) => ({
    ...NEW,
    ...each,
    id: makeIdentifier('reconciliation', randomBytes),
    gatewayConfigurationId,
    source: 'list' as const,
    nextTryAt: now,
    // The list is in the order in which they were made: of those that one statement makes, the latest day comes first too.
    createdAt: new Date(now.getTime() - due.length + place),
    updatedAt: now,
  }))
  await em.qb(ReconciliationEntity).insert(rows).onConflict().ignore().execute()
  return due.length === BATCH_SIZE
}

const NEW = {
  status: 'waiting',
  fileHash: null,
  tries: 0,
  failure: null,
  listCursor: null,
  isListed: false,
  linesCount: 0,
  differencesCount: 0,
  judgedUntil: null,
  completedAt: null,
} as const

/** An uploaded file, whose lines are stored with it; the earlier reconciliation where the same file was uploaded before. */
export async function createFileReconciliation(
  em: EntityManager,
  file: Pick<ReconciliationRow, 'id' | 'projectId' | 'sandbox' | 'gatewayConfigurationId' | 'linesCount'> & {
    fileHash: string
    now: Date
  },
): Promise<{ run: ReconciliationRow; isNew: boolean }> {
  const { now, ...given } = file
  const { gatewayConfigurationId, fileHash } = given
  const known = await em.findOne(ReconciliationEntity, { gatewayConfigurationId, fileHash })
  if (known !== null) return { run: known, isNew: false }
  const dates = { nextTryAt: now, createdAt: now, updatedAt: now }
  const run = { ...NEW, ...given, ...dates, source: 'file' as const, day: null, isListed: true }
  await em.insert(ReconciliationEntity, run)
  return { run, isNew: true }
}

/** Takes up the reconciliation that has been due for longest; null where none is. The days of an account come in their order. */
export async function claimReconciliation(em: EntityManager, now: Date): Promise<ReconciliationRow | null> {
  const [claimed] = await em.execute<object[]>(
    `update reconciliation set tries = tries + 1, next_try_at = ?, updated_at = ?
      where id = (select id from reconciliation where next_try_at <= ? order by next_try_at, day, id limit 1
                    for update skip locked)
      returning *, day::text as day`,
    [new Date(now.getTime() + HELD_MS), now, now],
  )
  return claimed === undefined ? null : em.map(ReconciliationEntity, claimed as never)
}

/** Another process holds the reconciliation and continues it. */
export class NotHeld extends Error {}

/**
 * Holds a reconciliation for the next step, and writes what has come of the last one, in the caller's database transaction.
 *
 * @throws NotHeld where another process holds it.
 */
export async function holdReconciliation(
  em: EntityManager,
  { id, tries }: Pick<ReconciliationRow, 'id' | 'tries'>,
  now: Date,
  change: Partial<ReconciliationRow> = {},
): Promise<void> {
  const held = { nextTryAt: new Date(now.getTime() + HELD_MS), updatedAt: now, ...change }
  const changed = await em.nativeUpdate(ReconciliationEntity, { id, tries, status: 'waiting' }, held)
  if (changed === 0) throw new NotHeld(`The reconciliation ${id} is held by another process.`)
}

/** Has a failed one tried again, later each time; nothing happens where another process holds it. */
export async function putOffReconciliation(
  em: EntityManager,
  { id, tries }: Pick<ReconciliationRow, 'id' | 'tries'>,
  failure: string,
  now: Date,
): Promise<Date> {
  const delays = RECONCILIATION_DELAYS_SECONDS
  const seconds = delays[Math.min(tries, delays.length) - 1] ?? 0
  const nextTryAt = new Date(now.getTime() + seconds * 1000)
  await em.nativeUpdate(ReconciliationEntity, { id, tries, status: 'waiting' }, { failure, nextTryAt, updatedAt: now })
  return nextTryAt
}

/** How far the lists of an account reach. */
export interface ListedSpan {
  /** What was learned from this instant on is still to be judged. */
  judgedUntil: Date
  /** Everything before this instant has been listed. */
  listedUntil: Date
}

/**
 * How far the lists of an account reach, with this one. A day that is still to be listed ends the span, whatever was listed
 * after it. Before the first list nothing is judged: it could not be there.
 */
export async function findListedSpan(em: EntityManager, run: ReconciliationRow): Promise<ListedSpan> {
  const { id, gatewayConfigurationId, source } = run
  type Span = Record<'judged' | 'first' | 'waiting' | 'next' | 'booked' | 'lastBooked', string | null>
  const at = (day: string) => `(${day})::timestamp at time zone 'UTC'`
  const [span] = await em.execute<Span[]>(
    `select max(judged_until) as judged, ${at('min(day)')} as first,
            ${at("min(day) filter (where status = 'waiting' and id <> ?)")} as waiting, ${at('max(day) + 1')} as next,
            (select min(booked_at) from settlement_line where gateway_configuration_id = ?) as booked,
            (select max(booked_at) from settlement_line where gateway_configuration_id = ?) as "lastBooked"
       from reconciliation where gateway_configuration_id = ?`,
    [id, gatewayConfigurationId, gatewayConfigurationId, gatewayConfigurationId],
  )
  const [first, until] =
    source === 'list' ? [span?.first, span?.waiting ?? span?.next] : [span?.booked, span?.lastBooked]
  return {
    judgedUntil: new Date(span?.judged ?? first ?? run.createdAt),
    listedUntil: new Date(until ?? first ?? run.createdAt),
  }
}
