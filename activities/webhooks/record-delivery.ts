import { healthAfterFailure, reasonToDisable } from '../../domain/endpoint-health.ts'
import { presentWebhookEndpointEventData } from '../../src/objects/webhook-endpoint.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { EntityManager, Orm } from '../../src/persistence/orm.ts'
import { lockKept } from '../../src/persistence/queries/kept-rows.ts'
import {
  type AttemptRecord,
  recordAttempt,
  recordAttemptIn,
  recordFurtherFailure,
  type TargetEndpoint,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { noteFailure, noteSuccess } from '../../src/persistence/queries/webhooks/endpoints.ts'
import { type Changes, fireProjectEvent } from '../../src/persistence/queries/webhooks/project-event.ts'
import { findPublicKey } from '../../src/persistence/queries/webhooks/webhook-secrets.ts'

const DISABLED = 'webhook-endpoint.disabled'

/**
 * Records an attempt and updates the endpoint's health. Too many failures disable the endpoint and fire an event to the other
 * endpoints, in the same database transaction. Health is judged by the wall clock: an endpoint serves all payments, also
 * beside one whose time is skipped.
 *
 * @returns false if this attempt already has a recorded outcome, which is kept.
 */
export async function recordDelivery(
  orm: Orm,
  changes: Changes,
  target: TargetEndpoint | null,
  record: AttemptRecord,
): Promise<boolean> {
  // Nothing was sent to an endpoint that the merchant has disabled.
  const wasAsked = target !== null && target.disabledReason !== 'merchant'
  const isDelivered = record.failureReason === null
  if (!wasAsked || (isDelivered && isSound(target))) return recordAttempt(orm, record)
  if (!isDelivered && (await recordIfStillFailing(orm, changes, target, record))) return true
  return orm.em.fork().transactional(async (transaction) => {
    // Locks the endpoint before the delivery, in the same order as deleting an endpoint.
    const endpoint = await lockKept(transaction, WebhookEndpointEntity, record, target.id)
    const isRecorded = await recordAttemptIn(transaction, record)
    // A result of an old URL says nothing about the health of the current one.
    if (!isRecorded || endpoint?.url !== record.requestUrl) return isRecorded
    if (isDelivered) noteSuccess(transaction, endpoint)
    else await noteFailureOf(transaction, changes, endpoint, record)
    return true
  })
}

/**
 * Records a failure that only changes the time of the endpoint's last failure. Most failures do.
 *
 * @returns false if it may change more; nothing is recorded then.
 */
async function recordIfStillFailing(
  orm: Orm,
  changes: Changes,
  target: TargetEndpoint,
  record: AttemptRecord,
): Promise<boolean> {
  const at = changes.clock.now().getTime()
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
  if (!noteFailure(em, endpoint, { status: record.responseCode, at: changes.clock.now().getTime() })) return
  // Written now, so that the disabled endpoint is not a target of this event.
  await em.flush()
  const publicKey = await findPublicKey(em, endpoint)
  const data = presentWebhookEndpointEventData(DISABLED, endpoint, publicKey)
  await fireProjectEvent(em, changes, { scope: endpoint, name: DISABLED, data })
}

function isSound({ failingSince, goneCount }: TargetEndpoint): boolean {
  return failingSince === null && goneCount === 0
}
