import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type Stripe from 'stripe'
import { createClient } from '../../../src/gateways/stripe/client.ts'
import {
  captureOf,
  incrementOf,
  paymentIntentOf,
  paymentMethodOf,
  refundOf,
  releaseOf,
} from '../../../src/gateways/stripe/requests.ts'
import { CUSTOMER_PRESENT } from '../contract-authentication.ts'
import { authorization, followUp } from './builders.ts'
import { liveThroughPayments } from './lives.ts'
import type { Arrived } from './stand-in.ts'
import { STRIPE_MOCK_TIMEOUT_MS, type StripeMock, startStripeMock } from './stripe-mock.ts'

/** Every request that the adapter makes, by method and path. A new one has to be added here, and to the lives of payments. */
const REQUESTS = [
  'GET /v1/payment_intents/search',
  'GET /v1/payment_intents/{id}',
  'GET /v1/refunds',
  'POST /v1/payment_intents',
  'POST /v1/payment_intents/{id}/cancel',
  'POST /v1/payment_intents/{id}/capture',
  'POST /v1/payment_intents/{id}/confirm',
  'POST /v1/payment_intents/{id}/increment_authorization',
  'POST /v1/payment_methods',
  'POST /v1/refunds',
] as const

describe('the requests to Stripe are such as its published description allows', () => {
  let mock: StripeMock | null
  let client: Stripe

  beforeAll(async () => {
    mock = await startStripeMock()
    // It serves all tests, so that no wait of one of them may end it.
    if (mock !== null) client = createClient(authorization(), new AbortController().signal, mock.host)
  }, STRIPE_MOCK_TIMEOUT_MS)
  afterAll(() => mock?.close())

  /** Sends a request where stripe-mock is there; its absence was said aloud. */
  const check = async (send: () => Promise<unknown>) => {
    if (mock !== null) expect(await send()).toMatchObject({ object: expect.any(String) })
  }

  test('and one that is not allowed is refused', async () => {
    if (mock === null) return
    const params = { amount: 'all', currency: 'eur' } as unknown as Stripe.PaymentIntentCreateParams

    await expect(client.paymentIntents.create(params)).rejects.toMatchObject({ statusCode: 400 })
    const unheardOf = { amount: 2_900, currency: 'eur', approve_in_principle: true } as Stripe.PaymentIntentCreateParams
    await expect(client.paymentIntents.create(unheardOf)).rejects.toMatchObject({ statusCode: 400 })
  })

  test('all that the adapter itself sends in the lives of payments', async () => {
    const arrived = await liveThroughPayments()

    expect([...new Set(arrived.map(nameOf))].sort()).toEqual(REQUESTS)
    if (mock === null) return
    const { protocol, host, port } = mock.host
    for (const request of arrived) {
      const answer = await send(request, `${protocol}://${host}:${port}`)
      expect([nameOf(request), answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([
        nameOf(request),
        200,
        '',
      ])
    }
  })

  test('a card', async () => {
    const { card } = authorization()
    if (card === null) throw new Error('The request has a card.')

    await check(() => client.paymentMethods.create(paymentMethodOf(card, 'carte bancaire')))
  })

  test.each([
    ['by the customer', {}],
    ['with a customer who can act', { authentication: CUSTOMER_PRESENT }],
    [
      'that must be challenged',
      { authentication: { ...CUSTOMER_PRESENT, challengeIndicator: 'challenge-requested-mandate' } },
    ],
    ['by the merchant', { isMerchantInitiated: true }],
    [
      'by the merchant, naming an earlier one',
      {
        isMerchantInitiated: true,
        initialSchemeTransactionId: '976910110049114',
        settings: { mit_exemption: 'enabled' },
      },
    ],
    ['that is not raised later', { incremental: false, statementDescriptor: 'Order 42' }],
  ])('an authorization %s', async (_, overrides) => {
    const params = paymentIntentOf(authorization(overrides), 'pm_card_visa')
    if (params === null) throw new Error('The amount can be expressed.')

    await check(() => client.paymentIntents.create(params, { idempotencyKey: 'tr_op_a' }))
  })

  test('every later step', async () => {
    const request = followUp('pi_1')
    const capture = captureOf({ ...request, isFinal: false })
    const increment = incrementOf({ ...request, targetTotalMinor: 3_900 })
    const refund = refundOf(request)
    if (capture === null || increment === null || refund === null) throw new Error('The amounts can be expressed.')

    await check(() => client.paymentIntents.capture('pi_1', capture))
    await check(() => client.paymentIntents.capture('pi_1', releaseOf(request, 1_000)))
    await check(() => client.paymentIntents.incrementAuthorization('pi_1', increment))
    await check(() => client.paymentIntents.cancel('pi_1', { expand: ['latest_charge'] }))
    await check(() => client.refunds.create(refund))
  })

  test('every question', async () => {
    await check(() => client.paymentIntents.retrieve('pi_1', { expand: ['latest_charge'] }))
    await check(() => client.paymentIntents.search({ query: "metadata['reference']:'tr_op_a'", limit: 1 }))
    await check(() => client.refunds.list({ payment_intent: 'pi_1', limit: 100 }))
  })
})

function nameOf({ method, path }: Arrived): string {
  return `${method} ${path.replace(/\/(pi|re)_\w+/, '/{id}')}`
}

/** The same request once more, to another host. */
function send({ method, path, fields, headers }: Arrived, origin: string): Promise<Response> {
  const parameters = new URLSearchParams(fields).toString()
  const { authorization: key = '', 'stripe-version': version = '' } = headers
  return fetch(`${origin}${path}${method === 'GET' ? `?${parameters}` : ''}`, {
    method,
    headers: {
      authorization: key,
      'stripe-version': String(version),
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(method === 'POST' && { body: parameters }),
  })
}
