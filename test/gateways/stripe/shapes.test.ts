import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type Stripe from 'stripe'
import { createClient } from '../../../src/gateways/stripe/client.ts'
import type { Arrived } from '../../../stand-ins/engine/model.ts'
import type { Fields } from '../../../stand-ins/stripe/books.ts'
import { authorization } from './builders.ts'
import { liveThroughPayments } from './lives.ts'
import { type StripeMock, startStripeMock } from './stripe-mock.ts'

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
    if (mock !== null) client = createClient(authorization(), new AbortController().signal, mock.url)
  })
  afterAll(() => mock?.close())

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
    for (const request of arrived) {
      const answer = await send(request, mock.url)
      expect([nameOf(request), answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([
        nameOf(request),
        200,
        '',
      ])
    }
  })
})

function nameOf({ method, path }: Arrived<Fields>): string {
  return `${method} ${path.replace(/\/(pi|re)_\w+/, '/{id}')}`
}

/** The same request once more, to another host. */
function send({ method, path, fields, headers }: Arrived<Fields>, origin: string): Promise<Response> {
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
