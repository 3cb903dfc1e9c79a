import { beforeAll, describe, expect, test } from '@jest/globals'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../src/persistence/entities/reconciliation-difference.ts'
import { CARD, INVOICE } from './endpoints.ts'
import { createKeyedClient, type KeyedPost, replayed } from './idempotency-client.ts'
import { interfaceForFile } from './interface.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from './listed-rows.ts'
import { apiRoutes, changesSomething, movesMoney } from './routes.ts'
import { sortedRows } from './sorted-rows.ts'

const ACCOUNTS = '/gateways/simulator/gateway-configurations'
/** Of which reports are handed in; one without a line of this account would be refused. */
const ADYEN = {
  name: 'Adyen',
  credentials: { apiKey: 'AQE-planted-key-of-the-test' },
  settings: { merchantAccount: 'ShopEU', environment: 'test', returnUrl: 'https://shop.example/return' },
}
const REPORT = [
  'Merchant Account,Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Batch Number',
  'ShopEU,8835513412345678,tr_op_1,2026-11-21 10:00:00,UTC,Settled,8825513498765432,EUR,,1.00,12',
].join('\n')
const ENDPOINT = { url: 'https://shop.example/webhooks' }

describe('an idempotency key', () => {
  const api = interfaceForFile()
  let post: KeyedPost
  let count = 0
  /** A webhook endpoint that many of them are about, because a project cannot have many. */
  let shared: string
  const make = async (path: string, body: object) => (await post(path, undefined, body)).body

  const card = async () => `/cards/${(await make('/cards', CARD)).card.id}`
  const customer = async () => `/customers/${(await make('/customers', {})).customer.id}`
  const invoice = async () => `/invoices/${(await make('/invoices', INVOICE)).invoice.id}`
  const tokens = async () => `${await customer()}/tokens`
  const token = async () => {
    const path = await tokens()
    return `${path}/${(await make(path, {})).token.id}`
  }

  const endpoint = async () => `/webhook-endpoints/${(await make('/webhook-endpoints', ENDPOINT)).webhook_endpoint.id}`
  const command = (name: string) => async () => `${shared}/${name}`
  const resend = async () => `/events/${(await make(`${shared}/test`, {})).event.id}/resend`

  const account = async () =>
    `/gateway-configurations/${(await make(ACCOUNTS, { name: 'Another account' })).gateway_configuration.id}`

  const RULES = { rules: 'block { condition: card_country == FR; }' }
  const clock = async () => {
    const path = await invoice()
    const { transaction } = await rowWriter(api, api.merchant)
    const authorizationExpiresAt = new Date(api.clock.now().getTime() + 7 * 86_400_000)
    await transaction(`tr_${path}`, path.replace('/invoices/', ''), { authorizationExpiresAt })
    return `${path}/clock/advance`
  }
  const ruleSet = async () => `/rule-sets/${(await make('/routing-rules', RULES)).rule_set.id}/activate`
  const report = async () => {
    const { gateway_configuration: made } = await make('/gateways/adyen/gateway-configurations', ADYEN)
    return `/gateway-configurations/${made.id}/settlement-files`
  }
  let differences = 0
  const difference = async () => {
    const { insert, gatewayConfigurationId } = await rowWriter(api, api.merchant)
    differences += 1
    const [id, reconciliationId] = [`rec_diff_${differences}`, `rec_${differences}`]
    const day = `2026-10-${String(differences).padStart(2, '0')}`
    await insert(ReconciliationEntity, { ...RECONCILIATION, gatewayConfigurationId, id: reconciliationId, day })
    await insert(ReconciliationDifferenceEntity, {
      ...DIFFERENCE,
      gatewayConfigurationId,
      id,
      reconciliationId,
      lineId: id,
    })
    return `/reconciliation-differences/${id}/resolve`
  }
  const withRules = async () => {
    await make('/routing-rules', RULES)
    return '/routing-rules'
  }

  beforeAll(async () => {
    post = createKeyedClient(api.url, api.merchant)
    shared = await endpoint()
  })

  /** Every endpoint that changes rows and moves no money, on an object of its own. */
  const MUTATIONS: [string, string, () => Promise<string>, object][] = [
    ['POST', '/cards', async () => '/cards', CARD],
    ['PUT', '/cards/:id', card, { name: 'Ann Example' }],
    ['DELETE', '/cards/:id', card, {}],
    ['POST', '/customers', async () => '/customers', { email: 'ann@shop.example' }],
    ['PUT', '/customers/:id', customer, { email: 'ann@shop.example' }],
    ['DELETE', '/customers/:id', customer, {}],
    ['POST', '/customers/:id/tokens', tokens, { summary: 'Mine' }],
    ['PUT', '/customers/:id/tokens/:token_id', token, { summary: 'Mine' }],
    ['DELETE', '/customers/:id/tokens/:token_id', token, {}],
    ['POST', '/invoices', async () => '/invoices', INVOICE],
    ['PUT', '/invoices/:id', invoice, { amount: '30.00' }],
    ['DELETE', '/invoices/:id', invoice, {}],
    ['POST', '/invoices/:id/customers', async () => `${await invoice()}/customers`, { email: 'ann@shop.example' }],
    ['POST', '/invoices/:id/clock/advance', clock, { seconds: 60 }],
    ['POST', '/webhook-endpoints', async () => '/webhook-endpoints', ENDPOINT],
    ['PUT', '/webhook-endpoints/:id', async () => shared, { description: 'The books' }],
    ['DELETE', '/webhook-endpoints/:id', endpoint, {}],
    ['POST', '/webhook-endpoints/:id/rotate-secret', command('rotate-secret'), {}],
    ['POST', '/webhook-endpoints/:id/test', command('test'), {}],
    ['POST', '/webhook-endpoints/:id/recover', command('recover'), { since: '2026-11-01T00:00:00Z' }],
    ['POST', '/events/:id/resend', resend, {}],
    ['POST', '/gateways/:name/gateway-configurations', async () => ACCOUNTS, { name: 'Second account' }],
    ['PUT', '/gateway-configurations/:id', account, { settings: { delay_ms: '1' } }],
    ['DELETE', '/gateway-configurations/:id', account, {}],
    ['POST', '/gateway-configurations/:id/settlement-files', report, { content: REPORT }],
    ['POST', '/reconciliation-differences/:id/resolve', difference, { reason: 'A fee.' }],
    ['POST', '/routing-rules', async () => '/routing-rules', RULES],
    [
      'POST',
      '/routing-rules/explain',
      async () => '/routing-rules/explain',
      { payment: { amount: '1', currency: 'EUR' } },
    ],
    ['DELETE', '/routing-rules', withRules, {}],
    ['POST', '/rule-sets/:id/activate', ruleSet, {}],
  ]

  test.each(MUTATIONS)(
    '%s %s sent again with its key gives the same bytes and does nothing',
    async (method, _, find, body) => {
      const path = await find()
      count += 1
      const key = `again-${count}`
      const first = await post(path, key, body, method)
      expect(first.status).toBe(200)
      expect(replayed(first)).toBeNull()
      const done = await sortedRows(api.database)
      const again = await post(path, key, body, method)
      expect(again).toMatchObject({ status: 200, text: first.text })
      expect(replayed(again)).toBe('true')
      expect(await sortedRows(api.database)).toBe(done)
    },
  )

  test('every endpoint that moves no money is tried here', () => {
    const expected = apiRoutes().filter((route) => changesSomething(route) && !movesMoney(route))
    expect(MUTATIONS.map(([method, path]) => `${method} ${path}`).toSorted()).toEqual(
      expected.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
  })
})
