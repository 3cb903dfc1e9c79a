import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type BucketKind, SITE_SHARE } from '../../domain/rate-limits.ts'
import type { ApiRequestRow } from '../../src/persistence/entities/api-request.ts'
import { waitFor } from '../support/wait-for.ts'
import { basic } from './basic.ts'
import { type Interface, type Merchant, startInterface } from './interface.ts'
import { bucketsOf, changeLimits, emptyBucket, shown } from './rate-limit-buckets.ts'

const ADDRESS = '127.0.0.1'

/** What the requests left in the log. */
const logged: ApiRequestRow[] = []
let api: Interface
let behindProxy: Interface
let merchant: Merchant

beforeAll(async () => {
  const requestLog = { add: (row: ApiRequestRow) => void logged.push(row) }
  api = await startInterface({ requestLog })
  behindProxy = await startInterface({ orm: api.database.orm, requestLog, trustedProxies: 1 })
})
afterAll(async () => {
  await behindProxy.stop()
  await api.stop()
})
beforeEach(async () => {
  merchant = await api.makeMerchant({ sandbox: true })
  await api.database.orm.em.fork().execute('delete from rate_limit_bucket')
})

interface From {
  address?: string
  method?: string
  through?: Interface
}

/** A call with these credentials from an address, through the one proxy that is believed. */
function ask(credentials: string, path: string, { address, method = 'GET', through = behindProxy }: From = {}) {
  const headers: Record<string, string> = { authorization: basic(credentials) }
  if (address !== undefined) headers['x-forwarded-for'] = address
  return fetch(new URL(path, through.url), { method, headers })
}

const askAsClient = (path: string, from: From = {}) => ask(`test-${merchant.projectId}:`, path, from)

async function makeInvoice(): Promise<string> {
  const { body } = await merchant.client.post('/invoices', { name: 'Order', amount: '1.00', currency: 'EUR' })
  return body.invoice.id
}

describe('a call without a secret', () => {
  test('never takes anything from what the merchant has', async () => {
    const invoiceId = await makeInvoice()
    const before = await bucketsOf(api, 'sandbox')
    await api.database.orm.em.fork().execute("delete from rate_limit_bucket where kind = 'sandbox'")
    for (const path of [`/invoices/${invoiceId}`, '/iins/424242', '/customers', '/nowhere']) await askAsClient(path)
    expect(await bucketsOf(api, 'sandbox')).toEqual([])
    expect(before).toEqual([merchant.projectId])
    await emptyBucket(api, 'sandbox', merchant.projectId)
    expect((await askAsClient(`/invoices/${invoiceId}`)).status).toBe(200)
  })

  test('is refused when its address has asked too much, and the merchant goes on', async () => {
    await changeLimits(api, merchant.projectId, { client_address: 2 })
    const from = { address: '203.0.113.7' }
    const answers = await Promise.all([1, 2, 3].map(() => askAsClient('/iins/424242', from)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429])
    const refused = await askAsClient('/iins/424242', from)
    expect(shown(refused)).toEqual({ kind: 'client_address', limit: 2, remaining: 0 })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ success: false, error_type: 'request.rate.exceeded' })
    expect((await merchant.client.get('/iins/424242')).status).toBe(200)
    expect((await askAsClient('/iins/424242', { address: '203.0.113.8' })).status).toBe(200)
  })

  test('is refused when too much was asked about its invoice, from wherever, and others are not', async () => {
    await changeLimits(api, merchant.projectId, { client_invoice: 2 })
    const [attacked, other] = [await makeInvoice(), await makeInvoice()]
    for (const [n, status] of [200, 200, 429, 429].entries())
      expect((await askAsClient(`/invoices/${attacked}`, { address: `203.0.113.${n}` })).status).toBe(status)
    const refused = await askAsClient(`/invoices/${attacked}/capture`, { address: '203.0.113.9', method: 'POST' })
    expect(shown(refused)).toEqual({ kind: 'client_invoice', limit: 2, remaining: 0 })
    expect((await askAsClient(`/invoices/${other}`)).status).toBe(200)
    expect((await merchant.client.get(`/invoices/${attacked}`)).status).toBe(200)
  })

  test('is refused when too much was asked about its invoice, also where it is the last that its address may make', async () => {
    await changeLimits(api, merchant.projectId, { client_address: 1, client_invoice: 1 })
    const invoiceId = await makeInvoice()
    await emptyBucket(api, 'client_invoice', `${merchant.projectId} sandbox ${invoiceId}`)
    const answer = await askAsClient(`/invoices/${invoiceId}`, { address: '203.0.113.7' })
    expect([answer.status, shown(answer).kind]).toEqual([429, 'client_invoice'])
  })

  test('takes nothing from the invoice where its address has nothing left', async () => {
    await changeLimits(api, merchant.projectId, { client_invoice: 5, client_address: 1 })
    const invoiceId = await makeInvoice()
    const from = { address: '203.0.113.7' }
    for (let n = 0; n < 5; n += 1) await askAsClient(`/invoices/${invoiceId}`, from)
    const answer = await askAsClient(`/invoices/${invoiceId}`, { address: '203.0.113.8' })
    expect([answer.status, shown(answer)]).toMatchObject([200, { kind: 'client_address', limit: 1, remaining: 0 }])
    await changeLimits(api, merchant.projectId, { client_address: 300 })
    const left = shown(await askAsClient(`/invoices/${invoiceId}`, { address: '203.0.113.9' }))
    expect(left).toMatchObject({ kind: 'client_invoice', limit: 5 })
    // One of the first address, one of the second, one now, and whatever has come back meanwhile.
    expect(left.remaining).toBeGreaterThanOrEqual(2)
  })

  test('shows the limit of which least is left', async () => {
    const invoiceId = await makeInvoice()
    const ofInvoice = shown(await askAsClient(`/invoices/${invoiceId}`))
    expect(ofInvoice).toEqual({ kind: 'client_invoice', limit: 60, remaining: 59 })
    expect(shown(await askAsClient('/iins/424242'))).toMatchObject({ kind: 'client_address', limit: 300 })
  })

  test('has buckets of its own in each environment', async () => {
    await askAsClient('/iins/424242')
    await ask(`${merchant.projectId}:`, '/iins/424242')
    expect(await bucketsOf(api, 'client_address')).toEqual([
      `${merchant.projectId} live ${ADDRESS}`,
      `${merchant.projectId} sandbox ${ADDRESS}`,
    ])
  })

  test('counts as a failure where its project is not there, and looks like every other failure', async () => {
    const answer = await ask('proj_none:', '/iins/424242')
    expect([answer.status, shown(answer).kind]).toEqual([401, 'default'])
    expect(await bucketsOf(api, 'failed_authentication')).toEqual([ADDRESS])
    expect(await bucketsOf(api, 'client_address')).toEqual([])
  })
})

describe('wrong credentials', () => {
  const exhaust = (address: string) => emptyBucket(api, 'failed_authentication', address)

  test('are refused with 429 when there were too many from one address, at every path', async () => {
    for (const path of ['/customers', '/nowhere']) {
      // Each time, since from the first refusal on a tenth of a second is enough for the next request.
      await exhaust(ADDRESS)
      const answer = await ask(`${merchant.projectId}:wrong`, path, { through: api })
      expect([answer.status, shown(answer)]).toEqual([429, { kind: 'failed_authentication', limit: 600, remaining: 0 }])
      expect(answer.headers.get('retry-after')).toBe('1')
    }
  })

  test('never hurt right ones from the same address', async () => {
    await exhaust(ADDRESS)
    expect((await merchant.client.get('/customers')).status).toBe(200)
    expect((await askAsClient('/iins/424242', { through: api })).status).toBe(200)
  })

  test('from one address are no concern of another', async () => {
    await exhaust('203.0.113.7')
    const wrong = `${merchant.projectId}:wrong`
    expect((await ask(wrong, '/customers', { address: '203.0.113.7' })).status).toBe(429)
    expect((await ask(wrong, '/customers', { address: '203.0.113.8' })).status).toBe(401)
  })

  test('are one caller to us where they come from one network of IPv6', async () => {
    const wrong = `${merchant.projectId}:wrong`
    for (const [address, status] of [
      ['2001:DB8:0:1:ffff::2', 429],
      ['2001:db8:0:2::1', 401],
    ] as const) {
      await exhaust('2001:db8:0:1::/64')
      expect((await ask(wrong, '/customers', { address })).status).toBe(status)
    }
  })

  test('are counted, the same for a project that is there and one that is not', async () => {
    await ask(`${merchant.projectId}:wrong`, '/customers', { address: '203.0.113.1' })
    await ask('proj_none:wrong', '/customers', { address: '203.0.113.2' })
    expect(await bucketsOf(api, 'failed_authentication')).toEqual(['203.0.113.1', '203.0.113.2'])
  })

  test.each([
    ['none', null],
    ['another scheme', 'Bearer x'],
    ['no project', basic('x:y')],
  ])('that are none at all cost nothing and are not counted: %s', async (_, authorization) => {
    await exhaust(ADDRESS)
    const headers: Record<string, string> = authorization === null ? {} : { authorization }
    const answer = await fetch(new URL('/customers', api.url), { headers })
    expect(answer.status).toBe(401)
  })

  test('that are of a client on a route for servers are refused without a look at the project', async () => {
    expect((await askAsClient('/customers')).status).toBe(401)
    expect(await bucketsOf(api, 'failed_authentication')).toEqual([])
    expect(await bucketsOf(api, 'client_address')).toEqual([])
  })
})

describe('a site of IPv6', () => {
  test.each<[BucketKind, (address: string) => Promise<Response>, () => string]>([
    ['client_address', (address) => askAsClient('/iins/424242', { address }), () => `${merchant.projectId} sandbox `],
    ['failed_authentication', (address) => ask('proj_none:wrong', '/customers', { address }), () => ''],
    ['refused_notification', (address) => send('/gateways/stripe/notifications/gway_conf_1', address), () => ''],
    ['open_route', (address) => send('/pay/anything', address, 'GET'), () => ''],
    ['sign_in_address', (address) => send('/dashboard/invitation', address), () => ''],
  ])(
    'has sixteen times as much of %s as one of its networks, which keeps none of the others out',
    async (kind, from, owner) => {
      await from('2001:db8:1:1::1')
      const site = `${owner()}2001:db8:1::/48`
      expect(await bucketsOf(api, kind)).toEqual([`${owner()}2001:db8:1:1::/64`, site].toSorted())
      const used = 'select theoretical_arrival_us::text as until from rate_limit_bucket where kind = ? and subject = ?'
      const usedOf = (subject: string) => api.database.orm.em.fork().execute(used, [kind, subject])
      await emptyBucket(api, kind, `${owner()}2001:db8:1:2::/64`)
      const before = await usedOf(site)
      expect([(await from('2001:db8:1:2::1')).status, await usedOf(site)]).toEqual([429, before])
      await emptyBucket(api, kind, site)
      const refused = await from('2001:db8:1:3::1')
      expect([refused.status, shown(refused).limit % SITE_SHARE]).toEqual([429, 0])
      expect((await from('2001:db8:2:1::1')).status).not.toBe(429)
    },
  )

  function send(path: string, address: string, method = 'POST') {
    const { origin } = new URL(behindProxy.url)
    return fetch(new URL(path, origin), { method, headers: { 'x-forwarded-for': address, origin } })
  }
})

describe('what is answered without a key', () => {
  const open = (path: string, address: string) =>
    fetch(new URL(path, behindProxy.url), { headers: { 'x-forwarded-for': address } })

  test('is refused where its address has asked for too much of it, and others are not', async () => {
    for (const path of ['/pay/anything', '/openapi.json']) {
      // Each time, as above.
      await emptyBucket(api, 'open_route', '203.0.113.7')
      const refused = await open(path, '203.0.113.7')
      expect([refused.status, shown(refused)]).toEqual([429, { kind: 'open_route', limit: 1_200, remaining: 0 }])
      expect((await open(path, '203.0.113.8')).status).not.toBe(429)
    }
  })

  test('hurts no call with a key or of a client, and no look at the health', async () => {
    await emptyBucket(api, 'open_route', ADDRESS)
    expect((await fetch(new URL('/health/live', api.url))).status).toBe(200)
    expect((await merchant.client.get('/customers')).status).toBe(200)
    expect((await askAsClient('/iins/424242', { through: api })).status).toBe(200)
  })
})

describe('the address of a caller', () => {
  // The row is made after the answer.
  const loggedIp = ({ headers }: Response) =>
    waitFor(() => logged.find((row) => row.requestId === headers.get('x-request-id'))?.ip)
  const askFrom = (through: Interface, forwarded: string) =>
    fetch(new URL('/iins/424242', through.url), {
      headers: { authorization: basic(`test-${merchant.projectId}:`), 'x-forwarded-for': forwarded },
    })
  const own = (address: string) => [`${merchant.projectId} sandbox ${address}`]

  test('is never what the caller says, where no proxy is believed', async () => {
    const answer = await askFrom(api, '198.51.100.1')
    expect(await bucketsOf(api, 'client_address')).toEqual(own(ADDRESS))
    expect(await loggedIp(answer)).toBe(ADDRESS)
  })

  test('is never what the caller says before the proxy, where one is', async () => {
    const answer = await askFrom(behindProxy, '198.51.100.1, 198.51.100.2, 203.0.113.7')
    expect(await bucketsOf(api, 'client_address')).toEqual(own('203.0.113.7'))
    expect(await loggedIp(answer)).toBe('203.0.113.7')
  })

  test('is what the first of two proxies says, where two are believed', async () => {
    const behindTwo = await startInterface({ orm: api.database.orm, trustedProxies: 2 })
    await askFrom(behindTwo, '198.51.100.1, 203.0.113.7, 10.0.0.1')
    expect(await bucketsOf(api, 'client_address')).toEqual(own('203.0.113.7'))
    await behindTwo.stop()
  })

  // `client-address.test.ts` has what else a proxy may write.
  test('is the network of an address of IPv6, and its site', async () => {
    expect((await askFrom(behindProxy, '[2001:db8::1]:4711')).status).toBe(200)
    expect(await bucketsOf(api, 'client_address')).toEqual([...own('2001:db8:0:0::/64'), ...own('2001:db8:0::/48')])
  })

  test('does not make a caller believe another host or protocol', async () => {
    const answer = await fetch(new URL('/nowhere', behindProxy.url), {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
    })
    expect(JSON.stringify([...answer.headers]) + (await answer.text())).not.toContain('evil.example')
  })
})
