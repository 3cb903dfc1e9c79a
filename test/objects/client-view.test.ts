import { describe, expect, test } from '@jest/globals'
import { presentCard } from '../../src/objects/card.ts'
import { clientView } from '../../src/objects/client-view.ts'
import { errorBody } from '../../src/objects/error-body.ts'
import { presentEventData } from '../../src/objects/event.ts'
import { presentGatewayConfiguration } from '../../src/objects/gateway-configuration.ts'
import { presentInvoice } from '../../src/objects/invoice.ts'
import { presentToken } from '../../src/objects/token.ts'
import { presentTransaction } from '../../src/objects/transaction.ts'
import { makeRows } from '../persistence/rows.ts'

const rows = makeRows('client-view')
const now = new Date('2026-11-21T09:00:00.000Z')
const invoice = presentInvoice(rows.invoice, rows.transaction, { details: [rows.invoiceDetail], now })
const { transaction } = presentEventData(
  'transaction.captured',
  { ...rows, operations: [rows.attempt, rows.result].map((row, position) => ({ ...row, position })) },
  { ...rows, details: [rows.invoiceDetail], refunds: [rows.refund] },
  now,
)

/** What no page has any business with, wherever it might stand. */
const FORBIDDEN = [
  'metadata',
  'gateway_data',
  'risk',
  'external_fraud_tools',
  'webhook_url',
  'order_id',
  'reference_id',
  'reference',
  'shipping',
  'billing',
  'ip_address',
  'email',
  'customer',
  'token_id',
  'operations',
  'refunds',
  'gateway_configuration',
  'gateway_configuration_id',
  'gateway_operation_id',
  'error_message',
  'scheme_id',
  'scheme_transaction_ids',
  'initial_scheme_transaction_id',
  'merchant_advice_code',
  'merchant_advice_reason',
  'recommendation_code',
  'recommendation_reason',
  'retry_after',
  'error_recommendations',
  'card_checks',
  'checks',
  'cvc_check',
  'avs_check',
  'fingerprint',
  'address1',
  'user_agent',
  'public_keys',
  'credentials',
  'settings',
  'default_preferred_scheme',
]

/** The names of all fields of a value, at any depth. */
function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

const expanded = { ...invoice, transaction, customer: { email: 'a@b.example' }, token: { id: 'tok_1' } }

describe('the view of a client', () => {
  test.each<[string, object]>([
    ['an invoice with all that can be in it', { success: true, invoice: expanded }],
    ['a payment', { success: true, outcome: 'success', transaction }],
    ['a card', { success: true, card: presentCard(rows.card, now) }],
    ['a token', { success: true, token: presentToken(rows.token, rows.customer) }],
    [
      'gateway configurations',
      { success: true, gateway_configurations: [presentGatewayConfiguration(rows.gatewayConfiguration, null, [])] },
    ],
  ])('of %s has nothing that is the merchant’s', (_, body) => {
    const names = new Set(namesIn(body))
    const shown = namesIn(clientView(body))
    expect(shown.filter((name) => FORBIDDEN.includes(name))).toEqual([])
    // The rule must have had something to hide.
    expect(FORBIDDEN.some((name) => names.has(name))).toBe(true)
  })

  test('of a card tells nothing of who holds it, nor of the device that it was entered on', () => {
    const shown = clientView({ card: presentCard(rows.card, now) }) as { card: object }
    const OF_HOLDERS = /^(name|address\d|city|state|zip|billing_country_code|ip_address|user_agent|header_.*|app_.*)$/
    expect(Object.keys(presentCard(rows.card, now)).filter((name) => OF_HOLDERS.test(name)).length).toBeGreaterThan(12)
    expect(Object.keys(shown.card).filter((name) => OF_HOLDERS.test(name))).toEqual([])
  })

  test('of a request that was refused at once names what is wrong, which is hidden of a payment that has failed', () => {
    const refusal = { success: false, error_type: 'card.stolen', message: 'The card is stolen.' }
    expect(clientView(refusal)).toEqual(refusal)
    expect(clientView({ ...refusal, outcome: 'failed' })).toMatchObject({ error_type: 'card.declined' })
  })

  test('hides what nobody has shown it yet, also inside an object and a list', () => {
    const body = {
      success: true,
      secret: 1,
      invoice: { id: 'iv_1', secret: 1, details: [{ id: 'iv_det_1', secret: 1 }] },
      gateway_configurations: [{ id: 'gway_conf_1', secret: 1 }],
      constructor: 1,
    }
    expect(clientView(body)).toEqual({
      success: true,
      invoice: { id: 'iv_1', details: [{ id: 'iv_det_1' }] },
      gateway_configurations: [{ id: 'gway_conf_1' }],
    })
  })

  test('hides an object where a text belongs, and a text where an object does', () => {
    expect(clientView({ invoice: { id: { a: 1 }, name: [{ a: 1 }, 'x'], device: 'x', details: ['x', null] } })).toEqual(
      {
        invoice: { name: ['x'], details: [null] },
      },
    )
  })

  test('has what a page needs to show and go on with', () => {
    expect(clientView({ success: true, invoice })).toMatchObject({
      success: true,
      invoice: {
        id: rows.invoice.id,
        name: rows.invoice.name,
        amount: invoice.amount,
        currency: invoice.currency,
        status: invoice.status,
        details: [{ id: rows.invoiceDetail.id, name: rows.invoiceDetail.name }],
        device: { channel: invoice.device.channel },
        transaction: null,
      },
    })
    expect(clientView({ success: true, outcome: 'success', transaction })).toMatchObject({
      transaction: { id: rows.transaction.id, status: rows.transaction.status, supported_actions: expect.any(Array) },
    })
    expect(Object.keys(clientView({ gateway_configurations: [] }))).toEqual(['gateway_configurations'])
  })
})

describe('of a failed payment', () => {
  const failed = (code: string) => ({
    ...errorBody({ errorType: code, message: `The reason is ${code}.`, requestId: 'req_1' }),
    outcome: 'failed',
    transaction: { ...presentTransaction({ ...rows.transaction, errorCode: code }), invoice },
  })

  test.each(['card.stolen', 'card.lost', 'card.blacklisted', 'card.failed-cvc', 'card.failed-avs'])(
    'a client is told that the card was declined, and not %s',
    (code) => {
      const seen = clientView({ ...failed(code), invoice: { ...invoice, transaction: failed(code).transaction } })
      expect(JSON.stringify(seen)).not.toContain(code)
      expect(seen).toMatchObject({
        error_type: 'card.declined',
        message: 'The card was declined.',
        transaction: { error_code: 'card.declined' },
        invoice: { transaction: { error_code: 'card.declined' } },
      })
    },
  )

  test('a client is told what the customer can do something about', () => {
    expect(clientView(failed('card.no-money'))).toMatchObject({
      error_type: 'card.no-money',
      message: 'The reason is card.no-money.',
      transaction: { error_code: 'card.no-money' },
    })
  })
})
