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
import { authorization, followUp, patience } from './builders.ts'
import { type StripeMock, startStripeMock } from './stripe-mock.ts'

/** Building stripe-mock for the first time takes minutes. */
const START_TIMEOUT_MS = 330_000

describe('the requests to Stripe are such as its published description allows', () => {
  let mock: StripeMock | null
  let client: Stripe

  beforeAll(async () => {
    mock = await startStripeMock()
    if (mock !== null) client = createClient(authorization(), patience(), mock.host)
  }, START_TIMEOUT_MS)
  afterAll(() => mock?.close())

  /** Sends a request where stripe-mock is there; its absence was said aloud. */
  const check = async (send: () => Promise<unknown>) => {
    if (mock !== null) expect(await send()).toMatchObject({ object: expect.any(String) })
  }

  test('and one that is not allowed is refused', async () => {
    if (mock === null) return
    const params = { amount: 'all', currency: 'eur' } as unknown as Stripe.PaymentIntentCreateParams

    await expect(client.paymentIntents.create(params)).rejects.toMatchObject({ statusCode: 400 })
  })

  test('a card', async () => {
    const { card } = authorization()
    if (card === null) throw new Error('The request has a card.')

    await check(() => client.paymentMethods.create(paymentMethodOf(card, 'carte bancaire')))
  })

  test.each([
    ['by the customer', {}],
    ['with a way back', { settings: { return_url: 'https://shop.example/back' } }],
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
