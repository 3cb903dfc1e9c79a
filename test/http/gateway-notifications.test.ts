import { type OutgoingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { REFUSED_NOTIFICATION_LIMIT } from '../../domain/rate-limits.ts'
import { NOTIFICATION_BYTES_MAX } from '../../src/http/routes/gateway-notifications.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { batch, HMAC_KEY, signed } from '../gateways/adyen/stand-in.ts'
import { seededRandomBytes } from '../support/random.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Interface, startInterface } from './interface.ts'
import { openAccount, PLAYED_GATEWAYS, type PlayedGateway, type Post, signedForStripe } from './notified-accounts.ts'

type Account = Awaited<ReturnType<typeof openAccount>>

const randomBytes = seededRandomBytes('gateway-notifications')
let api: Interface
let resynced: { invoiceId: string; reason: string }[] = []
let isTemporalGone = false

beforeAll(async () => {
  api = await startInterface({
    resyncer: {
      async resync({ invoiceId }, reason) {
        if (isTemporalGone) throw new Error('Temporal is gone')
        resynced.push({ invoiceId, reason })
      },
    },
  })
})
afterAll(() => api.stop())
beforeEach(() => {
  resynced = []
  isTemporalGone = false
})

const send = async (path: string, { body, headers }: Post) => {
  const answer = await fetch(new URL(path, api.url), { method: 'POST', body: body as string, headers })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const notificationsOf = ({ gatewayConfigurationId }: Pick<Account, 'gatewayConfigurationId'>) =>
  api.database.orm.em.fork().find(GatewayNotificationEntity, { gatewayConfigurationId }, { orderBy: { id: 'asc' } })
const emptyBucket = () =>
  api.database.orm.em.fork().execute(`delete from rate_limit_bucket where kind = 'refused_notification'`)

describe.each(PLAYED_GATEWAYS.map((gateway) => [gateway.name, gateway] as const))(
  'a notification of %s',
  (_, gateway) => {
    let account: Account

    beforeEach(async () => {
      await emptyBucket()
      account = await openAccount(api.database, gateway)
    })

    const about = (id: string) => ({ id, reference: account.reference, invoiceId: account.invoiceId })
    const refusedWith = async (post: Post, path = account.path) => {
      const before = api.log.text().length
      const answer = await send(path, post)
      expect(await notificationsOf(account)).toEqual([])
      expect(resynced).toEqual([])
      expect(api.log.text().slice(before)).not.toContain('ann@shop.example')
      return { status: answer.status, code: JSON.parse(answer.text).error_type }
    }
    const UNPROVEN = { status: 400, code: 'request.notification.unproven' }

    test('without a proof, with a wrong one, or of another body, changes nothing', async () => {
      const { body, headers } = gateway.post(gateway.tell(about('1')))
      const plain = { body: JSON.stringify(gateway.tell(about('1'))), headers: { 'content-type': 'application/json' } }
      const changed = String(body).replace(account.reference, makeIdentifier('operation', randomBytes))
      const otherKey = gateway.name === 'adyen' ? HMAC_KEY.replaceAll('4', '5') : 'another-key-than-the-accounts'
      for (const post of [plain, { body: changed, headers }, gateway.post(gateway.tell(about('1')), otherKey)])
        expect([await refusedWith(post), post]).toEqual([UNPROVEN, post])
    })

    test('that is no JSON, or nothing at all, is refused even where it is signed', async () => {
      for (const body of ['{"id": ', '', '\u0000'])
        expect([await refusedWith(gateway.post(body)), body]).toEqual([UNPROVEN, body])
    })

    test('at an address that is not its own finds nothing there, whatever it proves', async () => {
      const post = gateway.post(gateway.tell(about('1')))
      const unknown = makeIdentifier('gatewayConfiguration', randomBytes)
      const NOT_FOUND = { status: 404, code: 'resource.gateway-configuration.not-found' }
      for (const path of [
        account.path.replace(account.gatewayConfigurationId, unknown),
        account.path.replace(account.gatewayConfigurationId, 'gway_conf_%00'),
        account.path.replace(gateway.name, gateway.name === 'stripe' ? 'adyen' : 'stripe'),
        account.path.replace(gateway.name, 'constructor'),
      ])
        expect([await refusedWith(post, path), path]).toEqual([NOT_FOUND, path])
    })

    test('with the proof of one account is none at another', async () => {
      const em = api.database.orm.em.fork()
      const { actor, gatewayConfigurationId: id } = await openAccount(api.database, gateway)
      const others = {
        webhook_secret: 'whsec_of_another',
        hmacKey: 'a'.repeat(64),
        notification_key: 'another-accounts-key',
      }
      const { ciphertext, keyId, hash } = actor.deps.vault.encryptCredentials(id, others)
      await em.nativeUpdate(
        GatewayConfigurationEntity,
        { id },
        { credentialsCiphertext: Buffer.from(ciphertext), credentialsKeyId: keyId, credentialsHash: hash },
      )
      const path = account.path.replace(account.gatewayConfigurationId, id)
      expect(await refusedWith(gateway.post(gateway.tell(about('1'))), path)).toEqual(UNPROVEN)
      expect(await notificationsOf({ gatewayConfigurationId: id })).toEqual([])
    })

    test('that is too large is not read, whether it says so or not', async () => {
      const { body, headers } = gateway.post(gateway.tell(about('1')))
      const large = ' '.repeat(NOTIFICATION_BYTES_MAX) + String(body)
      expect(await refusedWith({ body: large, headers })).toEqual({ status: 413, code: 'request.body-too-large' })
      expect(await sendInChunks(new URL(account.path, api.url), headers, large)).toBe(413)
      expect(await notificationsOf(account)).toEqual([])
    })

    test('that is refused counts towards a limit of its own, and what is proven towards none', async () => {
      await refusedWith(gateway.post(gateway.tell(about('1')), 'b'.repeat(64)))
      const em = api.database.orm.em.fork()
      // An hour ahead, so that the bucket is empty for the next request, however long that takes to come. That request finds
      // the bucket ahead of the clock and has it fill from now on.
      const emptyBucket = () =>
        em.execute(
          `update rate_limit_bucket set theoretical_arrival_us = (extract(epoch from now()) * 1000000)::bigint + 3600000000
          where kind = 'refused_notification'`,
        )
      await emptyBucket()
      const post = gateway.post(gateway.tell(about('1')), 'b'.repeat(64))
      const answer = await send(account.path, post)
      expect(answer.status).toBe(429)
      expect(answer.headers.get('x-ratelimit')).toBe(String(REFUSED_NOTIFICATION_LIMIT))
      const nowhere = account.path.replace(account.gatewayConfigurationId, 'gway_conf_none')
      await emptyBucket()
      expect((await send(nowhere, gateway.post(gateway.tell(about('1'))))).status).toBe(429)
      expect((await send(account.path, gateway.post(gateway.tell(about('1'))))).status).toBe(200)
      const buckets = await em.execute(`select kind from rate_limit_bucket where subject like ?`, [
        `%${account.actor.projectId}%`,
      ])
      expect(buckets).toEqual([])
    })

    test('is stored and answered, and its payment is asked to book it', async () => {
      const before = api.log.text().length
      const answer = await send(account.path, gateway.post(gateway.tell(about('1'))))
      expect(answer).toMatchObject({ status: 200, text: '[accepted]' })
      expect(await notificationsOf(account)).toMatchObject([
        { invoiceId: account.invoiceId, reference: account.reference, appliedAt: null },
      ])
      await waitFor(async () => resynced.length === 1)
      expect(resynced).toMatchObject([{ invoiceId: account.invoiceId }])
      const logged = api.log.text().slice(before)
      for (const secret of ['ann@shop.example', account.reference, ...Object.values(gateway.credentials)])
        expect(logged).not.toContain(secret)
    })

    test('that comes a hundred times at once has one effect', async () => {
      const post = gateway.post(gateway.tell(about('1')))
      const answers = await Promise.all(Array.from({ length: 100 }, () => send(account.path, post)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(await notificationsOf(account)).toHaveLength(1)
      expect((await send(account.path, post)).status).toBe(200)
      await waitFor(async () => resynced.length > 0)
      expect(resynced).toHaveLength(1)
    })

    test('about what is not ours is accepted and forgotten', async () => {
      expect(await send(account.path, gateway.post(gateway.tellOthers('2')))).toMatchObject({ status: 200 })
      expect(await notificationsOf(account)).toEqual([])
      expect(resynced).toEqual([])
      expect(api.log.text()).toContain('A gateway sent notifications that are not ours')
    })

    test('about a call that is not known yet waits for it', async () => {
      const reference = makeIdentifier('operation', randomBytes)
      const told = gateway.tell({ id: '3', reference, invoiceId: makeIdentifier('invoice', randomBytes) })
      expect(await send(account.path, gateway.post(told))).toMatchObject({ status: 200 })
      expect(await notificationsOf(account)).toMatchObject([{ reference, invoiceId: null, appliedAt: null }])
      expect(resynced).toEqual([])
    })

    test('is kept for the sweep while Temporal cannot be asked', async () => {
      isTemporalGone = true
      expect(await send(account.path, gateway.post(gateway.tell(about('4'))))).toMatchObject({ status: 200 })
      expect(await notificationsOf(account)).toMatchObject([{ invoiceId: account.invoiceId, appliedAt: null }])
      await waitFor(async () => api.log.text().includes('the sweep will ask it'))
    })

    test('is refused with 5xx, and comes again, only where it could not be read for want of a key', async () => {
      const em = api.database.orm.em.fork()
      const { gatewayConfigurationId: id } = account
      await em.nativeUpdate(GatewayConfigurationEntity, { id }, { credentialsKeyId: 'gone' })
      const post = gateway.post(gateway.tell(about('5')))
      expect((await send(account.path, post)).status).toBe(500)
      expect(await notificationsOf(account)).toEqual([])
      await em.nativeUpdate(GatewayConfigurationEntity, { id }, { credentialsKeyId: 'n1' })
      expect((await send(account.path, post)).status).toBe(200)
      expect(await notificationsOf(account)).toHaveLength(1)
    })

    test('reaches an account that was switched off, because its money still moves', async () => {
      const em = api.database.orm.em.fork()
      const { gatewayConfigurationId: id } = account
      await em.nativeUpdate(
        GatewayConfigurationEntity,
        { id },
        { enabled: false, enabledAt: null, deletedAt: new Date() },
      )
      expect((await send(account.path, gateway.post(gateway.tell(about('6'))))).status).toBe(200)
      expect(await notificationsOf(account)).toHaveLength(1)
    })
  },
)

const played = (name: string) => PLAYED_GATEWAYS.find((gateway) => gateway.name === name) as PlayedGateway

describe('the proofs of each gateway', () => {
  beforeEach(emptyBucket)

  test('Stripe: one that is older than five minutes is none', async () => {
    const stripe = played('stripe')
    const account = await openAccount(api.database, stripe)
    const payload = JSON.stringify(stripe.tell({ id: '1', ...account }))
    const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
    expect((await send(account.path, signedForStripe(payload, undefined, ago(310)))).status).toBe(400)
    expect(await notificationsOf(account)).toEqual([])
    expect((await send(account.path, signedForStripe(payload, undefined, ago(240)))).status).toBe(200)
  })

  test('Stripe: while the secret is rolled, it signs with both, and either proves it', async () => {
    const stripe = played('stripe')
    const account = await openAccount(api.database, stripe)
    const payload = JSON.stringify(stripe.tell({ id: '1', ...account }))
    const timestamp = Math.floor(Date.now() / 1000)
    const [, other] = String(signedForStripe(payload, 'whsec_new', timestamp).headers['stripe-signature']).split(',')
    const own = signedForStripe(payload, undefined, timestamp)
    const headers = { ...own.headers, 'stripe-signature': `${own.headers['stripe-signature']},${other}` }
    expect((await send(account.path, { body: payload, headers })).status).toBe(200)
  })

  test.each([
    ['stripe', 'stripe-signature'],
    ['simulator', 'simulator-signature'],
  ])('%s: of a proof and another one beside it neither is one, whichever comes first', async (name, header) => {
    const gateway = played(name)
    const account = await openAccount(api.database, gateway)
    const told = gateway.tell({ id: '1', ...account })
    const { body, headers } = gateway.post(told)
    const proofs = [headers[header] ?? '', gateway.post(told, 'b'.repeat(64)).headers[header] ?? '']
    for (const both of [proofs, proofs.toReversed()])
      expect(await sendInChunks(new URL(account.path, api.url), { ...headers, [header]: both }, String(body))).toBe(400)
    expect(await notificationsOf(account)).toEqual([])
  })

  test('Adyen: while the key is rolled, the one before proves as well', async () => {
    const adyen = played('adyen')
    const credentials = { hmacKey: 'c'.repeat(64), previousHmacKey: HMAC_KEY }
    const account = await openAccount(api.database, { ...adyen, credentials })
    for (const [id, key] of [
      ['1', HMAC_KEY],
      ['2', 'c'.repeat(64)],
    ] as const)
      expect((await send(account.path, adyen.post(adyen.tell({ id, ...account }), key))).status).toBe(200)
    expect((await send(account.path, adyen.post(adyen.tell({ id: '3', ...account }), 'd'.repeat(64)))).status).toBe(400)
    expect(await notificationsOf(account)).toHaveLength(2)
  })

  test('Adyen: one wrong item condemns its batch', async () => {
    const adyen = played('adyen')
    const account = await openAccount(api.database, adyen)
    const item = (id: string) => adyen.tell({ id, ...account }) as Record<string, unknown>
    const body = JSON.stringify(batch([signed(item('1')), signed(item('2'), 'e'.repeat(64))]))
    expect((await send(account.path, { body, headers: {} })).status).toBe(400)
    expect(await notificationsOf(account)).toEqual([])
    const both = JSON.stringify(batch([signed(item('1')), signed(item('2'))]))
    expect((await send(account.path, { body: both, headers: {} })).status).toBe(200)
    expect(await notificationsOf(account)).toHaveLength(2)
  })

  test('what no column takes is left out, so that it is not sent for days', async () => {
    const adyen = played('adyen')
    const account = await openAccount(api.database, adyen)
    const item = { ...adyen.tell({ id: '1', ...account }), success: 'false', reason: 'no\u0000good\ud800' }
    expect((await send(account.path, adyen.post(item))).status).toBe(200)
    const long = { ...adyen.tell({ id: 'x'.repeat(5000), ...account }) }
    expect((await send(account.path, adyen.post(long))).status).toBe(200)
    expect(await notificationsOf(account)).toMatchObject([
      { outcome: { gatewayCode: expect.stringContaining('nogood') } },
    ])
  })
})

test('a notification is about a payment of its own account, never about one at another of the same project', async () => {
  const simulator = played('simulator')
  const account = await openAccount(api.database, simulator)
  const { projectId, deps } = account.actor
  const em = api.database.orm.em.fork()
  const id = makeIdentifier('gatewayConfiguration', randomBytes)
  const { ciphertext, keyId, hash } = deps.vault.encryptCredentials(id, simulator.credentials)
  em.create(GatewayConfigurationEntity, {
    ...{ id, projectId, sandbox: account.transaction.sandbox, gatewayName: 'simulator', name: 'Another account' },
    ...{ enabled: true, createdAt: new Date(), credentialsSetAt: {} },
    ...{ credentialsCiphertext: Buffer.from(ciphertext), credentialsKeyId: keyId, credentialsHash: hash },
  })
  await em.flush()
  const { gatewayOperationId = null } = await em.findOneOrFail(OperationEntity, {
    ...{ transactionId: account.transaction.id, type: 'authorization', isAttempt: false },
  })
  const abouts = [
    // The first names the authorization that the third tells of.
    { reference: account.reference, gatewayAuthorizationId: 'sim_named_by_a_notification' },
    { reference: null, gatewayAuthorizationId: gatewayOperationId },
    { reference: null, gatewayAuthorizationId: 'sim_named_by_a_notification' },
  ]
  const told = { kind: 'chargeback-created', invoiceId: null, amountMinor: 900, currency: 'EUR', reason: null }
  const invoicesOf = async (gatewayConfigurationId: string) => {
    for (const [index, about] of abouts.entries()) {
      const path = account.path.replace(account.gatewayConfigurationId, gatewayConfigurationId)
      const post = simulator.post({ ...told, ...about, gatewayNotificationId: `notification-${index}` })
      expect(await send(path, post)).toMatchObject({ status: 200 })
    }
    return (await notificationsOf({ gatewayConfigurationId })).map(({ invoiceId = null }) => invoiceId)
  }
  expect(await invoicesOf(account.gatewayConfigurationId)).toEqual(abouts.map(() => account.invoiceId))
  expect(await invoicesOf(id)).toEqual(abouts.map(() => null))
})

test('a notification that names an invoice of another project is about none, and is answered all the same', async () => {
  const simulator = played('simulator')
  const [account, other] = [await openAccount(api.database, simulator), await openAccount(api.database, simulator)]
  const { invoiceId } = other
  const reference = makeIdentifier('operation', randomBytes)
  const post = simulator.post(simulator.tell({ id: '1', reference, invoiceId }))
  expect(await send(account.path, post)).toMatchObject({ status: 200 })
  expect(await notificationsOf(account)).toMatchObject([{ reference, invoiceId: null }])
  expect(await send(other.path, post)).toMatchObject({ status: 200 })
  expect(await notificationsOf(other)).toMatchObject([{ reference, invoiceId }])
})

/** Without a length, so that only reading it tells how long it is. */
function sendInChunks(url: URL, headers: OutgoingHttpHeaders, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sending = request(
      url,
      { method: 'POST', headers: { ...headers, 'transfer-encoding': 'chunked' } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      },
    )
    sending.on('error', reject)
    sending.write(body.slice(0, 1000))
    sending.end(body.slice(1000))
  })
}
