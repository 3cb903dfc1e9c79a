import { healthAfterFailure, reasonToDisable } from '../../domain/endpoint-health.ts'
import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { EntityManager, Orm } from '../../src/persistence/orm.ts'
import {
  type AttemptRecord,
  recordAttempt,
  recordAttemptIn,
  recordFurtherFailure,
  type TargetEndpoint,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { lockEndpoint, noteFailure, noteSuccess } from '../../src/persistence/queries/webhooks/endpoints.ts'
import { type Changes, recordProjectEvent } from '../../src/persistence/queries/webhooks/project-event.ts'
import { findPublicKey } from '../../src/persistence/queries/webhooks/webhook-secrets.ts'
import { presentWebhookEndpointEventData } from '../../src/presenters/webhook-endpoint.ts'

const DISABLED = 'webhook-endpoint.disabled'

/**
 * Records an attempt, with what it says of the health of the endpoint. One failure too many switches the endpoint off and
 * fires an event that tells the others, all in one database transaction.
 *
 * @returns false where an outcome of this attempt stands already and was kept.
 */
export async function recordDelivery(
  orm: Orm,
  changes: Changes,
  target: TargetEndpoint | null,
  record: AttemptRecord,
): Promise<boolean> {
  // What the merchant has switched off was not asked.
  const wasAsked = target !== null && target.disabledReason !== 'merchant'
  const isDelivered = record.failureReason === null
  if (!wasAsked || (isDelivered && isSound(target))) return recordAttempt(orm, record)
  if (!isDelivered && (await recordIfStillFailing(orm, target, record))) return true
  return orm.em.fork().transactional(async (transaction) => {
    // Before the delivery, as whoever deletes the endpoint does.
    const endpoint = await lockEndpoint(transaction, record, target.id)
    const isRecorded = await recordAttemptIn(transaction, record)
    // What was asked of an address that the merchant has changed since says nothing of the present one.
    if (!isRecorded || endpoint?.url !== record.requestUrl) return isRecorded
    if (isDelivered) noteSuccess(transaction, endpoint)
    else await noteFailureOf(transaction, changes, endpoint, record)
    return true
  })
}

/**
 * Records a failure that changes nothing but when the endpoint has failed last, which most do.
 *
 * @returns false where it may change more, and nothing was recorded.
 */
async function recordIfStillFailing(orm: Orm, target: TargetEndpoint, record: AttemptRecord): Promise<boolean> {
  const at = endOf(record)
  const { failingSince, goneCount } = healthAfterFailure(target, record.responseCode, at)
  const goesOn = failingSince !== null && failingSince === target.failingSince && goneCount + target.goneCount === 0
  if (!goesOn || reasonToDisable({ failingSince, lastFailureAt: at, goneCount }, at) !== null) return false
  return recordFurtherFailure(orm, target.id, record, {
    failingSince: new Date(failingSince),
    lastFailureAt: new Date(at),
  })
}

async function noteFailureOf(
  em: EntityManager,
  changes: Changes,
  endpoint: WebhookEndpointRow,
  record: AttemptRecord,
): Promise<void> {
  if (!noteFailure(em, endpoint, { status: record.responseCode, at: endOf(record) })) return
  // Written now, so that it is no target of the event that tells of it.
  await em.flush()
  const publicKey = await findPublicKey(em, endpoint)
  const data = presentWebhookEndpointEventData(DISABLED, endpoint, publicKey)
  await recordProjectEvent(em, changes, { scope: endpoint, name: DISABLED, data })
}

/** In epoch ms. */
function endOf({ startedAt, responseTimeMs }: AttemptRecord): number {
  return startedAt.getTime() + responseTimeMs
}

function isSound({ failingSince, goneCount }: TargetEndpoint): boolean {
  return failingSince === null && goneCount === 0
}
