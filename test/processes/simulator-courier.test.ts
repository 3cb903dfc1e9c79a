import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import type { Notification } from '../../src/gateways/gateway.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { tellOverHttp } from '../../src/processes/simulator-courier.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'

const NOTIFICATION: Notification = {
  kind: 'notice',
  gatewayNoticeId: 'sim_cap_1_chargeback-created',
  what: 'chargeback-created',
  gatewayAuthorizationId: 'sim_auth_1',
  invoiceId: 'iv_1',
  reference: null,
  amountMinor: 2_000,
  currency: 'EUR',
  reason: 'fraudulent',
}

describe('telling an account over HTTP', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  let endpoint: Server
  let id: string
  const paths: string[] = []

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database)
    endpoint = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
    const row = await database.orm.em
      .fork()
      .findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId, sandbox: true })
    id = row.id
  })
  afterAll(async () => {
    endpoint.closeAllConnections()
    await new Promise((resolve) => endpoint.close(resolve))
    await database.drop()
  })
  beforeEach(() => void paths.splice(0))

  const configure = async (settings: Record<string, string>, credentials: Record<string, string>) => {
    const { ciphertext, keyId, hash } = fixture.deps.vault.sealCredentials(id, credentials)
    await database.orm.em.fork().nativeUpdate(
      GatewayConfigurationEntity,
      { id },
      {
        settings,
        credentialsCiphertext: ciphertext,
        credentialsKeyId: keyId,
        credentialsHash: hash,
        credentialsSetAt: Object.fromEntries(Object.keys(credentials).map((name) => [name, new Date().toISOString()])),
      },
    )
  }
  const overHttp = () => ({
    notices: 'http',
    notices_url: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/{configuration}`,
  })
  const tell = (configurationId = id) => tellOverHttp(fixture.deps)(NOTIFICATION, configurationId)

  test('posts nothing for an account that is not there, or does not ask for it', async () => {
    await configure({}, { notification_key: 'notification-key-of-the-test' })
    expect(await tell()).toBe(false)
    expect(await tell('gway_conf_of_nobody')).toBe(false)
    await configure({ ...overHttp(), notices: 'courier' }, { notification_key: 'notification-key-of-the-test' })
    expect(await tell()).toBe(false)

    expect(paths).toEqual([])
  })

  test('posts to the account that asks for it, with the key that it has now', async () => {
    await configure(overHttp(), {})
    await expect(tell()).rejects.toThrow('notification_key')
    expect(paths).toEqual([])

    await configure(overHttp(), { notification_key: 'notification-key-of-the-test' })
    expect(await tell()).toBe(true)
    expect(paths).toEqual([`/${id}`])
  })
})
