import { type OutgoingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { REFUSED_NOTIFICATION_LIMIT } from '../../../domain/rate-limits.ts'
import { NOTIFICATION_BYTES_MAX } from '../../../src/api/gateway-configurations/gateway-notifications.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { GatewayNotificationEntity } from '../../../src/persistence/entities/gateway-notification.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { HMAC_KEY } from '../../../stand-ins/adyen/adyen.ts'
import { type Interface, startInterface } from '../../http/interface.ts'
import { holdLock } from '../../support/held-lock.ts'
import { seededRandomBytes } from '../../support/random.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  NOTIFYING_GATEWAYS,
  type NotifyingGateway,
  openAccount,
  type Post,
  signedForStripe,
} from './notifying-gateways.ts'

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
beforeEach(async () => {
  resynced = []
  isTemporalGone = false
  await em().execute(`delete from rate_limit_bucket where kind = 'refused_notification'`)
})

const em = () => api.database.orm.em.fork()
const send = async (path: string, { body, headers }: Post) => {
  const answer = await fetch(new URL(path, api.url), { method: 'POST', body: body as string, headers })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const notificationsOf = ({ gatewayConfigurationId }: Pick<Account, 'gatewayConfigurationId'>) =>
  em().find(GatewayNotificationEntity, { gatewayConfigurationId }, { orderBy: { id: 'asc' } })

const ODD_VALUES = [undefined, null, [], ['a', 'b'], { a: 1 }, -1.5, '\u0000', 'x'.repeat(300)] as const

/** The same value again and again, each time with another one in one place of it. */
function withOddValues(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    [...ODD_VALUES, ...withOddValues(inner)].map((odd) => ({ ...value, [name]: odd })),
  )
}

describe.each(NOTIFYING_GATEWAYS.map((gateway) => [gateway.name, gateway] as const))(
  'a notification of %s',
  (_, gateway) => {
    let account: Account
    beforeEach(async () => {
      account = await openAccount(api.database, gateway)
    })
    const notification = () => gateway.notification({ id: '1', ...account })
    /** Adyen's own library signs no item without an amount. */
    const signIfPossible = (odd: object): Post[] => {
      try {
        return [gateway.sign(odd)]
      } catch {
        return []
      }
    }

    test('changes nothing without a proof: none, one of another body or account, or at another address', async () => {
      const { body, headers } = gateway.sign(notification())
      const unsigned = { body: JSON.stringify(notification()), headers: { 'content-type': 'application/json' } }
      const changed = String(body).replace(account.reference, makeIdentifier('operation', randomBytes))
      const otherKey = gateway.name === 'adyen' ? HMAC_KEY.replaceAll('4', '5') : 'another-key-than-the-accounts'
      const noJson = ['{"id": ', '', '\u0000'].map((text) => gateway.sign(text))
      const otherGateway = gateway.name === 'stripe' ? 'adyen' : 'stripe'
      const refusedWith = async (post: Post, path = account.path) => {
        const { status, text } = await send(path, post)
        return [status, JSON.parse(text).error_type]
      }
      const before = api.log.text().length
      for (const post of [unsigned, { body: changed, headers }, gateway.sign(notification(), otherKey), ...noJson])
        expect([await refusedWith(post), post]).toEqual([[400, 'request.notification.unproven'], post])
      for (const path of [
        account.path.replace(account.gatewayConfigurationId, makeIdentifier('gatewayConfiguration', randomBytes)),
        account.path.replace(account.gatewayConfigurationId, 'gway_conf_%00'),
        account.path.replace(gateway.name, otherGateway),
        account.path.replace(gateway.name, 'constructor'),
      ]) {
        const NOT_FOUND = [404, 'resource.gateway-configuration.not-found']
        expect([await refusedWith({ body, headers }, path), path]).toEqual([NOT_FOUND, path])
      }
      expect(await notificationsOf(account)).toEqual([])
      expect(resynced).toEqual([])
      expect(api.log.text().slice(before)).not.toContain('ann@shop.example')
    })

    test('is stored and answered, and its payment is asked to book it, once however often it comes', async () => {
      const before = api.log.text().length
      const post = gateway.sign(notification())
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(account.path, post)))
      expect(answers).toMatchObject(answers.map(() => ({ status: 200, text: '[accepted]' })))
      expect((await send(account.path, post)).status).toBe(200)
      expect(await notificationsOf(account)).toMatchObject([
        { invoiceId: account.invoiceId, reference: account.reference, appliedAt: null },
      ])
      await waitFor(async () => resynced.length > 0)
      expect(resynced).toMatchObject([{ invoiceId: account.invoiceId }])
      const logged = api.log.text().slice(before)
      for (const secret of ['ann@shop.example', account.reference, ...Object.values(gateway.credentials)])
        expect(logged).not.toContain(secret)
    })

    test('with any other value in any place of it is answered, and is no failure of ours', async () => {
      const failed: string[] = []
      const before = api.log.text().length
      const posts = gateway
        .notifications({ id: '1', ...account })
        .flatMap(withOddValues)
        .flatMap(signIfPossible)
      expect(posts.length).toBeGreaterThan(80)
      for (let at = 0; at < posts.length; at += 16) {
        const answers = posts.slice(at, at + 16).map(async (post) => {
          const { status } = await send(account.path, post)
          if (status !== 200 && status !== 400) failed.push(`${status} ${post.body}`)
        })
        await Promise.all(answers)
      }
      expect(failed).toEqual([])
      expect(api.log.text().slice(before)).not.toMatch(/"level":50/)
    })

    test('about what is not ours is accepted and forgotten', async () => {
      expect(await send(account.path, gateway.sign(gateway.foreignNotification('2')))).toMatchObject({ status: 200 })
      expect(await notificationsOf(account)).toEqual([])
      expect(resynced).toEqual([])
      expect(api.log.text()).toContain('A gateway sent notifications that are not ours')
    })
  },
)

const gatewayNamed = (name: string) => NOTIFYING_GATEWAYS.find((gateway) => gateway.name === name) as NotifyingGateway

describe('a notification', () => {
  const simulator = gatewayNamed('simulator')
  let account: Account
  beforeEach(async () => {
    account = await openAccount(api.database, simulator)
  })
  const signed = (key?: string) => simulator.sign(simulator.notification({ id: '1', ...account }), key)

  test('with the proof of one account is none at another', async () => {
    const other = await openAccount(api.database, {
      ...simulator,
      credentials: { notification_key: 'another-accounts-key' },
    })
    expect((await send(other.path, signed())).status).toBe(400)
    expect((await send(other.path, signed('another-accounts-key'))).status).toBe(200)
    expect(await notificationsOf(account)).toEqual([])
  })

  test('that is too large is not read, whether it says so or not', async () => {
    const { body, headers } = signed()
    const large = ' '.repeat(NOTIFICATION_BYTES_MAX) + String(body)
    const { status, text } = await send(account.path, { body: large, headers })
    expect([status, JSON.parse(text).error_type]).toEqual([413, 'request.body-too-large'])
    expect(await sendInChunks(new URL(account.path, api.url), headers, large)).toBe(413)
    expect(await notificationsOf(account)).toEqual([])
  })

  test('that is refused counts towards a limit of its own, and what is proven towards none', async () => {
    const wrong = signed('b'.repeat(64))
    const nowhere = account.path.replace(account.gatewayConfigurationId, 'gway_conf_none')
    expect((await send(account.path, wrong)).status).toBe(400)
    // An hour ahead, so that the bucket is empty for the next request, however long that takes to come. That request finds
    // the bucket ahead of the clock and has it fill from now on.
    const emptyBucket = () =>
      em().execute(
        `update rate_limit_bucket set theoretical_arrival_us = (extract(epoch from now()) * 1000000)::bigint + 3600000000
          where kind = 'refused_notification'`,
      )
    await emptyBucket()
    const answer = await send(account.path, wrong)
    expect([answer.status, answer.headers.get('x-ratelimit')]).toEqual([429, String(REFUSED_NOTIFICATION_LIMIT)])
    await emptyBucket()
    expect((await send(nowhere, signed())).status).toBe(429)
    expect((await send(account.path, signed())).status).toBe(200)
    const subject = `%${account.actor.projectId}%`
    expect(await em().execute(`select kind from rate_limit_bucket where subject like ?`, [subject])).toEqual([])
  })

  test('about a call that is not known yet waits for it', async () => {
    const reference = makeIdentifier('operation', randomBytes)
    const invoiceId = makeIdentifier('invoice', randomBytes)
    const early = simulator.sign(simulator.notification({ id: '3', reference, invoiceId }))
    expect(await send(account.path, early)).toMatchObject({ status: 200 })
    expect(await notificationsOf(account)).toMatchObject([{ reference, invoiceId: null, appliedAt: null }])
    expect(resynced).toEqual([])
  })

  test('does not wait, after one was refused, for another whose invoice is locked', async () => {
    const id = () => makeIdentifier('operation', randomBytes)
    const unknown = simulator.notification({
      id: '4',
      reference: id(),
      invoiceId: makeIdentifier('invoice', randomBytes),
    })
    expect((await send(account.path, simulator.sign(unknown, 'another-key'))).status).toBe(400)
    const lock = await holdLock(api.database, 'select from invoice where id = ? for update', [account.invoiceId])
    const held = send(account.path, signed())
    await waitFor(async () => (await lock.countWaiting()) > 0)
    expect((await send(account.path, simulator.sign(unknown))).status).toBe(200)
    await lock.release()
    expect((await held).status).toBe(200)
  })

  test('is kept for the sweep while Temporal cannot be asked', async () => {
    isTemporalGone = true
    expect(await send(account.path, signed())).toMatchObject({ status: 200 })
    expect(await notificationsOf(account)).toMatchObject([{ invoiceId: account.invoiceId, appliedAt: null }])
    await waitFor(async () => api.log.text().includes('the sweep will ask it'))
  })

  test('is refused with 5xx, and comes again, only where it could not be read for want of a key', async () => {
    const changeKey = (credentialsKeyId: string) =>
      em().nativeUpdate(GatewayConfigurationEntity, { id: account.gatewayConfigurationId }, { credentialsKeyId })
    await changeKey('gone')
    expect((await send(account.path, signed())).status).toBe(500)
    expect(await notificationsOf(account)).toEqual([])
    await changeKey('n1')
    expect((await send(account.path, signed())).status).toBe(200)
    expect(await notificationsOf(account)).toHaveLength(1)
  })

  test('reaches an account that was switched off, because its money still moves', async () => {
    const off = { enabled: false, enabledAt: null, deletedAt: new Date() }
    await em().nativeUpdate(GatewayConfigurationEntity, { id: account.gatewayConfigurationId }, off)
    expect((await send(account.path, signed())).status).toBe(200)
    expect(await notificationsOf(account)).toHaveLength(1)
  })
})

describe('the proofs of each gateway', () => {
  test('Stripe: one that is older than five minutes is none, and with two secrets either proves it', async () => {
    const stripe = gatewayNamed('stripe')
    const account = await openAccount(api.database, stripe)
    const payload = JSON.stringify(stripe.notification({ id: '1', ...account }))
    const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
    expect((await send(account.path, signedForStripe(payload, undefined, ago(310)))).status).toBe(400)
    expect(await notificationsOf(account)).toEqual([])
    expect((await send(account.path, signedForStripe(payload, undefined, ago(240)))).status).toBe(200)
    const own = signedForStripe(payload, undefined, ago(0))
    const [, other] = String(signedForStripe(payload, 'whsec_new', ago(0)).headers['stripe-signature']).split(',')
    const headers = { ...own.headers, 'stripe-signature': `${own.headers['stripe-signature']},${other}` }
    expect((await send(account.path, { body: payload, headers })).status).toBe(200)
  })

  test.each([
    ['stripe', 'stripe-signature'],
    ['simulator', 'simulator-signature'],
  ])('%s: of a proof and another one beside it neither is one, whichever comes first', async (name, header) => {
    const gateway = gatewayNamed(name)
    const account = await openAccount(api.database, gateway)
    const notification = gateway.notification({ id: '1', ...account })
    const { body, headers } = gateway.sign(notification)
    const proofs = [headers[header] ?? '', gateway.sign(notification, 'b'.repeat(64)).headers[header] ?? '']
    for (const both of [proofs, proofs.toReversed()])
      expect(await sendInChunks(new URL(account.path, api.url), { ...headers, [header]: both }, String(body))).toBe(400)
    expect(await notificationsOf(account)).toEqual([])
  })

  test('Adyen: what no column takes is left out, so that it is not sent for days', async () => {
    const adyen = gatewayNamed('adyen')
    const account = await openAccount(api.database, adyen)
    const item = { ...adyen.notification({ id: '1', ...account }), success: 'false', reason: 'no\u0000good\ud800' }
    expect((await send(account.path, adyen.sign(item))).status).toBe(200)
    const long = adyen.notification({ ...account, id: 'x'.repeat(5000) })
    expect((await send(account.path, adyen.sign(long))).status).toBe(200)
    expect(await notificationsOf(account)).toMatchObject([
      { outcome: { gatewayCode: expect.stringContaining('nogood') } },
    ])
  })
})

test('a notification is about a payment of its own account, never about one at another of the same project', async () => {
  const simulator = gatewayNamed('simulator')
  const account = await openAccount(api.database, simulator)
  const { projectId, deps } = account.actor
  const inner = em()
  const id = makeIdentifier('gatewayConfiguration', randomBytes)
  const { ciphertext, keyId, hash } = deps.vault.encryptCredentials(id, simulator.credentials)
  inner.create(GatewayConfigurationEntity, {
    ...{ id, projectId, sandbox: account.transaction.sandbox, gatewayName: 'simulator', name: 'Another account' },
    ...{ enabled: true, createdAt: new Date(), credentialsSetAt: {} },
    ...{ credentialsCiphertext: Buffer.from(ciphertext), credentialsKeyId: keyId, credentialsHash: hash },
  })
  await inner.flush()
  const { gatewayOperationId = null } = await inner.findOneOrFail(OperationEntity, {
    ...{ transactionId: account.transaction.id, type: 'authorization', isAttempt: false },
  })
  const abouts = [
    // The first names the authorization that the third tells of.
    { reference: account.reference, gatewayAuthorizationId: 'sim_named_by_a_notification' },
    { reference: null, gatewayAuthorizationId: gatewayOperationId },
    { reference: null, gatewayAuthorizationId: 'sim_named_by_a_notification' },
  ]
  const chargeback = { kind: 'chargeback-created', invoiceId: null, amountMinor: 900, currency: 'EUR', reason: null }
  const invoicesOf = async (gatewayConfigurationId: string) => {
    for (const [index, about] of abouts.entries()) {
      const path = account.path.replace(account.gatewayConfigurationId, gatewayConfigurationId)
      const post = simulator.sign({ ...chargeback, ...about, gatewayNotificationId: `notification-${index}` })
      expect(await send(path, post)).toMatchObject({ status: 200 })
    }
    return (await notificationsOf({ gatewayConfigurationId })).map(({ invoiceId = null }) => invoiceId)
  }
  expect(await invoicesOf(account.gatewayConfigurationId)).toEqual(abouts.map(() => account.invoiceId))
  expect(await invoicesOf(id)).toEqual(abouts.map(() => null))
})

test('a notification that names an invoice of another project is about none, and is answered all the same', async () => {
  const simulator = gatewayNamed('simulator')
  const [account, other] = [await openAccount(api.database, simulator), await openAccount(api.database, simulator)]
  const { invoiceId } = other
  const reference = makeIdentifier('operation', randomBytes)
  const post = simulator.sign(simulator.notification({ id: '1', reference, invoiceId }))
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
