import { expect, test } from '@jest/globals'
import { lastPage } from '../../../test/support/bank.ts'
import { stackForFile } from '../../../test/support/stack-for-file.ts'
import { FIXTURES } from '../../test/wire-fixtures.ts'
import {
  type Fetch,
  HoldfastClient,
  isEndedBy,
  type ThreeDSAuthenticationRequest,
  type ThreeDSRedirect,
  type ThreeDSService,
  tokenFrom,
} from '../src/index.ts'

/**
 * The library for React Native and a service that runs, with its simulator and the simulator's bank. The library for Android
 * has more stories of this kind; here is what JavaScript may do otherwise: its HTTP, its addresses, its memory.
 */

const CHALLENGE_CARD = '4000000000000101'
/** What the simulator's bank takes. */
const CODE = '1234'
const DEVICE_DATA = FIXTURES.actions
  .flatMap(({ next_sources: next }) => next)
  .find(({ means }) => means === 'device data')?.given as ThreeDSAuthenticationRequest

const stack = stackForFile()

/** An invoice that leads back to an app, and a card for it. */
async function order(channel = 'android', returnUrl = 'com.example.shop://checkout/return') {
  const [{ id }, { id: source }] = await Promise.all([
    stack.createInvoice({ device: { channel }, return_url: returnUrl }),
    stack.createCard({ number: CHALLENGE_CARD }),
  ])
  return { invoiceId: id, source }
}

/** A phone whose native library passes every challenge, and whose browser is as given. */
function makePhone(browser: (redirect: ThreeDSRedirect) => Promise<string> = atBank) {
  const calls: string[] = []
  const app: ThreeDSService = {
    async authenticationRequest() {
      calls.push('authenticationRequest')
      return DEVICE_DATA
    },
    async handleChallenge() {
      calls.push('challenge')
      return true
    },
    async handleRedirect(redirect) {
      calls.push('redirect')
      return tokenFrom(redirect, await browser(redirect))
    },
    cleanup: () => void calls.push('cleanup'),
  }
  return { app, calls }
}

/** @returns the address that opens the app again. */
async function atBank({ url, returnUrl }: ThreeDSRedirect): Promise<string> {
  const page = (await lastPage(url, CODE)).replaceAll('&amp;', '&').replaceAll('\\u0026', '&').replaceAll('\\/', '/')
  const [opened = ''] = /^[^"'<>\s]+/.exec(page.slice(page.indexOf(`${returnUrl}?`))) ?? []
  return opened
}

type Order = Awaited<ReturnType<typeof order>>

async function pay(wanted: Order, app: ThreeDSService, send: Fetch = fetch): Promise<string> {
  const { baseUrl, project } = stack
  const timing = { firstPauseMs: 50, pollForMs: 20_000 }
  const client = new HoldfastClient({ projectId: `test-${project.id}`, baseUrl, timing, fetch: send })
  return (await client.invoices.authorizeInvoice(wanted, app)).transaction.status
}

const authorizationsOf = async ({ invoiceId }: Order) =>
  (await stack.gatewayRequests(invoiceId)).filter(({ type }) => type === 'authorization')

test.each([
  ['natively', 'ios', 'shop-app://checkout', ['authenticationRequest', 'challenge', 'cleanup']],
  ['in the browser', 'web', 'com.example.shop://checkout/return', ['redirect', 'cleanup']],
])('a customer is authenticated %s on the channel %s', async (_, channel, returnUrl, calls) => {
  const phone = makePhone()
  expect(await pay(await order(channel, returnUrl), phone.app)).toBe('authorized')
  expect([...new Set(phone.calls)]).toEqual(calls)
})

test('a payment whose answers are lost in the middle of the authentication is charged once', async () => {
  const lost = new Set<string>()
  const losing: Fetch = async (url, init) => {
    const response = await fetch(url, init)
    const key = init.headers['Idempotency-Key']
    if (key === undefined || lost.has(key)) return response
    lost.add(key)
    throw new Error('The network is gone.')
  }
  const [wanted, phone] = [await order(), makePhone()]
  expect(await pay(wanted, phone.app, losing)).toBe('authorized')
  expect(lost.size).toBe(3)
  expect(await authorizationsOf(wanted)).toMatchObject([{ timesAsked: 1 }])
  expect(phone.calls).toEqual(['authenticationRequest', 'challenge', 'cleanup'])
})

test('a payment is taken up again after the app was killed while its customer was at the bank', async () => {
  const wanted = await order('web')
  const leftFor = Promise.withResolvers<ThreeDSRedirect>()
  const killed = makePhone((redirect) => {
    leftFor.resolve(redirect)
    return new Promise(() => {})
  })
  pay(wanted, killed.app).catch(() => {})
  // The browser is a program of its own, and opens the app again.
  const opened = await atBank(await leftFor.promise)
  const restarted = makePhone(async (redirect) => {
    expect(isEndedBy(redirect, opened)).toBe(true)
    return opened
  })
  expect(await pay(wanted, restarted.app)).toBe('authorized')
  expect(restarted.calls).toEqual(['redirect', 'cleanup'])
  expect(await authorizationsOf(wanted)).toMatchObject([{ timesAsked: 1 }])
})
