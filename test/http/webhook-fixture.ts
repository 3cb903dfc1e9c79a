import { randomBytes } from 'node:crypto'
import { afterEach } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { PERMISSIONS } from '../../domain/permission.ts'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { WebhookSecretEntity } from '../../src/persistence/entities/webhook-secret.ts'
import { createVault } from '../../src/vault/vault.ts'
import { runningForFile } from '../support/for-file.ts'
import { createHttpClient } from '../support/http-client.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { type Interface, type Merchant, startInterface } from './interface.ts'

const URL = 'https://shop.example/webhooks'
const vault = createVault(TEST_KEYS)

/** An interface with webhook endpoints, and what is in the rows behind them. */
export interface WebhookFixture extends Interface {
  /** The same project in the live environment. */
  live: Merchant
  /** Creates an endpoint that takes all events, and gives the endpoint of the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: a test that reads a field that is not there fails by itself.
  endpoint(fields?: object, merchant?: Merchant): Promise<any>
  /** Fires `customer.created`, and gives the id of the event. */
  fire(merchant?: Merchant): Promise<string>
  /** The deliveries of an event, in the order of their targets. */
  deliveries(eventId: string): ReturnType<typeof deliveriesOf>
  /** Leaves every delivery of an event as its last attempt would. */
  end(eventId: string, status: 'delivered' | 'failed'): Promise<void>
  row(id: string): Promise<WebhookEndpointRow>
  /** Deletes all endpoints, so that the next test is alone with its own. */
  clear(): Promise<void>
  change(id: string, columns: Partial<WebhookEndpointRow>): Promise<void>
  /** What webhooks to an endpoint are signed with at this moment, opened, the one that is good for longest first. */
  secrets(id: string, scheme: 'hmac' | 'ed25519'): Promise<string[]>
}

/** The fixture of a file, cleared after each test. */
export function webhookFixtureForFile(): WebhookFixture {
  const fixture = runningForFile(startWebhookFixture)
  afterEach(() => fixture.clear())
  return fixture
}

async function startWebhookFixture(): Promise<WebhookFixture> {
  const api = await startInterface()
  const em = () => api.database.orm.em.fork()
  return {
    ...api,
    live: await liveOf(api),
    async endpoint(fields = {}, merchant = api.merchant) {
      const { status, body } = await merchant.client.post('/webhook-endpoints', { url: URL, ...fields })
      if (status !== 200) throw new Error(JSON.stringify(body))
      return body.webhook_endpoint
    },
    async fire(merchant = api.merchant) {
      const { body } = await merchant.client.post('/customers', {})
      const [event] = await em().execute<{ id: string }[]>(
        `select id from event where name = 'customer.created' and customer_id = ?`,
        [body.customer.id],
      )
      if (event === undefined) throw new Error('No event was fired.')
      return event.id
    },
    deliveries: (eventId) => deliveriesOf(api, eventId),
    async end(eventId, status) {
      const at = api.clock.now()
      await em().nativeUpdate(DeliveryEntity, { eventId }, { status, firstAttemptAt: at, endedAt: at })
    },
    row: (id) => em().findOneOrFail(WebhookEndpointEntity, { id }),
    clear: async () =>
      void (await em().execute('update webhook_endpoint set deleted_at = now() where deleted_at is null')),
    change: async (id, columns) => void (await em().nativeUpdate(WebhookEndpointEntity, { id }, columns)),
    async secrets(endpointId, scheme) {
      const rows = await em().find(
        WebhookSecretEntity,
        { endpointId, scheme },
        { orderBy: { expiresAt: 'desc nulls first' } },
      )
      return rows
        .filter(({ expiresAt }) => expiresAt == null || expiresAt > api.clock.now())
        .map((row) => vault.decryptWebhookSecret(endpointId, row))
    },
  }
}

const deliveriesOf = ({ database }: Interface, eventId: string) =>
  database.orm.em.fork().find(DeliveryEntity, { eventId }, { orderBy: { targetUrl: 'asc', id: 'asc' } })

async function liveOf({ url, database, clock, merchant: { projectId } }: Interface): Promise<Merchant> {
  const secretKey = `key_live_${database.name}`
  const secretHash = vault.hashSecret(secretKey)
  const id = makeIdentifier('apiKey', randomBytes)
  const key = { id, projectId, sandbox: false, secretHash, permissions: [...PERMISSIONS], createdAt: clock.now() }
  await database.orm.em.fork().insert(ApiKeyEntity, key)
  return { projectId, secretKey, client: createHttpClient(url, { username: projectId, password: secretKey }) }
}
