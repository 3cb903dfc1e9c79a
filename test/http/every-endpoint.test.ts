import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { ErrorCode } from '../../domain/errors.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { ReconciliationEntity } from '../../src/persistence/entities/reconciliation.ts'
import { ReconciliationDifferenceEntity } from '../../src/persistence/entities/reconciliation-difference.ts'
import { RuleSetEntity } from '../../src/persistence/entities/rule-set.ts'
import { waitFor } from '../support/wait-for.ts'
import { bodyBytesMax, CARD, INVOICE } from './endpoints.ts'
import { type Interface, startInterface } from './interface.ts'
import { DIFFERENCE, RECONCILIATION, rowWriter } from './listed-rows.ts'
import { apiRoutes, changesSomething, isPublic, namesAnObject, type Route, takesBody, takesFields } from './routes.ts'
import { sortedRows } from './sorted-rows.ts'

/** What every endpoint of a kind does in the same way. */
const ROUTES = apiRoutes()
const table = (holds: (route: Route) => boolean) =>
  ROUTES.filter(holds).map(({ method, path }) => [method, path] as const)

const RULE_SET = {
  id: 'rs_1',
  version: 1,
  text: 'block {}',
  rules: [],
  defaultCurrency: 'EUR',
  createdBy: 'key_1',
  createdAt: new Date('2026-11-21T01:17:10.123Z'),
}
const LOGGED_REQUEST = 'a-request-of-mine'

let api: Interface
let gatewayConfigurationId: string
let before: string

/** A project that has one object of each kind. */
beforeAll(async () => {
  api = await startInterface()
  const rows = await rowWriter(api, api.merchant)
  gatewayConfigurationId = rows.gatewayConfigurationId
  await rows.customer('cust_1')
  await rows.card('card_1')
  await rows.token('tok_1', 'cust_1', { type: 'card', cardId: 'card_1', isChargeable: true })
  await rows.invoice('iv_1', { customerId: 'cust_1' })
  await rows.invoice('iv_unpaid')
  await rows.transaction('tr_1', 'iv_1', { status: 'completed', capturedMinor: 2900, customerId: 'cust_1' })
  await rows.refund('refd_1', 'tr_1')
  await rows.operation('tr_op_dispute', 'tr_1', { type: 'chargeback', disputeStep: 'chargeback-created' })
  await rows.event('ev_1', { invoiceId: 'iv_1', transactionId: 'tr_1', sequence: 1 })
  await rows.webhookEndpoint('whe_1')
  await rows.delivery('whd_1', 'ev_1', { endpointId: 'whe_1' })
  await rows.insert(RuleSetEntity, RULE_SET)
  await rows.insert(ReconciliationEntity, { ...RECONCILIATION, gatewayConfigurationId, id: 'rec_1' })
  await rows.insert(ReconciliationDifferenceEntity, {
    ...DIFFERENCE,
    gatewayConfigurationId,
    id: 'rec_diff_1',
    reconciliationId: 'rec_1',
  })
  await api.merchant.client.get('/events', { headers: { 'x-request-id': LOGGED_REQUEST } })
  await api.flushRequestLog()
  // Transactions of other tests on the same server may hold the list of events back for a moment.
  await waitFor(async () => (await api.merchant.client.get('/events')).body.total_count === 1)
  await api.flushRequestLog()
  before = await sortedRows(api.database)
})

const IDS: Readonly<Record<string, string>> = {
  cards: 'card_1',
  customers: 'cust_1',
  invoices: 'iv_1',
  transactions: 'tr_1',
  events: 'ev_1',
  'webhook-endpoints': 'whe_1',
  reconciliations: 'rec_1',
  'reconciliation-differences': 'rec_diff_1',
  'rule-sets': 'rs_1',
  'api-requests': LOGGED_REQUEST,
}

/** The address of the object that is there, or of one with other ids. */
function addressOf(path: string, { id, last }: { id?: string; last?: string } = {}): string {
  const [, resource = ''] = path.split('/')
  // One that was paid cannot be changed, whatever is asked.
  const isUnpaid = path === '/invoices/:id'
  const own = isUnpaid ? 'iv_unpaid' : (IDS[resource] ?? gatewayConfigurationId)
  return path
    .replace(':token_id', last ?? 'tok_1')
    .replace(':refund_id', last ?? 'refd_1')
    .replace(':iin', '424242')
    .replace(':name', 'simulator')
    .replace(':id', id ?? own)
}

async function send(method: string, path: string, { body = '{}' } = {}) {
  const { projectId, secretKey } = api.merchant
  const response = await fetch(new URL(path, api.url), {
    method,
    headers: {
      authorization: `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    ...(method === 'GET' ? {} : { body }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const refused = (status: number, errorType: ErrorCode) => ({ status, body: { success: false, error_type: errorType } })

/** Rows of the request log wait until they are asked for; of what was refused nothing else may be left. */
afterAll(async () => {
  expect(await sortedRows(api.database)).toBe(before)
  expect(api.payments.sent).toEqual([])
  await api.stop()
})

describe('a caller without a key', () => {
  test.each(table(isPublic))('may ask %s %s', async (method, path) => {
    expect((await fetch(new URL(path, api.url), { method })).status).toBe(200)
  })
})

/** By the part of the address that names the object. */
const NOT_FOUND: Readonly<Record<string, ErrorCode>> = {
  cards: 'resource.card.not-found',
  customers: 'resource.customer.not-found',
  tokens: 'resource.token.not-found',
  invoices: 'resource.invoice.not-found',
  transactions: 'resource.transaction.not-found',
  refunds: 'resource.refund.not-found',
  events: 'resource.event.not-found',
  'webhook-endpoints': 'resource.webhook-endpoint.not-found',
  'gateway-configurations': 'resource.gateway-configuration.not-found',
  reconciliations: 'resource.reconciliation.not-found',
  'reconciliation-differences': 'resource.reconciliation-difference.not-found',
  'rule-sets': 'resource.rule-set.not-found',
  'api-requests': 'resource.api-request.not-found',
}

describe('an object that is not there', () => {
  test.each(table(namesAnObject))('%s %s of an object that is not there is 404', async (method, path) => {
    const [, resource = ''] = path.split('/')
    const [prefix] = /^\w+_/.exec(IDS[resource] ?? gatewayConfigurationId) ?? ['']
    const guesses = ['none', '%00', '..%2f', "1'%20or%20''='", 'x'.repeat(200)].map((guess) => `${prefix}${guess}`)
    for (const id of [...guesses, 'iv_none', 'tr_none', '0']) {
      const answer = await send(method, addressOf(path, { id }))
      expect([id, answer]).toMatchObject([id, refused(404, NOT_FOUND[resource] as ErrorCode)])
    }
  })

  test.each(table(({ path }) => /:\w+\/\w+\/:/.test(path)))(
    '%s %s below an object that is there is 404',
    async (method, path) => {
      const [, , , below = ''] = path.split('/')
      for (const last of ['tok_none', 'refd_none', 'iv_1', '0', '%00']) {
        const answer = await send(method, addressOf(path, { last }))
        expect(answer).toMatchObject(refused(404, NOT_FOUND[below] as ErrorCode))
      }
    },
  )
})

describe('a body', () => {
  test.each(table(changesSomething))('%s %s with a body that cannot be read is 400', async (method, path) => {
    // What a request takes nothing from must be readable all the same.
    const unreadable = takesFields({ method, path }) ? ['{', '[]', '"x"', 'null'] : ['{']
    for (const body of unreadable) {
      expect(await send(method, addressOf(path), { body })).toMatchObject(refused(400, 'request.bad-format'))
    }
  })

  test.each(table(changesSomething))('%s %s with a body that is too large is 413', async (method, path) => {
    const body = JSON.stringify({ name: 'x'.repeat(bodyBytesMax(method, path)) })
    expect(await send(method, addressOf(path), { body })).toMatchObject(refused(413, 'request.body-too-large'))
  })

  /** What an endpoint cannot do without. */
  const NEEDED: Readonly<Record<string, object>> = {
    '/cards': CARD,
    '/invoices': INVOICE,
    '/invoices/:id/increment_authorization': { amount: '1.00' },
    '/invoices/:id/clock/advance': { seconds: 60 },
    '/gateways/:name/gateway-configurations': { name: 'Second account' },
    '/gateway-configurations/:id/settlement-files': { content: 'A report.' },
    '/reconciliation-differences/:id/resolve': { reason: 'A fee.' },
    '/routing-rules': { rules: 'block { condition: card_country == FR; }' },
    '/routing-rules/explain': { payment: { amount: '29.00', currency: 'EUR' } },
    '/webhook-endpoints': { url: 'https://shop.example/webhooks' },
    '/webhook-endpoints/:id/recover': { since: '2026-11-21T00:00:00Z' },
  }

  test.each(table(takesFields))('%s %s with a field that nobody knows is 400', async (method, path) => {
    const fields = method === 'POST' ? NEEDED[path] : {}
    const answer = await send(method, addressOf(path), { body: JSON.stringify({ ...fields, nonsense: 'x' }) })
    expect(answer).toMatchObject(refused(400, 'request.validation.error'))
    expect(answer.body.invalid_fields).toMatchObject([{ name: 'nonsense' }])
  })
})

describe('a parameter of the query', () => {
  const JUDGED = table(({ path }) => !path.startsWith('/health/'))

  test.each(JUDGED)('%s %s that nobody knows is 400, and the nearest one is named', async (method, path) => {
    const answer = await send(method, `${addressOf(path)}?expnd[]=a&zzz=1`)
    expect(answer).toMatchObject(refused(400, 'request.validation.error'))
    expect(answer.body.invalid_fields).toEqual([
      { name: 'expnd', message: expect.stringMatching(/the nearest one is expand$/) },
      { name: 'zzz', message: expect.not.stringContaining('nearest') },
    ])
  })

  test.each(['/health/live', '/health/ready'])('GET %s is nobody’s business but the caller’s', async (path) => {
    expect((await fetch(new URL(`${path}?probe=1`, api.url))).status).toBe(200)
  })

  test('of a list is unknown elsewhere where it is set, and ignored where it is not', async () => {
    for (const unset of ['limit=&order=&filter=', 'limit=0&expand=&start_after=&end_before='])
      expect(await send('GET', `/invoices/iv_1?${unset}`)).toMatchObject({ status: 200 })
    const answer = await send('GET', '/invoices/iv_1?limit=5')
    expect(answer).toMatchObject(refused(400, 'request.validation.error'))
  })
})

describe('a query', () => {
  /** Exports have no pages, and nothing to expand. */
  const isFile = ({ path }: Route) => path.startsWith('/exports/')
  const LISTS = table(
    (route) =>
      route.method === 'GET' &&
      !isPublic(route) &&
      !isFile(route) &&
      !/:\w+$/.test(route.path) &&
      !['/invoices/:id/customers', '/routing-rules'].includes(route.path),
  )
  const EXPANDABLE = table(
    (route) =>
      route.method === 'GET' &&
      !isPublic(route) &&
      !isFile(route) &&
      !['/iins/:iin', '/invoices/:id/customers', '/api-requests/:id'].includes(route.path),
  )

  test.each(LISTS)('%s %s without a query is the first page', async (_, path) => {
    const { status, body } = await send('GET', addressOf(path))
    const { success, has_more, count, total_count, total_count_capped: isCapped, limit, order, ...rest } = body
    expect({ status, success, isCapped, limit, order }).toEqual({
      status: 200,
      success: true,
      isCapped: false,
      limit: 10,
      order: 'desc',
    })
    const [rows] = Object.values(rest)
    expect(rows).toHaveLength(Number(count))
    expect(count).toBeGreaterThan(0)
    // The request log has more than a page by now; the others have one row or a few.
    expect({ count, has_more }).toEqual({
      count: Math.min(Number(total_count), 10),
      has_more: Number(total_count) > 10,
    })
  })

  test.each(LISTS)('%s %s for a page that cannot be is 400', async (_, path) => {
    for (const query of ['limit=101', 'order=up', 'start_after=none', 'start_after=iv_none&end_before=iv_none']) {
      const answer = await send('GET', `${addressOf(path)}?${query}`)
      expect(answer).toMatchObject(refused(400, 'request.pagination.invalid'))
    }
  })

  test.each(LISTS)('%s %s with a filter that is none is 400', async (_, path) => {
    const answer = await send('GET', `${addressOf(path)}?filter=nothing:1`)
    expect(answer).toMatchObject(refused(400, 'request.filter.invalid'))
  })

  test.each(EXPANDABLE)('%s %s with an expansion that is none is 400', async (_, path) => {
    const answer = await send('GET', `${addressOf(path)}?expand=nothing`)
    expect(answer).toMatchObject(refused(400, 'request.expand.invalid'))
  })
})

test('this table has seen every endpoint', async () => {
  expect(ROUTES.length).toBeGreaterThan(54)
  expect(ROUTES.filter(takesBody).length).toBeGreaterThan(12)
  // The objects that were named, guessed and asked for are still as they were.
  expect(await api.database.orm.em.fork().count(CardEntity, { id: 'card_1', deletedAt: null })).toBe(1)
})
