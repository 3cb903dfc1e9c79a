import { describe, expect, test } from '@jest/globals'
import { createStripeGateway } from '../../../src/gateways/stripe/adapter.ts'
import { startStripeStandIn } from '../../../stand-ins/stripe/stripe.ts'
import { openForFile } from '../../support/for-file.ts'

const stripe = openForFile(() => startStripeStandIn())
const DAY = { from: new Date('2026-11-21T00:00:00.400Z'), until: new Date('2026-11-22T00:00:00Z') }
const NOON = Date.UTC(2026, 10, 21, 12) / 1000
const LAST_WEEK = NOON - 7 * 24 * 60 * 60

const CARD = { amount_authorized: 2_900, capture_before: NOON, network_transaction_id: '1' }
const INTENT = {
  ...{ id: 'pi_1', object: 'payment_intent', amount: 2_900, amount_received: 0, currency: 'eur', created: LAST_WEEK },
  ...{ status: 'requires_capture', capture_method: 'manual', cancellation_reason: null, last_payment_error: null },
  latest_charge: { status: 'succeeded', created: LAST_WEEK, payment_method_details: { card: CARD } },
  metadata: { reference: 'tr_op_1', invoice_id: 'iv_1' } as Record<string, string>,
}
const REFUND = { id: 're_1', object: 'refund', amount: 900, currency: 'eur', status: 'succeeded', created: NOON + 60 }
const eventOf = (object: object, created = NOON) => ({
  id: `evt_${created}`,
  object: 'event',
  created,
  data: { object },
})
const listOf = (data: object[], has_more = false) => ({ object: 'list', url: '/v1/list', has_more, data })

/** What is listed where Stripe answers with these events, then this PaymentIntent and its refunds. */
async function listed(
  events: object[],
  intent: Partial<typeof INTENT> | null = null,
  refunds: object[] = [],
  hasMore = false,
) {
  // Refunds are asked for where anything was captured.
  const ofRefunds = intent?.amount_received ? [listOf(refunds)] : []
  const answers = [listOf(events, hasMore), ...(intent === null ? [] : [intent, ...ofRefunds])]
  for (const body of answers) stripe.answerNext({ status: 200, body })
  const access = { ...stripe.model.account, gatewayConfigurationId: 'gway_conf_1' }
  const gateway = createStripeGateway({ baseUrl: stripe.url })
  const page = await gateway.listOperations?.({ ...access, ...DAY, cursor: null }, AbortSignal.timeout(10_000))
  if (page === undefined) throw new Error('There is no list.')
  return page
}

describe("Stripe's events of a span", () => {
  test('are asked for by whole seconds that hold the span, and by what changes a payment', async () => {
    expect(await listed([], null, [], true)).toEqual({ kind: 'page', operations: [], next: null })
    expect(stripe.arrived.at(-1)).toMatchObject({
      path: '/v1/events',
      fields: {
        'created[gte]': '1795219200',
        'created[lt]': '1795305600',
        'types[0]': 'charge.captured',
        limit: '100',
      },
    })
  })

  test('name a PaymentIntent of last week that was captured today, with all that was done to it', async () => {
    const metadata = {
      ...INTENT.metadata,
      tr_op_2: 'increment:500',
      tr_op_3: 'capture:700',
      tr_op_4: 'capture:900',
      order: 'capture:x',
    }
    const intent = { ...INTENT, amount: 3_400, amount_received: 1_600, status: 'succeeded', metadata }
    const raised = {
      ...intent,
      latest_charge: {
        ...INTENT.latest_charge,
        payment_method_details: { card: { ...CARD, amount_authorized: 3_400 } },
      },
    }
    const failed = { ...REFUND, id: 're_2', status: 'failed', metadata: { reference: 'tr_op_6' } }
    const refunds = [{ ...REFUND, metadata: { reference: 'tr_op_5' } }, failed, { ...REFUND, id: 're_3', metadata: {} }]
    const events = [eventOf({ object: 'charge', payment_intent: 'pi_1' }, NOON + 90), eventOf(intent)]
    const page = await listed(events, raised, refunds, true)
    if (page.kind !== 'page') throw new Error(page.reason)
    const told = page.operations.map(({ type, reference, amountMinor, isFinal, at }) => [
      type,
      reference,
      amountMinor,
      isFinal,
      at,
    ])
    const changedAt = (NOON + 90) * 1_000 + 999
    expect(told).toEqual([
      ['authorization', 'tr_op_1', 2_900, true, LAST_WEEK * 1_000],
      ['increment_authorization', 'tr_op_2', 500, true, changedAt],
      ['capture', 'tr_op_3', 700, true, changedAt],
      ['capture', 'tr_op_4', 900, true, changedAt],
      ['refund', 'tr_op_5', 900, true, (NOON + 60) * 1_000 + 999],
      ['refund', null, 900, true, (NOON + 60) * 1_000 + 999],
    ])
    expect(page.operations.at(0)).toMatchObject({ invoiceId: 'iv_1', gatewayAuthorizationId: 'pi_1', currency: 'EUR' })
    expect(page.next).toBe(`evt_${NOON}`)
  })

  test.each<[string, object, object[]]>([
    ['declined', { status: 'requires_payment_method', last_payment_error: { code: 'card_declined' } }, []],
    ['waiting for its customer', { status: 'requires_action' }, []],
    ['given up', { status: 'canceled', cancellation_reason: 'abandoned' }, []],
    ['a sale', { status: 'succeeded', capture_method: 'automatic' }, [{ type: 'authorization', amountMinor: 2_900 }]],
    ['under way', { status: 'processing' }, [{ type: 'authorization', reference: 'tr_op_1' }]],
    [
      'released by Stripe',
      { status: 'canceled', cancellation_reason: 'automatic' },
      [{ type: 'authorization' }, { type: 'void', reference: null, amountMinor: 2_900 }],
    ],
    [
      'captured, the rest released by us',
      { status: 'succeeded', metadata: { ...INTENT.metadata, tr_op_2: 'capture:900', tr_op_3: 'void:2000' } },
      [
        { type: 'authorization' },
        { type: 'capture', isFinal: false },
        { type: 'void', reference: 'tr_op_3', amountMinor: 2_000 },
      ],
    ],
  ])('tell of a payment that is %s what was done and no more', async (_, changes, operations) => {
    expect(await listed([eventOf(INTENT)], { ...INTENT, ...changes })).toMatchObject({ kind: 'page', operations })
  })

  test.each([
    ['an amount', { amount: undefined as never }],
    ['a way of capturing that is known', { capture_method: 'by_post' }],
    [
      'an amount of what was captured',
      { status: 'canceled', cancellation_reason: 'automatic' as never, amount_received: 0.5 },
    ],
  ])('are not believed where the payment has not %s', async (_, changes) => {
    const told = { kind: 'unreachable', reason: 'Stripe tells no amount or date of pi_1.' }
    expect(await listed([eventOf(INTENT)], { ...INTENT, ...changes })).toEqual(told)
  })
})
