import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { SignatureScheme, WebhookSecretRow } from '../../src/persistence/entities/webhook-secret.ts'
import { lockKept } from '../../src/persistence/queries/kept-rows.ts'
import { findDeliveriesOfEvent } from '../../src/persistence/queries/webhooks/deliveries-of-event.ts'
import { findDeliveryForAttempt } from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { deleteEndpoint } from '../../src/persistence/queries/webhooks/endpoints.ts'
import { insertSecret, replaceSecret } from '../../src/persistence/queries/webhooks/webhook-secrets.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'

const NOW = new Date('2026-11-21T09:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
const YEAR_MS = 365 * DAY_MS
const instantAfter = (milliseconds: number) => new Date(NOW.getTime() + milliseconds)

const database = databaseForFile()
let endpoint: WebhookEndpointRow
const em = () => database.orm.em.fork()

beforeEach(async () => {
  endpoint = await newEndpoint()
  await insertSecret(em(), secret('first', 0))
})

const newEndpoint = async () =>
  seedEndpoint(database.orm, { projectId: await seedProject(database.orm), url: 'https://shop.example/webhooks' })

/** A secret that is known by its name, in place of what would be encrypted. */
const secret = (
  name: string,
  createdAfterMs: number,
  scheme: SignatureScheme = 'hmac',
  { id: endpointId, projectId, sandbox } = endpoint,
): WebhookSecretRow => ({
  id: makeIdentifier('webhookSecret', randomBytes),
  projectId,
  sandbox,
  endpointId,
  scheme,
  ciphertext: Buffer.from(name),
  keyId: 'key',
  publicKey: scheme === 'ed25519' ? `whpk_${name}` : null,
  createdAt: instantAfter(createdAfterMs),
  expiresAt: null,
})

const rotate = (row: WebhookSecretRow, previousEndsAt: Date) =>
  database.orm.em.fork().transactional((inner) => replaceSecret(inner, row, previousEndsAt))

/** The names of the secrets that a webhook is signed with so long after now, by whichever way it is begun. */
async function signedWith(afterMs: number, of = endpoint): Promise<string[]> {
  const { projectId, eventId, deliveryIds } = await seedEventFor(database.orm, [of])
  const [owner, now] = [{ projectId, sandbox: true }, instantAfter(afterMs)]
  const asked = { run: 0, attempt: 0, now }
  const one = await findDeliveryForAttempt(database.orm, { ...owner, deliveryId: deliveryIds[0] ?? '' }, asked)
  const [first] = await findDeliveriesOfEvent(database.orm, { ...owner, eventId, run: 0, now })
  expect(first?.delivery.endpoint).toEqual(one?.endpoint)
  return (one?.endpoint?.secrets ?? []).map(({ ciphertext }) => Buffer.from(ciphertext).toString())
}

describe('a secret that another has taken the place of', () => {
  test('signs to the last millisecond before its end, after the new one, and never again', async () => {
    await rotate(secret('second', 1_000), instantAfter(DAY_MS))
    expect(await signedWith(1_000)).toEqual(['second', 'first'])
    expect(await signedWith(DAY_MS - 1)).toEqual(['second', 'first'])
    expect(await signedWith(DAY_MS)).toEqual(['second'])
    expect(await signedWith(YEAR_MS)).toEqual(['second'])
  })

  test('signs no more at once where it ends at the instant of the rotation', async () => {
    await rotate(secret('second', 1_000), instantAfter(1_000))
    expect(await signedWith(1_000)).toEqual(['second'])
    // Nor by the clock of a worker that is behind.
    expect(await signedWith(999)).toEqual(['second'])
  })

  test('is gone with the next rotation, however long it was to be good', async () => {
    await rotate(secret('second', 1_000), instantAfter(DAY_MS))
    await rotate(secret('third', 2_000), instantAfter(MINUTE_MS))
    expect(await signedWith(2_000)).toEqual(['third', 'second'])
    expect(await signedWith(MINUTE_MS)).toEqual(['third'])
  })

  test('is neither of the other scheme nor of another endpoint', async () => {
    const other = await newEndpoint()
    await insertSecret(em(), secret('of another', 0, 'hmac', other))
    await insertSecret(em(), secret('pair', 0, 'ed25519'))
    await em().nativeUpdate(WebhookEndpointEntity, { id: endpoint.id }, { signWithEd25519: true })
    await rotate(secret('second', 1_000), instantAfter(MINUTE_MS))
    expect(await signedWith(1_000)).toEqual(['second', 'first', 'pair'])
    expect(await signedWith(YEAR_MS)).toEqual(['second', 'pair'])
    expect(await signedWith(YEAR_MS, other)).toEqual(['of another'])
  })
})

test('a key pair signs only while the endpoint signs with it', async () => {
  await insertSecret(em(), secret('pair', 0, 'ed25519'))
  expect(await signedWith(0)).toEqual(['first'])
  await em().nativeUpdate(WebhookEndpointEntity, { id: endpoint.id }, { signWithEd25519: true })
  expect(await signedWith(0)).toEqual(['first', 'pair'])
})

test('nothing is left to sign with for a deleted endpoint, whatever was still good', async () => {
  await insertSecret(em(), secret('pair', 0, 'ed25519'))
  await rotate(secret('second', 1_000), instantAfter(DAY_MS))
  const other = await newEndpoint()
  await insertSecret(em(), secret('of another', 0, 'hmac', other))
  await em().transactional(async (inner) => {
    const row = await lockKept(inner, WebhookEndpointEntity, endpoint, endpoint.id)
    if (row !== null) await deleteEndpoint(inner, row, NOW)
  })
  expect(await signedWith(1_000)).toEqual([])
  expect(await signedWith(1_000, other)).toEqual(['of another'])
})
