import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createCardsApi } from '../../../clients/browser/src/form/cards-api.ts'
import { cardFieldsOf } from '../../../clients/browser/src/form/state.ts'
import { createApiClient, type Send } from '../../../clients/browser/src/payment/api.ts'
import { type FlowDeps, pay, resume } from '../../../clients/browser/src/payment/flow.ts'
import { readOptions } from '../../../clients/browser/src/payment/options.ts'
import type { PaymentOptions } from '../../../clients/browser/src/published.ts'
import { makeStack, type Stack } from '../../support/stack.ts'

/** The library without a browser, on a whole service: what it sends must be what the service takes. */
let stack: Stack
let send: Send
let deps: FlowDeps

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  const authorization = `Basic ${Buffer.from(`test-${stack.project.id}:`).toString('base64')}`
  send = async ({ method, path, body, headers = {} }) => {
    const response = await fetch(stack.baseUrl + path, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown>, retryAfterMs: null }
  }
  const clock = {
    now: () => performance.now(),
    wait: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  }
  const memory = { remember: () => {}, recall: () => null, forget: () => {} }
  const act = async () => {
    throw new Error('No customer is here.')
  }
  deps = { api: createApiClient(send, clock), clock, memory, act }
})
afterAll(() => stack.stop())

async function cardOf(number: string, more: object = {}) {
  const values = { number, expiry: '12 / 30', cvc: '123', name: 'Ann Example' }
  // As `browserFacts` reads them.
  const device = {
    channel: 'web',
    user_agent: 'Mozilla/5.0',
    app_language: 'en-US',
    app_java_enabled: false,
    app_color_depth: 24,
    app_screen_width: 1280,
    app_screen_height: 800,
    app_timezone_offset: -60,
  }
  return createCardsApi(stack.baseUrl, '', send).createCard({ ...cardFieldsOf(values), contact: {}, device, ...more })
}

async function payWith(number: string, options: PaymentOptions = {}) {
  const created = await cardOf(number)
  if (created.kind === 'failed') throw new Error(created.failure.detail)
  const { body } = await stack.post('/invoices', { name: 'Order 1', amount: '29.00', currency: 'EUR' })
  const payment = { invoiceId: body.invoice.id as string, source: created.card.id, card: null, ...readOptions(options) }
  return { payment, ending: await pay(payment, deps) }
}

describe('the library, on the service,', () => {
  test('shows the fields that the service refuses', async () => {
    expect(await cardOf('4111111111111111')).toMatchObject({
      kind: 'failed',
      failure: { code: 'sandbox.not-supported' },
      invalid: ['number'],
    })
    expect(await cardOf('4242424242424242', { exp_year: 2020 })).toMatchObject({
      failure: { code: 'card.invalid-expiry-date' },
      invalid: ['expiry'],
    })
  })

  test('knows a declined payment, also when it looks later', async () => {
    const { payment, ending } = await payWith('4000000000002206')
    const declined = { kind: 'failed', failure: { code: 'card.no-money', invoiceId: payment.invoiceId } }
    expect(ending).toMatchObject(declined)
    expect(await resume(payment, null, deps)).toMatchObject(declined)
  })

  test.each([
    [{}, 'completed'],
    [{ authorize_only: true, preferred_scheme: 'visa', incremental: false }, 'authorized'],
  ] as const)('pays with the options %j', async (options, status) => {
    const { payment, ending } = await payWith('4242424242424242', options)
    expect(ending).toMatchObject({ kind: 'paid', result: { invoice_id: payment.invoiceId, status } })
    // A repetition and a look tell the same.
    expect(await pay(payment, deps)).toEqual(ending)
    expect(await resume(payment, null, deps)).toMatchObject({ kind: 'paid', result: { status } })
    expect(await stack.gatewayRequests(payment.invoiceId)).toHaveLength(status === 'completed' ? 2 : 1)
  })

  test('finds nothing to resume where nothing was tried', async () => {
    const { body } = await stack.post('/invoices', { name: 'Order 1', amount: '29.00', currency: 'EUR' })
    const payment = { invoiceId: body.invoice.id as string, source: null, card: null, fields: null, clientSecret: null }
    expect(await resume(payment, null, deps)).toBeNull()
  })

  test('knows the schemes of a co-badged card', async () => {
    const { schemesOf } = createCardsApi(stack.baseUrl, '', send)
    expect(await schemesOf('43600000')).toEqual({ scheme: 'visa', coScheme: 'carte bancaire' })
    expect(await schemesOf('00000000')).toBeNull()
  })

  test('is told what the invoice or the project does not allow', async () => {
    const unknown = { invoiceId: 'iv_none', source: 'card_none', card: null, ...readOptions(null) }
    expect(await pay(unknown, deps)).toMatchObject({ failure: { code: 'resource.invoice.not-found' } })
    const { ending } = await payWith('4242424242424242', { override_mac_blocking: true })
    expect(ending).toMatchObject({ kind: 'failed', failure: { code: expect.stringMatching(/^request\./) } })
  })
})
