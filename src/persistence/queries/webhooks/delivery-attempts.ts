import type { EventName } from '../../../../domain/webhook-event.ts'
import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { EntityManager } from '../../orm.ts'

export interface DeliveryOwner {
  projectId: string
  sandbox: boolean
  deliveryId: string
}

/** How one attempt ended. */
export interface AttemptOutcome {
  responseCode: number | null
  /** Null when it was delivered. */
  failureReason: string | null
  responseTimeMs: number
}

export interface DeliveryForAttempt {
  eventId: string
  eventName: EventName
  targetUrl: string
  status: DeliveryStatus
  /** The outcome of this very attempt, where an earlier run of it got as far as recording one. */
  recorded: AttemptOutcome | null
}

/** What an attempt needs to know before it sends; null where the project has no such delivery. */
export async function findDeliveryForAttempt(
  em: EntityManager,
  { projectId, sandbox, deliveryId }: DeliveryOwner,
  attempt: number,
): Promise<DeliveryForAttempt | null> {
  interface Row {
    event_id: string
    event_name: EventName
    target_url: string
    status: DeliveryStatus
    response_code: number | null
    failure_reason: string | null
    response_time_ms: number | null
  }
  const [row] = await em.execute<Row[]>(
    `select delivery.event_id, event.name as event_name, delivery.target_url, delivery.status,
            attempt.response_code, attempt.failure_reason, attempt.response_time_ms
     from delivery
     join event on event.id = delivery.event_id
     left join delivery_attempt attempt on attempt.delivery_id = delivery.id and attempt.attempt = ?
     where delivery.project_id = ? and delivery.sandbox = ? and delivery.id = ?`,
    [attempt, projectId, sandbox, deliveryId],
  )
  if (row === undefined) return null
  const { response_code: responseCode, failure_reason: failureReason, response_time_ms: responseTimeMs } = row
  return {
    eventId: row.event_id,
    eventName: row.event_name,
    targetUrl: row.target_url,
    status: row.status,
    recorded: responseTimeMs === null ? null : { responseCode, failureReason, responseTimeMs },
  }
}

export interface AttemptRecord extends DeliveryOwner, AttemptOutcome {
  id: string
  attempt: number
  startedAt: Date
  /** Where this attempt leaves the delivery, and when the next attempt is due, if one is. */
  status: DeliveryStatus
  releaseAt: Date | null
  endedAt: Date | null
}

/**
 * Writes an attempt and what it makes of the delivery, in one statement and so in one database transaction.
 *
 * An attempt may run twice, when a worker is lost or believed lost, and the two may end differently. Then a success
 * takes the place of a failure and nothing else changes: what the receiver accepted is delivered.
 *
 * @returns false where an outcome of this attempt stands already and was kept.
 */
export async function recordAttempt(em: EntityManager, record: AttemptRecord): Promise<boolean> {
  const rows = await em.execute<{ delivery_id: string }[]>(
    `with recorded as (
       insert into delivery_attempt
         (id, project_id, sandbox, delivery_id, attempt, response_code, failure_reason, response_time_ms, started_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (delivery_id, attempt) do update
         set response_code = excluded.response_code, failure_reason = null,
             response_time_ms = excluded.response_time_ms, started_at = excluded.started_at
         where delivery_attempt.failure_reason is not null and excluded.failure_reason is null
       returning delivery_id
     ), moved as (
       update delivery
       set status = ?, release_at = ?, ended_at = ?, first_attempt_at = coalesce(delivery.first_attempt_at, ?)
       from recorded
       where delivery.id = recorded.delivery_id and (delivery.status = 'pending' or ? = 'delivered')
     )
     select delivery_id from recorded`,
    [
      record.id,
      record.projectId,
      record.sandbox,
      record.deliveryId,
      record.attempt,
      record.responseCode,
      record.failureReason,
      record.responseTimeMs,
      record.startedAt,
      record.status,
      record.releaseAt,
      record.endedAt,
      record.startedAt,
      record.status,
    ],
  )
  return rows.length === 1
}
