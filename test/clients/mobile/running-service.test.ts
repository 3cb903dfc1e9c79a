import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  CustomerCanceled,
  type Fetch,
  HoldfastClient,
  isEndedBy,
  type ThreeDSRedirect,
  type ThreeDSService,
} from '../../../clients/react-native/src/index.ts'
import {
  atBank,
  CHALLENGE_CARD,
  customer,
  DECLINED_CARD,
  FINGERPRINT_CARD,
  PLAIN_CARD,
  throughBrowser,
  VERSION_1_CARD,
} from './app-customer.ts'
import {
  type CreatedInvoice,
  createCard,
  createInvoice,
  findRunningService,
  type RunningService,
} from './running-service.ts'

/** The library for React Native and a service that runs, with its simulator and the simulator's bank. */

let service: RunningService

beforeAll(async () => {
  service = await findRunningService()
})
afterAll(() => service.stop())

const client = (fetch?: Fetch) =>
  new HoldfastClient({
    projectId: service.projectId,
    baseUrl: service.baseUrl,
    timing: { firstPauseMs: 50, pollForMs: 20_000 },
    ...(fetch === undefined ? {} : { fetch }),
  })

async function pay(
  { id }: CreatedInvoice,
  number: string,
  { app }: { app: ThreeDSService } = customer(),
  fetch?: Fetch,
): Promise<string> {
  const request = { invoiceId: id, source: await createCard(service, number) }
  return (await client(fetch).invoices.authorizeInvoice(request, app)).transaction.status
}

async function readInvoice(id: string, expand = 'transaction') {
  return (await service.merchant.get(`/invoices/${id}?expand=${expand}`)).body.invoice
}

/** How often the gateway was asked; each has an attempt and a result. */
async function authorizationsOf({ id }: CreatedInvoice): Promise<number> {
  const { transaction } = await readInvoice(id, 'transaction.operations')
  return transaction.operations.filter(
    ({ type, is_attempt: isAttempt }: { type: string; is_attempt: boolean }) => type === 'authorization' && isAttempt,
  ).length
}

describe('a payment from an app', () => {
  test('without authentication is authorized', async () => {
    const played = customer()
    expect(await pay(await createInvoice(service), PLAIN_CARD, played)).toBe('authorized')
    expect(played.calls).toEqual(['cleanup'])
  })

  test('that is declined leaves the invoice to another card', async () => {
    const invoice = await createInvoice(service)
    await expect(pay(invoice, DECLINED_CARD)).rejects.toMatchObject({ kind: 'declined', errorType: 'card.no-money' })
    expect(await pay(invoice, PLAIN_CARD)).toBe('authorized')
  })

  test('is frictionless after a native fingerprint', async () => {
    const played = customer()
    expect(await pay(await createInvoice(service), FINGERPRINT_CARD, played)).toBe('authorized')
    expect(played.calls).toEqual(['authenticationRequest', 'cleanup'])
  })

  test('on the channel ios is native, too', async () => {
    const played = customer({ challenge: async () => true })
    const invoice = await createInvoice(service, { device: { channel: 'ios' }, return_url: 'shop-app://checkout' })
    expect(await pay(invoice, CHALLENGE_CARD, played)).toBe('authorized')
    expect(played.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
  })

  test('whose native challenge is failed or canceled charges nothing, and another card pays the invoice', async () => {
    const invoice = await createInvoice(service)
    const failed = customer({ challenge: async () => false })
    await expect(pay(invoice, CHALLENGE_CARD, failed)).rejects.toMatchObject({ errorType: 'card.failed-3ds' })
    const canceled = customer({ challenge: () => Promise.reject(new CustomerCanceled()) })
    await expect(pay(invoice, CHALLENGE_CARD, canceled)).rejects.toMatchObject({ kind: 'canceled' })
    expect((await readInvoice(invoice.id)).status).toBe('failed')
    expect(await pay(invoice, PLAIN_CARD)).toBe('authorized')
  })

  test('goes through the browser on the channel web, and comes back by the return_url', async () => {
    const played = throughBrowser()
    const invoice = await createInvoice(service, { device: { channel: 'web' } })
    expect(await pay(invoice, CHALLENGE_CARD, played)).toBe('authorized')
    expect([...new Set(played.calls)]).toEqual(['redirect', 'cleanup'])
  })

  test('goes through the page of the bank in version 1', async () => {
    const played = throughBrowser()
    expect(await pay(await createInvoice(service, { device: { channel: 'web' } }), VERSION_1_CARD, played)).toBe(
      'authorized',
    )
    expect(played.calls).toEqual(['redirect', 'cleanup'])
  })

  test('falls back to a browser session where the bank has no native way', async () => {
    const [forAndroid, forIos] = [throughBrowser(), throughBrowser()]
    expect(await pay(await createInvoice(service), VERSION_1_CARD, forAndroid)).toBe('authorized')
    const invoice = await createInvoice(service, {
      device: { channel: 'ios' },
      return_url: 'https://shop.example/return',
    })
    const request = { invoiceId: invoice.id, source: await createCard(service, VERSION_1_CARD) }
    const webAuthenticationCallback = { host: 'shop.example', path: '/return' }
    const paid = await client().invoices.authorizeInvoice({ ...request, webAuthenticationCallback }, forIos.app)
    expect(paid.transaction.status).toBe('authorized')
    expect([forAndroid.calls, forIos.calls]).toEqual([
      ['redirect', 'cleanup'],
      ['redirect', 'cleanup'],
    ])
  })

  test('falls back to browser sessions at an account of a gateway that has no native way', async () => {
    const [account] = (await service.merchant.get('/gateway-configurations')).body.gateway_configurations
    const allowNative = async (isNative: false | null) => {
      const capabilities = { native_3ds: isNative }
      const { status } = await service.merchant.put(`/gateway-configurations/${account.id}`, { capabilities })
      expect(status).toBe(200)
    }
    await allowNative(false)
    const played = throughBrowser()
    try {
      expect(await pay(await createInvoice(service), CHALLENGE_CARD, played)).toBe('authorized')
    } finally {
      await allowNative(null)
    }
    expect([...new Set(played.calls)]).toEqual(['redirect', 'cleanup'])
  })

  test('whose browser the customer closes charges nothing', async () => {
    const invoice = await createInvoice(service, { device: { channel: 'web' } })
    const closing = customer({
      // The fingerprint is no window that the customer could close.
      browser: (redirect) =>
        redirect.timeoutSeconds === null ? Promise.reject(new CustomerCanceled()) : atBank(redirect),
    })
    await expect(pay(invoice, CHALLENGE_CARD, closing)).rejects.toMatchObject({ kind: 'canceled' })
    expect((await readInvoice(invoice.id)).status).toBe('failed')
  })

  test('whose answer is lost on its way asks the bank once', async () => {
    let isLost = false
    const losing: Fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (init.method !== 'POST' || isLost) return response
      isLost = true
      throw new Error('The network is gone.')
    }
    const invoice = await createInvoice(service)
    expect(await pay(invoice, PLAIN_CARD, customer(), losing)).toBe('authorized')
    expect([isLost, await authorizationsOf(invoice)]).toEqual([true, 1])
  })

  test('whose answers are lost in the middle of the authentication is charged once', async () => {
    const lost = new Set<string>()
    const losing: Fetch = async (url, init) => {
      const response = await fetch(url, init)
      const key = init.headers['Idempotency-Key']
      if (key === undefined || lost.has(key)) return response
      lost.add(key)
      throw new Error('The network is gone.')
    }
    const invoice = await createInvoice(service)
    const played = customer({ challenge: async () => true })
    expect(await pay(invoice, CHALLENGE_CARD, played, losing)).toBe('authorized')
    expect([lost.size, await authorizationsOf(invoice)]).toEqual([3, 1])
    expect(played.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
  })

  test('is taken up again after the app was killed while its customer was at the bank', async () => {
    const invoice = await createInvoice(service, { device: { channel: 'web' } })
    const request = { invoiceId: invoice.id, source: await createCard(service, CHALLENGE_CARD) }
    const leftFor = Promise.withResolvers<ThreeDSRedirect>()
    const killed = customer({
      browser(redirect) {
        leftFor.resolve(redirect)
        return new Promise(() => {})
      },
    })
    client()
      .invoices.authorizeInvoice(request, killed.app)
      .catch(() => {})
    // The browser is a program of its own, and opens the app again.
    const opened = await atBank(await leftFor.promise)
    const restarted = customer({
      browser: async (redirect) => {
        expect(isEndedBy(redirect, opened)).toBe(true)
        return opened
      },
    })
    expect((await client().invoices.authorizeInvoice(request, restarted.app)).transaction.status).toBe('authorized')
    expect([restarted.calls, await authorizationsOf(invoice)]).toEqual([['redirect', 'cleanup'], 1])
  })

  test('begins anew after the app was killed in a native challenge, of which its next process knows nothing', async () => {
    const invoice = await createInvoice(service)
    const request = { invoiceId: invoice.id, source: await createCard(service, CHALLENGE_CARD) }
    const inChallenge = Promise.withResolvers<void>()
    const killed = customer({
      challenge() {
        inChallenge.resolve()
        return new Promise(() => {})
      },
    })
    client()
      .invoices.authorizeInvoice(request, killed.app)
      .catch(() => {})
    await inChallenge.promise
    const restarted = customer({ challenge: () => Promise.reject(new Error('There is no transaction.')) })
    const failed = client().invoices.authorizeInvoice(request, restarted.app)
    await expect(failed).rejects.toMatchObject({ kind: 'authentication-failed' })
    expect(restarted.calls).toEqual(['challenge', 'cleanup'])
    const again = customer({ challenge: async () => true })
    expect((await client().invoices.authorizeInvoice(request, again.app)).transaction.status).toBe('authorized')
    expect(again.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
  })

  test('on another device is refused while the first customer authenticates, and nothing is paid twice', async () => {
    const invoice = await createInvoice(service)
    const [inChallenge, passed] = [Promise.withResolvers<void>(), Promise.withResolvers<boolean>()]
    const first = customer({
      challenge() {
        inChallenge.resolve()
        return passed.promise
      },
    })
    const paying = pay(invoice, CHALLENGE_CARD, first)
    await inChallenge.promise
    await expect(pay(invoice, PLAIN_CARD)).rejects.toMatchObject({ kind: 'in-progress' })
    passed.resolve(true)
    expect(await paying).toBe('authorized')
    expect(await pay(invoice, PLAIN_CARD)).toBe('authorized')
    expect(await authorizationsOf(invoice)).toBe(1)
  })

  test('that the merchant has voided or refunded since is no success', async () => {
    const [voided, refunded] = [await createInvoice(service), await createInvoice(service)]
    for (const invoice of [voided, refunded]) expect(await pay(invoice, PLAIN_CARD)).toBe('authorized')
    const asMerchant = async ({ id }: CreatedInvoice, ...verbs: string[]) => {
      for (const verb of verbs)
        expect(await service.merchant.post(`/invoices/${id}/${verb}`)).toMatchObject({ status: 200 })
    }
    await asMerchant(voided, 'void')
    await asMerchant(refunded, 'capture', 'refunds')
    for (const invoice of [voided, refunded]) {
      await expect(pay(invoice, PLAIN_CARD)).rejects.toMatchObject({ kind: 'invalid-request' })
      expect(await authorizationsOf(invoice)).toBe(1)
    }
  })

  test('without a way back to the app is refused before anything has begun', async () => {
    const invoice = await createInvoice(service, { return_url: null })
    await expect(pay(invoice, PLAIN_CARD)).rejects.toMatchObject({
      kind: 'invalid-request',
      message: expect.stringContaining('return_url'),
    })
    expect((await readInvoice(invoice.id)).transaction).toBeNull()
  })

  test('that is asked for twice at once is paid once', async () => {
    const invoice = await createInvoice(service)
    const { app, calls } = customer({ challenge: async () => true })
    const { invoices } = client()
    const request = { invoiceId: invoice.id, source: await createCard(service, CHALLENGE_CARD) }
    const [one, other] = await Promise.all([1, 2].map(() => invoices.authorizeInvoice(request, app)))
    expect(one).toBe(other)
    expect(calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
    expect(await authorizationsOf(invoice)).toBe(1)
  })

  test('saves the card with the client secret of its invoice, and not with that of another', async () => {
    const customerId = (await service.merchant.post('/customers')).body.customer.id
    const [invoice, other] = [
      await createInvoice(service, { customer_id: customerId }),
      await createInvoice(service, { customer_id: customerId }),
    ]
    const save = async (clientSecret: string) =>
      client().invoices.authorizeInvoice(
        { invoiceId: invoice.id, source: await createCard(service, PLAIN_CARD), clientSecret, saveSource: true },
        customer().app,
      )
    await expect(save(other.clientSecret)).rejects.toMatchObject({ kind: 'invalid-request' })
    expect((await save(invoice.clientSecret)).customerTokenId).toMatch(/^tok_/)
  })

  test('can be looked up by its invoice', async () => {
    const { id } = await createInvoice(service)
    expect(await client().invoices.find(id)).toMatchObject({ status: 'pending', amount: '29.00', transaction: null })
    const missing = client().invoices.find('iv_thatisnotthere')
    await expect(missing).rejects.toMatchObject({ kind: 'invalid-request', errorType: 'resource.invoice.not-found' })
  })
})
