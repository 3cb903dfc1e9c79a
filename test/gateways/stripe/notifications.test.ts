import { describe, expect, test } from '@jest/globals'
import Stripe from 'stripe'
import { readNotification } from '../../../src/gateways/stripe/notifications.ts'

const SECRET = 'whsec_holdfast'
const CREDENTIALS = { webhook_secret: SECRET }

function signed(type: string, object: object, { timestamp }: { timestamp?: number } = {}) {
  const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
  const signature = Stripe.webhooks.generateTestHeaderString({
    payload,
    secret: SECRET,
    ...(timestamp !== undefined && { timestamp }),
  })
  return { body: new TextEncoder().encode(payload), headers: { 'stripe-signature': signature } }
}

function read(type: string, object: object) {
  const { body, headers } = signed(type, object)
  return readNotification(body, headers, CREDENTIALS)
}

const INTENT = { id: 'pi_1', metadata: { reference: 'tr_op_a', invoice_id: 'iv_a' } }
const REFUND = {
  id: 're_1',
  payment_intent: 'pi_1',
  amount: 1_000,
  currency: 'eur',
  metadata: { reference: 'tr_op_b', invoice_id: 'iv_a' },
}
const DISPUTE = { id: 'du_1', payment_intent: 'pi_1', amount: 2_900, currency: 'eur', reason: 'fraudulent' }

/** Without a signature, of another body, with another secret or without one: the contract suite refuses these. */
describe('a notification that is not proven to be from Stripe', () => {
  const { body, headers } = signed('payment_intent.succeeded', INTENT)
  const late = signed('payment_intent.succeeded', INTENT, { timestamp: 1_700_000_000 })

  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['signed long ago', late.headers, CREDENTIALS],
    ['with a signature of nonsense', { 'stripe-signature': 't=1,v1=00' }, CREDENTIALS],
    ['for an account with an empty secret', headers, { webhook_secret: '' }],
  ])('%s is refused', (_, sent, credentials) => {
    const reading = readNotification(body, sent, credentials)

    expect(reading.kind).toBe('refused')
    expect(JSON.stringify(reading)).not.toMatch(/whsec|pi_1/)
  })
})

describe('a notification from Stripe', () => {
  test('about an authorization names it and leaves it to a look-up what became of it', () => {
    for (const type of ['amount_capturable_updated', 'canceled', 'payment_failed', 'processing', 'succeeded']) {
      expect(read(`payment_intent.${type}`, INTENT)).toEqual({
        kind: 'accepted',
        notifications: [
          {
            kind: 'outcome',
            gatewayNotificationId: 'evt_1',
            type: 'authorization',
            reference: 'tr_op_a',
            gatewayAuthorizationId: 'pi_1',
            outcome: null,
          },
        ],
      })
    }
  })

  test.each([
    ['canceled', 0],
    ['succeeded', 2_900],
    ['succeeded', 1_000],
  ])('about a PaymentIntent that is %s tells also that it has ended, with %i captured', (status, received) => {
    const intent = { ...INTENT, status, amount: 2_900, amount_received: received, currency: 'eur' }
    expect(read(`payment_intent.${status}`, intent)).toMatchObject({
      notifications: [
        { kind: 'outcome', gatewayNotificationId: 'evt_1', outcome: null },
        {
          kind: 'authorization-ended',
          gatewayNotificationId: 'pi_1-ended',
          reference: 'tr_op_a',
          gatewayAuthorizationId: 'pi_1',
          capturedMinor: received,
          currency: 'EUR',
        },
      ],
    })
  })

  test.each([
    ['isk', 290_000],
    ['mga', 29],
  ])('about the end of a PaymentIntent in %s counts %i of Stripe as 2900 minor units', (currency, received) => {
    const intent = { ...INTENT, status: 'succeeded', amount: received, amount_received: received, currency }
    expect(read('payment_intent.succeeded', intent)).toMatchObject({
      notifications: [{ kind: 'outcome' }, { capturedMinor: 2_900, currency: currency.toUpperCase() }],
    })
  })

  test.each<[string, object]>([
    ['amount_capturable_updated', { status: 'requires_capture' }],
    ['succeeded', { status: 'requires_capture' }],
    ['succeeded', { status: 'succeeded', amount_received: undefined }],
    ['canceled', { status: 'canceled', currency: null }],
    ['canceled', { status: 'canceled', amount_received: -1 }],
  ])('says nothing of an end that it does not tell whole: %s %j', (type, values) => {
    const intent = { ...INTENT, amount: 2_900, amount_received: 2_900, currency: 'eur', ...values }
    expect(read(`payment_intent.${type}`, intent)).toMatchObject({ notifications: [{ kind: 'outcome' }] })
  })

  test('about a refund is looked up, or tells that it has failed after all', () => {
    expect(read('refund.updated', { ...REFUND, status: 'succeeded' })).toMatchObject({
      notifications: [{ kind: 'outcome', type: 'refund', reference: 'tr_op_b', outcome: null }],
    })
    expect(read('refund.failed', { ...REFUND, status: 'failed', failure_reason: 'lost_or_stolen_card' })).toEqual({
      kind: 'accepted',
      notifications: [
        {
          gatewayNotificationId: 're_1-refund-failed',
          kind: 'refund-failed',
          gatewayAuthorizationId: 'pi_1',
          invoiceId: 'iv_a',
          reference: 'tr_op_b',
          amountMinor: 1_000,
          currency: 'EUR',
          reason: 'lost_or_stolen_card',
        },
      ],
    })
  })

  test.each([
    ['charge.dispute.created', 'needs_response', 'chargeback-created'],
    ['charge.dispute.created', 'warning_needs_response', 'retrieval-request'],
    ['charge.dispute.funds_withdrawn', 'needs_response', 'chargeback-created'],
    ['charge.dispute.closed', 'won', 'chargeback-won'],
    ['charge.dispute.closed', 'lost', 'chargeback-lost'],
    ['charge.dispute.closed', 'warning_closed', 'inquiry-closed'],
    ['charge.dispute.updated', 'under_review', 'dispute-answered', 'under_review'],
    ['charge.dispute.updated', 'warning_under_review', 'dispute-answered', 'warning_under_review'],
  ])(
    '%s in the state %s is the step %s of one dispute, told once however often it comes',
    (type, status, kind, told = kind) => {
      expect(read(type, { ...DISPUTE, status })).toEqual({
        kind: 'accepted',
        notifications: [
          {
            gatewayNotificationId: `du_1-${told}`,
            kind,
            gatewayAuthorizationId: 'pi_1',
            invoiceId: null,
            reference: null,
            amountMinor: 2_900,
            currency: 'EUR',
            reason: 'fraudulent',
            disputeId: 'du_1',
          },
        ],
      })
    },
  )

  test('of a dispute with evidence from the beginning tells both, and one that changes otherwise nothing', () => {
    const kindsOf = (type: string, status: string) => {
      const reading = read(type, { ...DISPUTE, status })
      return reading.kind === 'accepted' ? reading.notifications.map(({ kind }) => kind) : reading.reason
    }
    expect(kindsOf('charge.dispute.created', 'under_review')).toEqual(['chargeback-created', 'dispute-answered'])
    expect(kindsOf('charge.dispute.updated', 'needs_response')).toEqual([])
  })

  test.each([
    [{ due_by: 1_796_374_860 }, 1_796_374_860_000],
    [{ due_by: null }, undefined],
    [{ due_by: 0 }, undefined],
    [{ due_by: 9e15 }, undefined],
    ['soon', undefined],
    [undefined, undefined],
  ])('of a dispute with the evidence details %j can be answered until %p', (evidence_details, expected) => {
    const reading = read('charge.dispute.created', { ...DISPUTE, status: 'needs_response', evidence_details })
    expect(reading).toMatchObject({ notifications: [{ disputeId: 'du_1' }] })
    expect(reading).toMatchObject(expected === undefined ? {} : { notifications: [{ evidenceDueAt: expected }] })
    expect(JSON.stringify(reading).includes('evidenceDueAt')).toBe(expected !== undefined)
  })

  test('about fraud names no sum', () => {
    const warning = { id: 'issfr_1', payment_intent: 'pi_1', fraud_type: 'unauthorized_use_of_card' }

    expect(read('radar.early_fraud_warning.created', warning)).toMatchObject({
      notifications: [{ kind: 'fraud-notification', amountMinor: null, currency: null }],
    })
  })

  test.each([
    ['payment_intent.succeeded', { id: 'pi_1', metadata: {} }],
    ['refund.updated', { ...REFUND, metadata: {}, status: 'succeeded' }],
    ['charge.dispute.created', { ...DISPUTE, payment_intent: null, status: 'needs_response' }],
    ['invoice.paid', { id: 'in_1' }],
    ['moon.rose', { id: 'moon_1' }],
  ])('that is about no payment of ours is accepted and tells nothing: %s %j', (type, object) => {
    expect(read(type, object)).toEqual({ kind: 'accepted', notifications: [] })
  })
})
