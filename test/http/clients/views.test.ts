import { beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayConfigurationEntity } from '../../../src/persistence/entities/gateway-configuration.ts'
import type { HttpClient } from '../../support/http-client.ts'
import { interfaceForFile } from '../interface.ts'
import { createStubbedPayment, SOURCE } from '../stubbed-payment.ts'
import { clientOf } from './client-fixture.ts'

/** Everywhere in the invoice below where a page must not look. */
const PRIVATE = 'not-for-pages'

const INVOICE = {
  order_id: PRIVATE,
  reference_id: PRIVATE,
  metadata: { a: PRIVATE },
  gateway_data: { a: PRIVATE },
  webhook_url: `https://shop.example/${PRIVATE}`,
  risk: { score: PRIVATE.slice(0, 12), is_legit: true },
  shipping: { address1: PRIVATE, city: PRIVATE, email: `${PRIVATE}@shop.example`, first_name: PRIVATE },
  billing: { address1: PRIVATE },
  external_fraud_tools: { forter: { a: PRIVATE } },
  device: { channel: 'web', id: PRIVATE, ip_address: '203.0.113.7' },
  statement_descriptor_company: PRIVATE,
  details: [{ name: 'Shoes', amount: '29.00', metadata: { a: PRIVATE }, reference: PRIVATE }],
}

const TRANSACTION = {
  status: 'authorized',
  authorizedMinor: 2900,
  metadata: { a: PRIVATE },
  schemeId: PRIVATE,
  initialSchemeTransactionId: PRIVATE,
  errorMessage: PRIVATE,
  merchantAdviceCode: PRIVATE,
} as const

const api = interfaceForFile()
const payment = createStubbedPayment(api)
let client: HttpClient

beforeAll(async () => {
  client = clientOf(api, api.merchant)
  await payment.begin(INVOICE)
  await payment.record(TRANSACTION)
})

const path = () => `/invoices/${payment.invoiceId}`

describe('a client', () => {
  test('sees of a full invoice what is to be paid, and nothing else of it', async () => {
    const { body: merchants } = await api.merchant.client.get(`${path()}?expand[]=transaction`)
    const { status, body } = await client.get(`${path()}?expand=payment_methods&expand=transaction&expand=customer`)
    expect(status).toBe(200)
    expect(JSON.stringify(merchants)).toContain(PRIVATE)
    expect(JSON.stringify(body)).not.toContain(PRIVATE)
    expect(JSON.stringify(body)).not.toMatch(/203\.0\.113\.7|simulator|"risk"|"metadata"/)
    expect(body.invoice).toMatchObject({
      amount: '29.00',
      currency: 'EUR',
      status: 'authorized',
      details: [{ name: 'Shoes', amount: '29.00' }],
      transaction: { status: 'authorized', authorized_amount: '29.00', captured: false },
    })
  })

  test('sees of a payment that was declined how it stands, and nothing of what the scheme advises', async () => {
    await payment.begin({ ...INVOICE, reference_id: `${PRIVATE}-2` })
    const declined = { status: 'failed', recommendationCode: 'retry-after', retryAfter: new Date() } as const
    payment.answerWith({ kind: 'declined', code: 'card.no-money' }, { ...TRANSACTION, authorizedMinor: 0, ...declined })
    const { status, body } = await client.post(`${path()}/authorize`, SOURCE)
    expect([status, body.transaction.status]).toEqual([410, 'failed'])
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${PRIVATE}|retry|advice|gateway|operations|metadata`))
  })

  test('sees the gateways that can be used, and not how', async () => {
    const em = api.database.orm.em.fork()
    const own = { projectId: api.merchant.projectId }
    const { body } = await client.get('/gateway-configurations?expand=nothing&expand_merchant_accounts=true')
    const [row] = await em.find(GatewayConfigurationEntity, own)
    expect(body).toMatchObject({ success: true, count: 1, total_count: 1 })
    expect(body.gateway_configurations).toEqual([
      { id: row?.id, gateway_name: row?.gatewayName, name: row?.name, enabled: true },
    ])
    await em.nativeUpdate(GatewayConfigurationEntity, own, { enabled: false })
    const disabled = await client.get('/gateway-configurations?filter=enabled:false')
    const merchants = await api.merchant.client.get('/gateway-configurations')
    await em.nativeUpdate(GatewayConfigurationEntity, own, { enabled: true })
    expect([disabled.body.total_count, merchants.body.total_count]).toEqual([0, 1])
  })
})
