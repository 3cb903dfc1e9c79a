import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  type CreatedInvoice,
  createCard,
  createInvoice,
  findRunningService,
  type RunningService,
} from '../../test/running-service.ts'
import { type Fetch, HoldfastClient, isEndedBy, type ThreeDSRedirect, type ThreeDSService } from '../src/index.ts'
import { atBank, CHALLENGE_CARD, customer, FINGERPRINT_CARD, PLAIN_CARD, throughBrowser } from './app-customer.ts'

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
  test('is frictionless after a native fingerprint', async () => {
    const phone = customer()
    expect(await pay(await createInvoice(service), FINGERPRINT_CARD, phone)).toBe('authorized')
    expect(phone.calls).toEqual(['authenticationRequest', 'cleanup'])
  })

  test('on the channel ios is native, too', async () => {
    const phone = customer({ challenge: async () => true })
    const invoice = await createInvoice(service, { device: { channel: 'ios' }, return_url: 'shop-app://checkout' })
    expect(await pay(invoice, CHALLENGE_CARD, phone)).toBe('authorized')
    expect(phone.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
  })

  test('goes through the browser on the channel web, and comes back by the return_url', async () => {
    const phone = throughBrowser()
    const invoice = await createInvoice(service, { device: { channel: 'web' } })
    expect(await pay(invoice, CHALLENGE_CARD, phone)).toBe('authorized')
    expect([...new Set(phone.calls)]).toEqual(['redirect', 'cleanup'])
  })

  test('falls back to browser sessions at an account of a gateway that has no native way', async () => {
    const [account] = (await service.merchant.get('/gateway-configurations')).body.gateway_configurations
    const allowNative = async (isNative: false | null) => {
      const capabilities = { native_3ds: isNative }
      const { status } = await service.merchant.put(`/gateway-configurations/${account.id}`, { capabilities })
      expect(status).toBe(200)
    }
    await allowNative(false)
    const phone = throughBrowser()
    try {
      expect(await pay(await createInvoice(service), CHALLENGE_CARD, phone)).toBe('authorized')
    } finally {
      await allowNative(null)
    }
    expect([...new Set(phone.calls)]).toEqual(['redirect', 'cleanup'])
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
    const phone = customer({ challenge: async () => true })
    expect(await pay(invoice, CHALLENGE_CARD, phone, losing)).toBe('authorized')
    expect([lost.size, await authorizationsOf(invoice)]).toEqual([3, 1])
    expect(phone.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
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
})
