import type { DisabledReason, EndpointHealth } from '../../../../domain/endpoint-health.ts'
import type { EventName } from '../../../../domain/webhook-event.ts'
import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { SignatureScheme } from '../../entities/webhook-secret.ts'
import type { EntityManager, Orm } from '../../orm.ts'
import { execute } from '../../statements.ts'

export interface DeliveryOwner {
  projectId: string
  sandbox: boolean
  deliveryId: string
}

/** How one attempt ended. */
export interface AttemptOutcome {
  responseCode: number | null
  /** Null for a delivered event. */
  failureReason: string | null
  responseTimeMs: number
}

export interface RecordedAttempt extends AttemptOutcome {
  /** 0 is the first attempt. */
  attempt: number
  startedAt: Date
}

/** The endpoint of a delivery, as it is now. */
export interface TargetEndpoint extends EndpointHealth {
  id: string
  url: string
  disabledReason: DisabledReason | null
  isDeleted: boolean
  /** The valid secrets, still encrypted: HMAC before Ed25519, each with the newest first. */
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
  /** When the next attempt is due; null where none is. */
  releaseAt: Date | null
  /** The requested attempt, where it is on record because the activity has run before. */
  recorded: RecordedAttempt | null
}

/** A delivery with its event and its endpoint as it is now. */
export interface AttemptRow {
  eventId: string
  eventName: EventName
  run: number
  targetUrl: string
  status: DeliveryStatus
  firstAttemptAt: string | null
  releaseAt: string | null
  endpointId: string | null
  endpointUrl: string
  disabledReason: DisabledReason | null
  failingSince: string | null
  lastFailureAt: string | null
  goneCount: number
  isDeleted: boolean
  secrets: { scheme: SignatureScheme; ciphertext: string; keyId: string }[] | null
}

/** The columns of an `AttemptRow`. The SQL expression `now` decides which secrets are valid. */
export function attemptColumns(now: string): string {
  return `delivery.event_id as "eventId", event.name as "eventName", delivery.run, delivery.status,
          delivery.target_url as "targetUrl", delivery.first_attempt_at as "firstAttemptAt",
          delivery.release_at as "releaseAt", endpoint.id as "endpointId", endpoint.url as "endpointUrl",
          endpoint.disabled_reason as "disabledReason", endpoint.failing_since as "failingSince",
          endpoint.last_failure_at as "lastFailureAt", endpoint.gone_count as "goneCount",
          endpoint.deleted_at is not null as "isDeleted",
          (select json_agg(json_build_object('scheme', secret.scheme, 'keyId', secret.key_id,
                                             'ciphertext', encode(secret.ciphertext, 'hex'))
                           order by secret.scheme desc, secret.created_at desc)
             from webhook_secret secret
            where secret.endpoint_id = endpoint.id and coalesce(secret.expires_at, 'infinity') > ${now}
              and (secret.scheme = 'hmac' or endpoint.sign_with_ed25519)) as secrets`
}

/** The tables of an `AttemptRow`. */
export const ATTEMPT_TABLES = `delivery
       join event on event.id = delivery.event_id
       left join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id`

interface RecordedRow extends AttemptRow {
  recordedAt: string | null
  responseCode: number | null
  failureReason: string | null
  responseTimeMs: number
}

const FIND_FOR_ATTEMPT = `select ${attemptColumns('$1::timestamptz')}, recorded.started_at as "recordedAt",
                recorded.response_code as "responseCode", recorded.failure_reason as "failureReason",
                recorded.response_time_ms as "responseTimeMs"
           from ${ATTEMPT_TABLES}
           left join delivery_attempt recorded
             on recorded.delivery_id = delivery.id and recorded.run = $2 and recorded.attempt = $3
          where delivery.project_id = $4 and delivery.sandbox = $5 and delivery.id = $6`

/** The data that an attempt needs before it sends; null where the project has no such delivery. */
export async function findDeliveryForAttempt(
  orm: Orm,
  { projectId, sandbox, deliveryId }: DeliveryOwner,
  { run, attempt, now }: { run: number; attempt: number; now: Date },
): Promise<DeliveryForAttempt | null> {
  const values = [now, run, attempt, projectId, sandbox, deliveryId]
  const [row] = await execute<RecordedRow>(orm, FIND_FOR_ATTEMPT, values)
  if (row === undefined) return null
  const { recordedAt, responseCode, failureReason, responseTimeMs } = row
  const outcome = { responseCode, failureReason, responseTimeMs }
  const recorded = recordedAt === null ? null : { attempt, startedAt: new Date(recordedAt), ...outcome }
  return { ...toDeliveryForAttempt(row), recorded }
}

/** A delivery without a recorded attempt. */
export function toDeliveryForAttempt(row: AttemptRow): DeliveryForAttempt {
  const { eventId, eventName, run, targetUrl, status, firstAttemptAt, endpointId } = row
  return {
    eventId,
    eventName,
    run,
    targetUrl,
    endpoint: endpointId === null ? null : endpointOf(row, endpointId),
    status,
    firstAttemptAt: dateOf(firstAttemptAt),
    releaseAt: dateOf(row.releaseAt),
    recorded: null,
  }
}

function endpointOf(row: AttemptRow, id: string): TargetEndpoint {
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

/** Fails a delivery whose endpoint was deleted while its event was being written: the deletion could not see it. */
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
  /** The status of the delivery after this attempt, and when the next one is due; null where none is. */
  status: DeliveryStatus
  releaseAt: Date | null
  endedAt: Date | null
}

/** Writes an attempt if the condition holds, and updates its delivery. */
const recording = (condition: string) => `recorded as (
       insert into delivery_attempt
         (id, project_id, sandbox, delivery_id, run, attempt, request_url, response_code, failure_reason,
          response_time_ms, response_body, response_headers, started_at)
       select $1::text, $2::text, $3::boolean, $4::text, $5::integer, $6::integer, $7::text, $8::integer, $9::text,
              $10::integer, $11::text, $12::jsonb, $13::timestamptz
        where ${condition}
       on conflict (delivery_id, run, attempt) do update
         set response_code = excluded.response_code, failure_reason = null,
             response_time_ms = excluded.response_time_ms, response_body = excluded.response_body,
             response_headers = excluded.response_headers, started_at = excluded.started_at
         where delivery_attempt.failure_reason is not null and excluded.failure_reason is null
       returning delivery_id, run
     ), moved as (
       update delivery
       set status = $14::text, release_at = $15::timestamptz, ended_at = $16::timestamptz, target_url = $7::text,
           first_attempt_at = coalesce(delivery.first_attempt_at, $13::timestamptz)
       from recorded
       where delivery.id = recorded.delivery_id and delivery.run = recorded.run
         and (delivery.status = 'pending' or $14::text = 'delivered')
     )`

const RECORD = `with ${recording('true')} select delivery_id from recorded`

/**
 * Writes an attempt and updates its delivery in one statement, and so in one database transaction.
 *
 * An attempt may run twice, where a worker is lost or believed lost, with two results. A success then replaces a failure,
 * because the receiver has accepted the event; otherwise the first result stays. An attempt of an earlier run is written,
 * but does not change the delivery.
 *
 * @returns false where this attempt had a result already, which was kept.
 */
export async function recordAttempt(orm: Orm, record: AttemptRecord): Promise<boolean> {
  return (await execute(orm, RECORD, valuesOf(record))).length === 1
}

/** The same in the caller's database transaction. */
export async function recordAttemptIn(em: EntityManager, record: AttemptRecord): Promise<boolean> {
  const values = valuesOf(record)
  const inOrder: unknown[] = []
  const sql = RECORD.replace(/\$(\d+)/g, (_, number) => {
    inOrder.push(values[Number(number) - 1])
    return '?'
  })
  return (await em.execute<object[]>(sql, inOrder)).length === 1
}

/** Locks in the order of `deleteEndpoint`: first the endpoint, then its deliveries. */
const RECORD_FURTHER_FAILURE = `with held as (
           select id from webhook_endpoint
            where project_id = $2 and sandbox = $3 and id = $17 and url = $7 and deleted_at is null
              and failing_since = $18::timestamptz and gone_count = 0
              for no key update
         ), ${recording('exists (select from held)')}, noted as (
           update webhook_endpoint
              set last_failure_at = greatest(webhook_endpoint.last_failure_at, $19::timestamptz)
             from held, recorded where webhook_endpoint.id = held.id
         )
         select delivery_id from recorded`

/**
 * Writes an attempt like `recordAttempt`, for an endpoint that simply keeps failing. Most attempts to a dead endpoint are
 * of this kind, and they, too, take one statement.
 *
 * @param health of the endpoint after the attempt, by its rules: its days of failures go on.
 * @returns false where nothing was written: the endpoint has changed meanwhile, or the attempt was written already.
 */
export async function recordFurtherFailure(
  orm: Orm,
  endpointId: string,
  record: AttemptRecord,
  { failingSince, lastFailureAt }: { failingSince: Date; lastFailureAt: Date },
): Promise<boolean> {
  const values = [...valuesOf(record), endpointId, failingSince, lastFailureAt]
  return (await execute(orm, RECORD_FURTHER_FAILURE, values)).length === 1
}

/** The values `$1` to `$16` of the recording statements. */
function valuesOf(record: AttemptRecord): unknown[] {
  const { id, projectId, sandbox, deliveryId, run, attempt, requestUrl, responseHeaders } = record
  const { responseCode, failureReason, responseTimeMs, responseBody, startedAt, status, releaseAt, endedAt } = record
  const headers = responseHeaders === null ? null : JSON.stringify(responseHeaders)
  const attempted = [id, projectId, sandbox, deliveryId, run, attempt, requestUrl, responseCode, failureReason]
  return [...attempted, responseTimeMs, responseBody, headers, startedAt, status, releaseAt, endedAt]
}
