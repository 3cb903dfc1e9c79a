import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { SettlementPage } from '../../../src/gateways/gateway.ts'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'

let stripe: Awaited<ReturnType<typeof startStripeStandIn>>
let list: (cursor?: string | null) => Promise<SettlementPage | undefined>

const SPAN = { from: new Date('2026-11-21T00:00:00Z'), until: new Date('2026-11-22T00:00:00Z') }
const CREATED = Date.UTC(2026, 10, 21, 12) / 1000

beforeAll(async () => {
  stripe = await startStripeStandIn()
  const gateway = createStripeGateway({ baseUrl: stripe.url })
  list = async (cursor = null) =>
    gateway.listSettlements?.(
      { ...stripe.model.account, gatewayConfigurationId: 'gway_conf_1', ...SPAN, cursor },
      AbortSignal.timeout(10_000),
    )
})
afterAll(() => stripe.close())

const CHARGE = { id: 'ch_1', object: 'charge', payment_intent: 'pi_1', amount_captured: 2_900, currency: 'eur' }
const REFUND = { id: 're_1', object: 'refund', amount: 900, currency: 'eur', metadata: { reference: 'tr_op_1' } }
const BOOKED = { id: 'txn_1', type: 'charge', amount: 2_900, currency: 'eur', created: CREATED, exchange_rate: null }

/** What comes of Stripe's next page. */
async function listed(...data: object[]): Promise<SettlementPage | undefined> {
  stripe.answerNext({ status: 200, body: { object: 'list', url: '/v1/balance_transactions', has_more: false, data } })
  return list()
}

describe("Stripe's list of a day", () => {
  test('is asked for by the seconds of the day, with its sources', async () => {
    await listed()
    expect(stripe.arrived.at(-1)).toMatchObject({
      method: 'GET',
      path: '/v1/balance_transactions',
      fields: {
        'created[gte]': String(SPAN.from.getTime() / 1000),
        'created[lt]': String(SPAN.until.getTime() / 1000),
        'expand[0]': 'data.source',
      },
    })
  })

  test.each([
    ['a charge', { type: 'charge', source: CHARGE }, { type: 'capture', state: 'booked', gatewayReference: 'pi_1' }],
    [
      'a charge that has failed after all',
      { type: 'payment_failure_refund', amount: -2_900, source: CHARGE },
      { type: 'capture', state: 'reversed', gatewayReference: 'pi_1', amountMinor: 2_900 },
    ],
    [
      'a payment that was taken back',
      { type: 'payment_reversal', amount: -2_900, source: CHARGE },
      { type: 'capture', state: 'reversed', amountMinor: 2_900 },
    ],
    [
      'a refund',
      { type: 'refund', amount: -900, source: REFUND },
      { type: 'refund', state: 'booked', gatewayReference: 're_1', reference: 'tr_op_1', amountMinor: 900 },
    ],
    [
      'a refund that has failed after all',
      { type: 'refund_failure', amount: 900, source: REFUND },
      { type: 'refund', state: 'reversed', gatewayReference: 're_1', reference: 'tr_op_1', amountMinor: 900 },
    ],
    [
      'a charge that was converted into the currency of the account',
      { amount: 3_100, currency: 'usd', exchange_rate: 1.069, source: CHARGE },
      { amountMinor: 2_900, currency: 'EUR' },
    ],
    [
      'a charge past us, without a PaymentIntent',
      { source: { ...CHARGE, payment_intent: null } },
      { type: 'capture', gatewayReference: 'ch_1', reference: null },
    ],
    ['a charge in a currency that Stripe counts otherwise', { currency: 'isk', source: CHARGE }, { amountMinor: 29 }],
  ])('has %s as a line', async (_, booked, line) => {
    expect(await listed({ ...BOOKED, ...booked })).toMatchObject({
      kind: 'page',
      next: null,
      lines: [{ id: 'txn_1', bookedAt: CREATED * 1000, ...line }],
    })
  })

  test('leaves out fees, payouts, disputes, and what nobody has heard of', async () => {
    const types = ['stripe_fee', 'payout', 'adjustment', 'issuing_transaction', 'blessing']
    expect(await listed(...types.map((type) => ({ ...BOOKED, type })))).toEqual({ kind: 'page', lines: [], next: null })
  })

  test.each([
    ['a line whose amount is none', { ...BOOKED, amount: 29.5 }],
    ['a line without an instant', { ...BOOKED, created: null }],
  ])('with %s is not taken for a list', async (_, booked) => {
    expect(await listed(booked)).toEqual({
      kind: 'unreachable',
      reason: expect.stringContaining('Stripe lists a line'),
    })
  })

  test('that Stripe refuses, or answers to with a failure, is said so', async () => {
    stripe.answerNext({ status: 401, body: { error: { type: 'invalid_request_error', message: 'No such key.' } } })
    expect(await list()).toEqual({ kind: 'unreachable', reason: expect.stringMatching(/./) })
    stripe.faults.set([{ name: 'reset-before', on: 'list', count: 1 }])
    expect(await list()).toEqual({ kind: 'unreachable', reason: expect.stringMatching(/./) })
  })
})
