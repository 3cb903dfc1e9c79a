import type { DisabledReason, EndpointHealth } from '../../../../domain/endpoint-health.ts'
import type { EventName } from '../../../../domain/webhook-event.ts'
import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { SignatureScheme } from '../../entities/webhook-secret.ts'
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

/** The endpoint that a delivery goes to, as it is now. */
export interface TargetEndpoint extends EndpointHealth {
  id: string
  url: string
  disabledReason: DisabledReason | null
  isDeleted: boolean
  /** Those that are good at this moment, HMAC before Ed25519 and the newest first; still sealed. */
  secrets: { scheme: SignatureScheme; ciphertext: Uint8Array; keyId: string }[]
}

export interface DeliveryForAttempt {
  eventId: string
  eventName: EventName
  run: number
  targetUrl: string
  /** Null where the target is the URL of the invoice or token. */
  endpoint: TargetEndpoint | null
  status: DeliveryStatus
  firstAttemptAt: Date | null
  /** The outcome of this very attempt, where an earlier run of it got as far as recording one; when the next is due. */
  recorded: (AttemptOutcome & { releaseAt: Date | null }) | null
}

interface Row {
  eventId: string
  eventName: EventName
  run: number
  targetUrl: string
  status: DeliveryStatus
  firstAttemptAt: string | null
  releaseAt: string | null
  responseCode: number | null
  failureReason: string | null
  responseTimeMs: number | null
  endpointId: string | null
  endpointUrl: string
  disabledReason: DisabledReason | null
  failingSince: string | null
  lastFailureAt: string | null
  goneCount: number
  isDeleted: boolean
  secrets: { scheme: SignatureScheme; ciphertext: string; keyId: string }[] | null
}

/** What an attempt needs to know before it sends; null where the project has no such delivery. */
export async function findDeliveryForAttempt(
  em: EntityManager,
  { projectId, sandbox, deliveryId }: DeliveryOwner,
  { run, attempt, now }: { run: number; attempt: number; now: Date },
): Promise<DeliveryForAttempt | null> {
  const [row] = await em.execute<Row[]>(
    `select delivery.event_id as "eventId", event.name as "eventName", delivery.run, delivery.status,
            delivery.target_url as "targetUrl", delivery.first_attempt_at as "firstAttemptAt",
            delivery.release_at as "releaseAt", attempt.response_code as "responseCode",
            attempt.failure_reason as "failureReason", attempt.response_time_ms as "responseTimeMs",
            endpoint.id as "endpointId", endpoint.url as "endpointUrl", endpoint.disabled_reason as "disabledReason",
            endpoint.failing_since as "failingSince", endpoint.last_failure_at as "lastFailureAt",
            endpoint.gone_count as "goneCount", endpoint.deleted_at is not null as "isDeleted",
            (select json_agg(json_build_object('scheme', secret.scheme, 'keyId', secret.key_id,
                                               'ciphertext', encode(secret.ciphertext, 'hex'))
                             order by secret.scheme desc, secret.created_at desc)
               from webhook_secret secret
              where secret.endpoint_id = endpoint.id and coalesce(secret.expires_at, 'infinity') > ?
                and (secret.scheme = 'hmac' or endpoint.sign_with_ed25519)) as secrets
       from delivery
       join event on event.id = delivery.event_id
       left join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
       left join delivery_attempt attempt
         on attempt.delivery_id = delivery.id and attempt.run = ? and attempt.attempt = ?
      where delivery.project_id = ? and delivery.sandbox = ? and delivery.id = ?`,
    [now, run, attempt, projectId, sandbox, deliveryId],
  )
  return row === undefined ? null : deliveryOf(row)
}

function deliveryOf(row: Row): DeliveryForAttempt {
  const { eventId, eventName, run, targetUrl, status, responseCode, failureReason, responseTimeMs } = row
  const releaseAt = dateOf(row.releaseAt)
  return {
    eventId,
    eventName,
    run,
    targetUrl,
    endpoint: row.endpointId === null ? null : endpointOf(row, row.endpointId),
    status,
    firstAttemptAt: dateOf(row.firstAttemptAt),
    recorded: responseTimeMs === null ? null : { responseCode, failureReason, responseTimeMs, releaseAt },
  }
}

function endpointOf(row: Row, id: string): TargetEndpoint {
  return {
    id,
    url: row.endpointUrl,
    disabledReason: row.disabledReason,
    failingSince: dateOf(row.failingSince)?.getTime() ?? null,
    lastFailureAt: dateOf(row.lastFailureAt)?.getTime() ?? null,
    goneCount: row.goneCount,
    isDeleted: row.isDeleted,
    secrets: (row.secrets ?? []).map(({ scheme, ciphertext, keyId }) => {
      return { scheme, ciphertext: Buffer.from(ciphertext, 'hex'), keyId }
    }),
  }
}

function dateOf(value: string | null): Date | null {
  return value === null ? null : new Date(value)
}

/**
 * Ends a delivery whose endpoint was deleted while the event was being written, so that the deletion could not see it.
 */
export async function endDelivery(
  em: EntityManager,
  { projectId, sandbox, deliveryId }: DeliveryOwner,
  now: Date,
): Promise<void> {
  await em.execute(
    `update delivery set status = 'failed', release_at = null, ended_at = ?
      where project_id = ? and sandbox = ? and id = ? and status = 'pending'`,
    [now, projectId, sandbox, deliveryId],
  )
}

export interface AttemptRecord extends DeliveryOwner, AttemptOutcome {
  id: string
  run: number
  attempt: number
  requestUrl: string
  responseBody: string | null
  responseHeaders: Record<string, string> | null
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
 * takes the place of a failure and nothing else changes: what the receiver accepted is delivered. An attempt of a run
 * that another has taken the place of is written and changes nothing.
 *
 * @returns false where an outcome of this attempt stands already and was kept.
 */
export async function recordAttempt(em: EntityManager, record: AttemptRecord): Promise<boolean> {
  const rows = await em.execute<{ delivery_id: string }[]>(
    `with recorded as (
       insert into delivery_attempt
         (id, project_id, sandbox, delivery_id, run, attempt, request_url, response_code, failure_reason,
          response_time_ms, response_body, response_headers, started_at)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?)
       on conflict (delivery_id, run, attempt) do update
         set response_code = excluded.response_code, failure_reason = null,
             response_time_ms = excluded.response_time_ms, response_body = excluded.response_body,
             response_headers = excluded.response_headers, started_at = excluded.started_at
         where delivery_attempt.failure_reason is not null and excluded.failure_reason is null
       returning delivery_id, run
     ), moved as (
       update delivery
       set status = ?, release_at = ?, ended_at = ?, target_url = ?,
           first_attempt_at = coalesce(delivery.first_attempt_at, ?)
       from recorded
       where delivery.id = recorded.delivery_id and delivery.run = recorded.run
         and (delivery.status = 'pending' or ? = 'delivered')
     )
     select delivery_id from recorded`,
    [
      record.id,
      record.projectId,
      record.sandbox,
      record.deliveryId,
      record.run,
      record.attempt,
      record.requestUrl,
      record.responseCode,
      record.failureReason,
      record.responseTimeMs,
      record.responseBody,
      record.responseHeaders === null ? null : JSON.stringify(record.responseHeaders),
      record.startedAt,
      record.status,
      record.releaseAt,
      record.endedAt,
      record.requestUrl,
      record.startedAt,
      record.status,
    ],
  )
  return rows.length === 1
}
