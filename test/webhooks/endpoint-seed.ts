import { createHash, randomBytes } from 'node:crypto'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { type SignatureScheme, WebhookSecretEntity } from '../../src/persistence/entities/webhook-secret.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { createVault } from '../../src/vault/vault.ts'
import { makeEd25519Secret, makeHmacSecret, publicKeyOf } from '../../src/webhooks/signature.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { type SeededEvent, seedEvent } from './seed.ts'

const vault = createVault(TEST_KEYS)

export async function seedProject(orm: Orm): Promise<string> {
  const id = makeIdentifier('project', randomBytes)
  await orm.em.fork().insert(ProjectEntity, { id, name: 'Shop', createdAt: new Date() })
  return id
}

/** Writes an enabled endpoint that takes all events, or one with these columns. It has no secret. */
export async function seedEndpoint(
  orm: Orm,
  given: Pick<WebhookEndpointRow, 'projectId' | 'url'> & Partial<WebhookEndpointRow>,
): Promise<WebhookEndpointRow> {
  const now = new Date()
  const row: WebhookEndpointRow = {
    id: makeIdentifier('webhookEndpoint', randomBytes),
    sandbox: true,
    description: null,
    eventsWhitelist: null,
    enabled: true,
    disabledReason: null,
    disabledAt: null,
    signWithEd25519: false,
    failingSince: null,
    lastFailureAt: null,
    goneCount: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
    ...given,
  }
  await orm.em.fork().insert(WebhookEndpointEntity, row)
  return row
}

/** Gives an endpoint a secret or a key pair, current or good until then, and tells it. */
export async function seedSecret(
  orm: Orm,
  { id: endpointId, projectId, sandbox }: WebhookEndpointRow,
  { scheme = 'hmac', expiresAt = null }: { scheme?: SignatureScheme; expiresAt?: Date | null } = {},
): Promise<string> {
  const secret = scheme === 'hmac' ? makeHmacSecret(randomBytes) : makeEd25519Secret()
  await orm.em.fork().insert(WebhookSecretEntity, {
    id: makeIdentifier('webhookSecret', randomBytes),
    projectId,
    sandbox,
    endpointId,
    scheme,
    ...vault.encryptWebhookSecret(endpointId, secret),
    publicKey: scheme === 'hmac' ? null : publicKeyOf(secret),
    createdAt: new Date(),
    expiresAt,
  })
  return secret
}

/** Writes an event that is on its way to these endpoints. */
export async function seedEventFor(orm: Orm, endpoints: readonly WebhookEndpointRow[]): Promise<SeededEvent> {
  const event = await seedEvent(orm, [], endpoints[0]?.projectId)
  const now = new Date()
  const deliveryIds = endpoints.map(({ id }) => deliveryIdOf(event.eventId, id))
  const rows = endpoints.map(({ id: endpointId, projectId, sandbox, url: targetUrl }, index) => {
    const id = deliveryIds[index] ?? ''
    const { eventId } = event
    return { id, projectId, sandbox, eventId, endpointId, targetUrl, status: 'pending', queuedAt: now, createdAt: now }
  })
  await orm.em.fork().insertMany(DeliveryEntity, rows as never)
  return { ...event, deliveryIds }
}

/** As `writeEvents` makes it, so that sending an event again finds the delivery. */
function deliveryIdOf(eventId: string, endpointId: string): string {
  return `whd_${createHash('sha256').update(`${eventId}:${endpointId}`).digest('hex').slice(0, 32)}`
}
