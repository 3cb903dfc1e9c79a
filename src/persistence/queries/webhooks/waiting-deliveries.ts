import type { FiredEvent } from '../../../../domain/webhook-event.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'

/** An event with an overdue delivery, whose workflow seems to be lost. */
export interface WaitingEvent extends FiredEvent {
  deliveryId: string
  /** When it should have started or continued. */
  since: Date
}

/** The last delivery of the previous page; null at the beginning. */
export type Place = Pick<WaitingEvent, 'since' | 'deliveryId'> | null

/**
 * Deliveries that have waited for their first attempt since before an instant and that no sweep has started, the oldest
 * first.
 */
export function findUnbegunDeliveries(
  em: EntityManager,
  before: Date,
  after: Place,
  limit: number,
): Promise<WaitingEvent[]> {
  return findWaiting(em, { column: 'queued_at', unbegun: true }, before, after, limit)
}

/** Deliveries whose next attempt was due before an instant, the most overdue first. */
export function findOverdueDeliveries(
  em: EntityManager,
  before: Date,
  after: Place,
  limit: number,
): Promise<WaitingEvent[]> {
  return findWaiting(em, { column: 'release_at', unbegun: false }, before, after, limit)
}

async function findWaiting(
  em: EntityManager,
  { column, unbegun }: { column: 'queued_at' | 'release_at'; unbegun: boolean },
  before: Date,
  after: Place,
  limit: number,
): Promise<WaitingEvent[]> {
  const since = `delivery.${column}`
  const rows = await em.execute<WaitingEvent[]>(
    `select delivery.id as "deliveryId", delivery.project_id as "projectId", delivery.sandbox, delivery.run,
            event.id as "eventId", event.name as "eventName", event.invoice_id as "invoiceId", ${since} as since
       from delivery join event on event.id = delivery.event_id
      where delivery.status = 'pending' and ${unbegun ? 'delivery.first_attempt_at is null and delivery.release_at is null' : `${since} is not null`}
        and ${since} < ? ${after === null ? '' : `and (${since}, delivery.id) > (?, ?)`}
      order by ${since}, delivery.id limit ?`,
    [before, ...(after === null ? [] : [after.since, after.deliveryId]), limit],
  )
  return withInstants(rows, 'since')
}

/** Of these events those of this database, each with its runs that have something left to deliver. */
export async function findPendingRuns(
  em: EntityManager,
  eventIds: readonly string[],
): Promise<(Omit<FiredEvent, 'run'> & { pendingRuns: readonly number[] })[]> {
  if (eventIds.length === 0) return []
  return em.execute(
    `select event.project_id as "projectId", event.sandbox, event.id as "eventId", event.name as "eventName",
            event.invoice_id as "invoiceId",
            array(select distinct run from delivery where event_id = event.id and status = 'pending') as "pendingRuns"
       from event where event.id in (${eventIds.map(() => '?').join()})`,
    [...eventIds],
  )
}

/**
 * Notes that the runs of these deliveries were started: their next attempt is due now. Sweeps leave them alone until that
 * is overdue, also while thousands of them wait for a permit.
 */
export async function noteStarted(em: EntityManager, events: readonly WaitingEvent[], now: Date): Promise<void> {
  if (events.length === 0) return
  const started = JSON.stringify(events.map(({ deliveryId: id, run }) => ({ id, run })))
  await em.execute(
    `update delivery set release_at = ?
       from json_to_recordset(?::json) as started (id text, run integer)
      where delivery.id = started.id and delivery.run = started.run and delivery.status = 'pending'
        and coalesce(delivery.release_at, '-infinity') < ?`,
    [now, started, now],
  )
}
