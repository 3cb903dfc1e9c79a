import type { EntityManager } from '../../src/persistence/orm.ts'
import {
  type AttemptRecord,
  recordAttempt,
  type TargetEndpoint,
} from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { noteFailure, noteSuccess } from '../../src/persistence/queries/webhooks/endpoint-health.ts'
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
  endpoint: TargetEndpoint | null,
  record: AttemptRecord,
): Promise<boolean> {
  const isDelivered = record.failureReason === null
  // What the merchant has switched off was not asked.
  const wasAsked = endpoint !== null && endpoint.disabledReason !== 'merchant'
  if (!wasAsked || (isDelivered && isSound(endpoint))) return recordAttempt(em, record)
  return em.transactional(async (transaction) => {
    const isRecorded = await recordAttempt(transaction, record)
    if (!isRecorded) return false
    if (isDelivered) await noteSuccess(transaction, record, endpoint.id)
    else await bookFailure(transaction, deps, endpoint, record)
    return true
  })
}

async function bookFailure(
  em: EntityManager,
  deps: BookingDeps,
  endpoint: TargetEndpoint,
  { projectId, sandbox, responseCode, startedAt, responseTimeMs }: AttemptRecord,
): Promise<void> {
  const scope = { projectId, sandbox }
  const at = startedAt.getTime() + responseTimeMs
  const disabled = await noteFailure(em, scope, endpoint.id, { status: responseCode, at })
  if (disabled === null) return
  await em.flush()
  const key = endpoint.secrets.find(({ scheme }) => scheme === 'ed25519')
  const publicKey = key === undefined ? null : publicKeyOf(deps.vault.openWebhookSecret(endpoint.id, key))
  const data = presentWebhookEndpointEventData(DISABLED, disabled, publicKey)
  await recordProjectEvent(em, deps, { scope, name: DISABLED, data })
}

function isSound({ failingSince, goneCount }: TargetEndpoint): boolean {
  return failingSince === null && goneCount === 0
}
