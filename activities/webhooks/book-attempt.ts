import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import {
  type AttemptRecord,
  recordAttempt,
  type TargetEndpoint,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { noteFailure, noteSuccess } from '../../src/persistence/queries/webhooks/endpoint-health.ts'
import { lockEndpoint } from '../../src/persistence/queries/webhooks/endpoints.ts'
import { type Changes, recordProjectEvent } from '../../src/persistence/queries/webhooks/project-event.ts'
import { presentWebhookEndpointEventData } from '../../src/presenters/webhook-endpoint.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { publicKeyOf } from '../../src/webhooks/signature.ts'

type BookingDeps = Changes & { vault: Pick<Vault, 'openWebhookSecret'> }

const DISABLED = 'webhook-endpoint.disabled'

/**
 * Records an attempt, with what it says of the health of the endpoint. One failure too many switches the endpoint off and
 * fires an event that tells the others, all in one database transaction.
 *
 * @returns false where an outcome of this attempt stands already and was kept.
 */
export async function bookAttempt(
  em: EntityManager,
  deps: BookingDeps,
  target: TargetEndpoint | null,
  record: AttemptRecord,
): Promise<boolean> {
  // What the merchant has switched off was not asked.
  const wasAsked = target !== null && target.disabledReason !== 'merchant'
  const isDelivered = record.failureReason === null
  if (!wasAsked || (isDelivered && isSound(target))) return recordAttempt(em, record)
  return em.transactional(async (transaction) => {
    // Before the delivery, as whoever deletes the endpoint does.
    const endpoint = await lockEndpoint(transaction, record, target.id)
    const isRecorded = await recordAttempt(transaction, record)
    if (!isRecorded || endpoint === null) return isRecorded
    if (isDelivered) noteSuccess(transaction, endpoint)
    else await bookFailure(transaction, deps, { endpoint, target, record })
    return true
  })
}

async function bookFailure(
  em: EntityManager,
  deps: BookingDeps,
  { endpoint, target, record }: { endpoint: WebhookEndpointRow; target: TargetEndpoint; record: AttemptRecord },
): Promise<void> {
  const at = record.startedAt.getTime() + record.responseTimeMs
  if (!noteFailure(em, endpoint, { status: record.responseCode, at })) return
  // Written now, so that it is no target of the event that tells of it.
  await em.flush()
  const key = target.secrets.find(({ scheme }) => scheme === 'ed25519')
  const publicKey = key === undefined ? null : publicKeyOf(deps.vault.openWebhookSecret(target.id, key))
  const data = presentWebhookEndpointEventData(DISABLED, endpoint, publicKey)
  await recordProjectEvent(em, deps, { scope: endpoint, name: DISABLED, data })
}

function isSound({ failingSince, goneCount }: TargetEndpoint): boolean {
  return failingSince === null && goneCount === 0
}
