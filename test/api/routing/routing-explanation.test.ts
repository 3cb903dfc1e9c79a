import { beforeEach, describe, expect, test } from '@jest/globals'
import type { ErrorCode } from '../../../domain/errors.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import { createVelocityRecord } from '../../../src/persistence/queries/routing/velocity-records.ts'
import { transact } from '../../../src/persistence/transact.ts'
import { interfaceForFile, type Merchant } from '../../http/interface.ts'
import { sortedRows } from '../../http/sorted-rows.ts'

const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR', metadata: { plan: 'gold' } }
const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030 }
const PAYMENT = { amount: '29.00', currency: 'EUR' }
const HOUR_MS = 60 * 60 * 1000

const api = interfaceForFile()
let merchant: Merchant
let gatewayId: string
beforeEach(async () => {
  merchant = await api.makeMerchant({ sandbox: true })
  const { projectId } = merchant
  gatewayId = (await em().findOneOrFail(GatewayConfigurationEntity, { projectId, sandbox: true })).id
})

const em = () => api.database.orm.em.fork()
const explain = (fields: object, by = merchant) => by.client.post('/routing-rules/explain', fields)
const explained = async (fields: object) => {
  const { status, body } = await explain(fields)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.explanation
}
const invoice = async (fields: object = {}): Promise<string> =>
  (await merchant.client.post('/invoices', { ...INVOICE, ...fields })).body.invoice.id
const card = async (fields: object = {}): Promise<string> =>
  (await merchant.client.post('/cards', { ...CARD, ...fields })).body.card.id

describe('an explanation', () => {
  test('changes nothing, and sends nothing', async () => {
    const [invoiceId, source] = [await invoice(), await card()]
    const before = await sortedRows(api.database)
    await explained({ invoice_id: invoiceId, source, rules: 'block {}' })
    await explained({ payment: PAYMENT, card: { scheme: 'visa' } })
    expect(await sortedRows(api.database)).toBe(before)
    expect(api.payments.sent).toEqual([])
  })

  test('leaves nothing of who would pay in the request log', async () => {
    const payment = { ...PAYMENT, ip_address: '192.0.2.77', metadata: { name: 'Ada Lovelace' } }
    const { headers } = await explain({ payment, card: { fingerprint: 'of-a-card' }, incremental: true })
    await api.flushRequestLog()
    const { body } = await merchant.client.get(`/api-requests/${headers.get('x-request-id')}`)
    expect(body.api_request.request_body).toMatchObject({ incremental: true })
    expect(JSON.stringify(body)).not.toMatch(/192\.0\.2\.77|Lovelace|of-a-card/)
  })

  test.each<[string, object, string, ErrorCode]>([
    ['nothing', {}, 'invoice_id', 'request.validation.error'],
    ['an invoice of nobody', { invoice_id: 'iv_none' }, 'invoice_id', 'resource.invoice.not-found'],
    ['a source of nobody', { payment: PAYMENT, source: 'card_none' }, 'source', 'resource.card.not-found'],
    ['a source that is none', { payment: PAYMENT, source: '4242' }, 'source', 'request.source.invalid'],
    ['rules that cannot be read', { payment: PAYMENT, rules: 'block {' }, 'rules', 'request.validation.error'],
  ])('of %s is refused', async (_, fields, name, errorType) => {
    const { body } = await explain(fields)
    expect(body).toMatchObject({ success: false, error_type: errorType, invalid_fields: [{ name }] })
  })

  test('is of nobody else’s invoice, card or rules', async () => {
    const stranger = await api.makeMerchant({ sandbox: true })
    await stranger.client.post('/routing-rules', { rules: 'block {}' })
    const [invoiceId, source] = [await invoice(), await card()]
    expect(await explained({ invoice_id: invoiceId })).toMatchObject({ rule_set_id: null, rules: [] })
    const foreign = await explain({ invoice_id: invoiceId }, stranger)
    expect(foreign).toMatchObject({ status: 404, body: { error_type: 'resource.invoice.not-found' } })
    const foreignCard = await explain({ payment: PAYMENT, source }, stranger)
    expect(foreignCard).toMatchObject({ status: 404, body: { error_type: 'resource.card.not-found' } })
  })

  test('without rules says that every gateway may take the payment', async () => {
    expect(await explained({ invoice_id: await invoice(), source: await card() })).toMatchObject({
      rule_set_id: null,
      outcome: 'routed',
      error_type: null,
      route: null,
      routing_tags: [],
      rules: [],
      gateways: [{ gateway_configuration_id: gatewayId, gateway_name: 'simulator' }],
      facts: { amount: '29.00', currency: 'EUR', card_iin: '42424242', card_last4: '4242', card_scheme: 'visa' },
    })
  })

  test('tells the rule that decides, the ones that did not, and why', async () => {
    const rules = `block { condition: card_country == FR; tags: France; }
      route { gateways: ${gatewayId}; condition: metadata.plan == silver; }
      route { gateways: ${gatewayId}; condition: metadata.plan == gold AND currency == EUR AND amount < 30; tags: gold; fallback: true }
      dynamic_3ds { dynamic_3ds_params: { challenge_indicator: no-preference } }`
    const { body } = await merchant.client.post('/routing-rules', { rules })
    const explanation = await explained({ invoice_id: await invoice(), source: await card() })
    expect(explanation).toMatchObject({
      rule_set_id: body.rule_set.id,
      rule_set_version: 1,
      outcome: 'routed',
      route: {
        rule: 'rule-3-route',
        gateway_configuration_ids: [gatewayId],
        fallback: { enabled: true, error_codes: [], max_attempts: 2 },
      },
      gateways: [
        {
          gateway_configuration_id: gatewayId,
          dynamic_3ds: { rule: 'rule-4-dynamic_3ds', challenge_indicator: 'no-preference' },
        },
      ],
      routing_tags: ['rule-3-route', 'gold', 'rule-4-dynamic_3ds'],
    })
    expect(explanation.rules.map(({ name, standing }: Record<string, string>) => [name, standing])).toEqual([
      ['rule-1-block', 'not-matched'],
      ['rule-2-route', 'not-matched'],
      ['rule-3-route', 'applied'],
      ['rule-4-dynamic_3ds', 'applied'],
    ])
    expect(explanation.rules[1].condition).toEqual({
      kind: 'comparison',
      operand: 'metadata.plan',
      actual: 'gold',
      operator: '==',
      expected: 'silver',
      result: false,
    })
  })

  test('says of a payment that is blocked by which rule, and that no gateway is looked for', async () => {
    const rules = `block { condition: amount > 20 AND currency == EUR; tags: large; } route { gateways: ${gatewayId}; }`
    expect(await explained({ invoice_id: await invoice(), rules })).toMatchObject({
      rule_set_id: null,
      outcome: 'not-sent',
      error_type: 'routing-rules.transaction-blocked',
      blocked_by: 'rule-1-block',
      routing_tags: ['rule-1-block', 'large'],
      gateways: [],
      rejected_gateways: [],
    })
  })

  test('says which rule wants a payment to be authenticated, also where the merchant initiates it, and null where none does', async () => {
    const rules = 'trigger_3ds { tags: SCA; }'
    expect(await explained({ payment: PAYMENT, rules })).toMatchObject({
      error_type: null,
      three_d_s_triggered_by: 'rule-1-trigger_3ds',
    })
    expect(await explained({ payment: { ...PAYMENT, merchant_initiator_type: 'recurring' }, rules })).toMatchObject({
      outcome: 'routed',
      three_d_s_triggered_by: 'rule-1-trigger_3ds',
    })
    const otherwise = 'trigger_3ds { condition: currency == USD; }'
    expect(await explained({ payment: PAYMENT, rules: otherwise })).toMatchObject({ three_d_s_triggered_by: null })
  })

  test('says of gateways that cannot take the payment why, and what it fails with', async () => {
    const fields = { invoice_id: await invoice(), rules: `route { gateways: ${gatewayId}; }` }
    const change = (columns: object) => em().nativeUpdate(GatewayConfigurationEntity, { id: gatewayId }, columns)
    await change({ enabled: false })
    expect(await explained(fields)).toMatchObject({
      outcome: 'not-sent',
      error_type: 'request.configuration.missing-gateway-configuration',
      rejected_gateways: [{ gateway_configuration_id: gatewayId, reason: 'disabled' }],
    })
    await change({ enabled: true, capabilities: { authorize: false } })
    expect(await explained(fields)).toMatchObject({
      error_type: 'request.gateway.operation-not-supported',
      rejected_gateways: [{ reason: 'sale-only' }],
    })
    expect(await explained({ ...fields, authorize_only: false })).toMatchObject({
      outcome: 'routed',
      gateways: [{ sale_only: true, incremental: false }],
    })
    expect(await explained({ ...fields, allow_fallback_to_sale: true })).toMatchObject({ outcome: 'routed' })
    await change({ capabilities: { incrementalAuthorization: false } })
    expect(await explained({ ...fields, incremental: true })).toMatchObject({
      error_type: 'request.gateway.operation-not-supported',
      rejected_gateways: [{ reason: 'no-increments' }],
    })
  })

  test('draws the same for one invoice however often it is asked, and other numbers for others', async () => {
    await merchant.client.post('/routing-rules', { rules: 'block { condition: rand() < 0; }' })
    const draw = async (id: string) => (await explained({ invoice_id: id })).rules[0].condition.actual
    const ids = await Promise.all(Array.from({ length: 5 }, () => invoice()))
    const [first, second] = [await Promise.all(ids.map(draw)), await Promise.all(ids.map(draw))]
    expect(second).toEqual(first)
    expect(new Set(first).size).toBe(5)
  })

  test('counts what a velocity counts: other payments of the same card, of this project and environment', async () => {
    const [first, second, third] = [await invoice(), await invoice(), await invoice()]
    const source = await card()
    const { fingerprint, iin } = await em().findOneOrFail(CardEntity, { id: source })
    const scope = { projectId: merchant.projectId, sandbox: true }
    const values = { card_fingerprint: fingerprint, card_iin: iin, customer_id: null, ip_address: null }
    await transact(api.database.orm, async (inner) => {
      const now = api.clock.now()
      const record = (operationId: string, invoiceId: string, at: Date) =>
        createVelocityRecord(inner, scope, {
          operationId: `${operationId}${invoiceId}`,
          invoiceId,
          values,
          isOfClient: false,
          at,
          now,
        })
      record('tr_op_1', first, now)
      record('tr_op_2', second, now)
      record('tr_op_3', third, new Date(now.getTime() - 2 * HOUR_MS))
    })
    const rules = 'block { condition: velocity(card_fingerprint, 1h) > 0 OR velocity(ip_address, 1d) > 0; }'
    const explanation = await explained({ invoice_id: first, source, rules })
    expect(explanation.velocities).toEqual([
      { path: 'card_fingerprint', interval_seconds: 3600, count: 1 },
      { path: 'ip_address', interval_seconds: 86400, count: null },
    ])
    expect(explanation.blocked_by).toBe('rule-1-block')
  })

  test('of a payment that is made up looks at what is said of it, and at nothing else', async () => {
    const rules = `block { condition: card_country == FR AND card_scheme == "carte bancaire" AND customer_country == BE
        AND channel == ios AND payment_intent == recurring AND metadata.plan == gold AND card_iin == 497010; }`
    const explanation = await explained({
      rules,
      payment: {
        ...PAYMENT,
        channel: 'ios',
        customer_country: 'BE',
        ip_address: '192.0.2.7',
        payment_intent: 'recurring',
        metadata: { plan: 'gold' },
      },
      card: { scheme: 'Carte Bancaire', country_code: 'FR', iin: '497010' },
    })
    expect(explanation).toMatchObject({ blocked_by: 'rule-1-block', facts: { card_type: null, ip_country: null } })
  })

  test('of a stored card takes it from its token, or from its customer', async () => {
    const { body } = await merchant.client.post('/customers', { country_code: 'BE' })
    const customerId = body.customer.id
    const token = await merchant.client.post(`/customers/${customerId}/tokens`, {
      source: await card(),
      set_default: true,
    })
    for (const source of [token.body.token.id, customerId]) {
      const explanation = await explained({ payment: PAYMENT, source })
      expect(explanation.facts).toMatchObject({ card_last4: '4242', customer_country: 'BE' })
    }
  })
})
