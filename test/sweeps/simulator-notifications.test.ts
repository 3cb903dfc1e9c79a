import type { IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { readNotifications } from '../../src/gateways/notification-reader.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { createPost, notificationCredentials } from '../../src/sweeps/simulator-notifications.ts'
import { forFile } from '../support/for-file.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { listen } from '../support/listen.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const OWN_KEY = 'the-key-of-the-account-itself'
const PROCESS_KEY = 'the-key-of-this-process-alone'

const NOTIFICATION = disputeNotification('chargeback-created', {
  gatewayAuthorizationId: 'sim_auth_1',
  amountMinor: 2_000,
  currency: 'EUR',
})

describe('a notification of the simulator', () => {
  const database = databaseForFile()
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  let id: string
  let status = 200
  const posts: { path: string; headers: IncomingHttpHeaders; body: Uint8Array }[] = []
  const endpoint = forFile(
    () =>
      listen(async (request, response) => {
        posts.push({ path: request.url ?? '', headers: request.headers, body: await buffer(request) })
        response.writeHead(status, { location: '/elsewhere' }).end()
      }),
    (started) => started.close(),
  )

  beforeAll(async () => {
    fixture = await makePaymentFixture(database)
    id = (await configuration()).id
  })
  beforeEach(async () => {
    posts.splice(0)
    status = 200
    await setCredentials({})
  })

  const configuration = () =>
    database.orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId: fixture.projectId, sandbox: true })
  const setCredentials = async (credentials: Record<string, string>) => {
    const { ciphertext, keyId, hash } = fixture.deps.vault.encryptCredentials(id, credentials)
    await database.orm.em
      .fork()
      .nativeUpdate(
        GatewayConfigurationEntity,
        { id },
        { credentialsCiphertext: ciphertext, credentialsKeyId: keyId, credentialsHash: hash },
      )
  }
  const post = () =>
    createPost({
      ...fixture.deps,
      url: endpoint.url,
      simulatorKey: PROCESS_KEY,
    })(NOTIFICATION, id)
  /** Reads what was posted last, as the interface of a process with this key does. */
  const read = async (simulatorKey?: string) => {
    const last = posts.at(-1)
    if (last === undefined) throw new Error('Nothing was posted.')
    const account = await configuration()
    const { vault } = fixture.deps
    const credentials =
      simulatorKey === undefined
        ? vault.decryptCredentials(account)
        : notificationCredentials(vault, account, simulatorKey)
    const headers = last.headers as Record<string, string>
    return readNotifications('simulator', last.body, headers, { credentials, settings: account.settings })
  }
  const ACCEPTED = { kind: 'accepted', notifications: [NOTIFICATION] }

  test('goes to the address of its account, and is proven by the key of the process', async () => {
    await post()

    expect(posts.map(({ path }) => path)).toEqual([`/gateways/simulator/notifications/${id}`])
    expect(await read(PROCESS_KEY)).toEqual(ACCEPTED)
    expect((await read('the-key-of-another-process')).kind).toBe('refused')
    expect((await read()).kind).toBe('refused')
  })

  test('is proven by the key of the account where it has one, and by no other', async () => {
    await setCredentials({ notification_key: OWN_KEY })
    await post()

    expect(await read(PROCESS_KEY)).toEqual(ACCEPTED)
    expect(await read()).toEqual(ACCEPTED)
    await setCredentials({ notification_key: `${OWN_KEY}-2` })
    expect((await read(PROCESS_KEY)).kind).toBe('refused')
  })

  test.each([500, 404, 307])('that is answered %i was not accepted, and is followed nowhere', async (answer) => {
    status = answer

    await expect(post()).rejects.toThrow(`A notification was answered with ${answer}.`)
    expect(posts).toHaveLength(1)
  })
})
