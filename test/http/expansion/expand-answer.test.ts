import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type IdentifierKind, PREFIXES } from '../../../domain/identifiers.ts'
import type { Relation } from '../../../src/http/expansion/resource.ts'
import { RESOURCES } from '../../../src/http/expansion/resources.ts'
import { waitFor } from '../../support/wait-for.ts'
import { interfaceForFile } from '../interface.ts'
import { CARD, INVOICE } from '../operations.ts'
import { type RowWriter, rowWriter } from '../row-writer.ts'
import { countStatements } from '../statements.ts'
import { AUTHORIZED, createStubbedPayment, SOURCE } from '../stubbed-payment.ts'

const api = interfaceForFile()
let rows: RowWriter
const get = (path: string) => api.merchant.client.get(path)

const COUNT = 20

beforeAll(async () => {
  rows = await rowWriter(api, api.merchant)
  await rows.customer('cust_1')
  await rows.card('card_1')
  await rows.token('tok_1', 'cust_1', {
    type: 'card',
    cardId: 'card_1',
    gatewayConfigurationId: rows.gatewayConfigurationId,
  })
  await rows.token('tok_2', 'cust_1')
  await rows.token('tok_gone', 'cust_1', { deletedAt: new Date() })
  const em = api.database.orm.em.fork()
  await em.execute(`update customer set default_token_id = 'tok_1'`)
  await em.execute(`update card set used_by_token_id = 'tok_1'`)
  for (let n = 1; n <= COUNT; n += 1) {
    await rows.invoice(`iv_${n}`, { customerId: 'cust_1', tokenId: 'tok_1', orderId: 'whole' })
    await rows.transaction(`tr_${n}`, `iv_${n}`, { customerId: 'cust_1', tokenId: 'tok_1', cardId: 'card_1' })
    // All of one moment, and not in the order of their ids: the one that was written first comes first.
    await rows.operation(`tr_op_${n}c`, `tr_${n}`, { type: 'request', isAttempt: false })
    await rows.operation(`tr_op_${n}b`, `tr_${n}`)
    await rows.operation(`tr_op_${n}a`, `tr_${n}`, { isAttempt: false, attemptOperationId: `tr_op_${n}b` })
    await rows.refund(`refd_${n}`, `tr_${n}`)
    await rows.event(`ev_${n}`, { transactionId: `tr_${n}`, invoiceId: `iv_${n}`, sequence: 1 })
    await rows.delivery(`whd_${n}`, `ev_${n}`)
    await rows.deliveryAttempt(`whd_${n}`, 0, { responseCode: 500, failureReason: 'status' })
    await rows.deliveryAttempt(`whd_${n}`, 1, {
      requestUrl: 'https://shop.example/0',
      responseCode: 204,
      responseBody: 'Thank you',
      responseHeaders: { server: 'shop' },
    })
  }
  await em.execute(`update customer_token set invoice_id = 'iv_1' where id = 'tok_1'`)
  await waitFor(async () => (await get('/events')).body.total_count === COUNT)
})

/** One address of each resource that can be read by its id, and of a list of it. */
const ADDRESSES = {
  invoice: ['/invoices/iv_1', '/invoices'],
  transaction: ['/transactions/tr_1', '/transactions'],
  refund: ['/transactions/tr_1/refunds/refd_1', '/transactions/tr_1/refunds'],
  card: ['/cards/card_1', '/cards'],
  customer: ['/customers/cust_1', '/customers'],
  token: ['/customers/cust_1/tokens/tok_1', '/customers/cust_1/tokens'],
  event: ['/events/ev_1', '/events'],
} as const

const RELATIONS = (Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[]).flatMap((resource) =>
  Object.entries<Relation>(RESOURCES[resource].relations).map(([name, relation]) => ({ resource, name, relation })),
)

describe('what is related', () => {
  test.each(RELATIONS)(
    'to a $resource as $name is null, and there when it is asked for',
    async ({ resource, name, relation: { to, isMany } }) => {
      const [one, list] = ADDRESSES[resource]
      const plain = (await get(one)).body[resource]
      expect(plain[name]).toBe(null)
      const expanded = (await get(`${one}?expand=${name}`)).body[resource]
      const related = isMany ? expanded[name][0] : expanded[name]
      expect(related.id).toMatch(prefixOf(to))
      expect({ ...expanded, [name]: null }).toEqual(plain)

      const { body } = await get(`${list}?limit=100&expand=${name}`)
      expect(body[`${resource}s`].find(({ id }: { id: string }) => id === plain.id)).toEqual(expanded)
    },
  )

  test('has each object with its own', async () => {
    const { body } = await get(`/invoices?limit=${COUNT}&expand=transaction.operations&expand=transaction.refunds`)
    expect(body.invoices).toHaveLength(COUNT)
    for (const { id, transaction } of body.invoices) {
      const n = id.slice(3)
      expect(transaction.id).toBe(`tr_${n}`)
      const operations = transaction.operations.map((operation: { id: string }) => operation.id)
      expect(operations).toEqual([`tr_op_${n}c`, `tr_op_${n}b`, `tr_op_${n}a`, `tr_op_refd${n}`])
      expect(transaction.refunds).toMatchObject([{ id: `refd_${n}`, transaction: null }])
    }
  })

  test('is not there once it was deleted', async () => {
    const { customer } = (await get('/customers/cust_1?expand=tokens')).body
    expect(customer.tokens.map(({ id }: { id: string }) => id)).toEqual(['tok_1', 'tok_2'])
    await rows.invoice('iv_gone', { customerId: 'cust_1', tokenId: 'tok_gone' })
    expect((await get('/invoices/iv_gone?expand=token')).body.invoice).toMatchObject({
      token_id: 'tok_gone',
      token: null,
    })
  })

  test('is read with as many statements for many objects as for one', async () => {
    const expand =
      'expand=transaction.operations,transaction.refunds,transaction.card,customer.tokens.card,token.invoice'
    const counts: number[] = []
    for (const limit of [1, 2, COUNT]) {
      counts.push(
        await countStatements(
          api.database,
          async () => void (await get(`/invoices?filter=order_id:whole&limit=${limit}&${expand}`)),
        ),
      )
    }
    expect(counts).toEqual(counts.map(() => counts[0]))
    expect(counts[0]).toBeGreaterThan(8)
    expect(counts[0]).toBeLessThan(24)
  })

  test('is refused where the answer would have no end', async () => {
    // 20 invoices show their customer, each with 20 transactions, each of which has 4 operations; then far more.
    expect((await get('/invoices?limit=100&expand=customer.transactions.operations')).status).toBe(200)
    const em = api.database.orm.em.fork()
    await em.execute(
      `insert into operation (id, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
                              amount_minor, currency, actor, created_at)
       select 'tr_op_many' || n, project_id, sandbox, transaction_id, type, is_attempt, has_failed, is_accountable,
              amount_minor, currency, actor, created_at
         from operation, generate_series(1, 500) n where id = 'tr_op_1b'`,
    )
    expect(await get('/invoices?limit=100&expand=customer.transactions.operations')).toMatchObject({
      status: 400,
      body: { error_type: 'request.expand.invalid', message: expect.stringContaining('10000') },
    })
    expect((await get('/transactions/tr_1?expand=operations')).body.transaction.operations).toHaveLength(504)
  })
})

describe('the webhooks of an event', () => {
  test('tell how the last attempt went', async () => {
    const { body } = await get('/events/ev_3/webhooks')
    expect(body).toMatchObject({ success: true, count: 1, total_count: 1, limit: 10, order: 'desc' })
    expect(body.webhooks).toEqual([
      {
        id: 'whd_3',
        project_id: api.merchant.projectId,
        event_id: 'ev_3',
        event: null,
        endpoint_id: null,
        request_url: 'https://shop.example/1',
        request_method: 'POST',
        status: 'pending',
        run: 0,
        attempt: 1,
        response_code: '204',
        response_body: 'Thank you',
        response_headers: 'server: shop',
        response_time_ms: 12,
        failure_reason: null,
        first_attempt_at: null,
        release_at: null,
        attempts: null,
        sandbox: true,
        created_at: '2026-11-21T01:17:10.123Z',
      },
    ])
  })

  test('show every attempt of every run, the first one first, where that is asked for', async () => {
    await rows.deliveryAttempt('whd_4', 0, { id: 'wha_again', run: 1, responseCode: 503, failureReason: 'http_status' })
    await api.database.orm.em.fork().execute(`update delivery set run = 1 where id = 'whd_4'`)
    const attempt = { response_time_ms: 12, started_at: '2026-11-21T01:17:10.123Z' }
    const silent = { request_url: null, response_body: null, response_headers: null }
    const attempts = [
      { id: 'wha_40', run: 0, attempt: 0, response_code: '500', failure_reason: 'status', ...silent, ...attempt },
      {
        id: 'wha_41',
        run: 0,
        attempt: 1,
        request_url: 'https://shop.example/0',
        response_code: '204',
        response_body: 'Thank you',
        response_headers: 'server: shop',
        failure_reason: null,
        ...attempt,
      },
      {
        id: 'wha_again',
        run: 1,
        attempt: 0,
        response_code: '503',
        failure_reason: 'http_status',
        ...silent,
        ...attempt,
      },
    ]
    const { webhooks } = (await get('/events/ev_4/webhooks?expand=attempts')).body
    // The delivery itself tells how the present run fares.
    const shown = { id: 'whd_4', run: 1, attempt: 0, response_code: '503', response_body: null }
    expect(webhooks).toMatchObject([shown])
    expect(webhooks[0].attempts).toEqual(attempts)
    const { event } = (await get('/events/ev_4?expand=webhooks.attempts')).body
    expect(event.webhooks).toEqual(webhooks)
  })

  test('to an endpoint are listed with their events, and no other endpoint’s', async () => {
    for (const id of ['whe_1', 'whe_2']) {
      await rows.webhookEndpoint(id)
      for (const n of [1, 2]) await rows.delivery(`whd_${id.replace('_', '')}${n}`, `ev_${n}`, { endpointId: id })
    }
    await rows.webhookEndpoint('whe_idle')
    const { body } = await get('/webhook-endpoints/whe_1/webhooks?order=asc')
    expect(body).toMatchObject({ success: true, count: 2, total_count: 2, has_more: false })
    expect(body.webhooks).toMatchObject([
      { id: 'whd_whe11', endpoint_id: 'whe_1', event_id: 'ev_1', event: null, attempts: null },
      { id: 'whd_whe12', endpoint_id: 'whe_1', event_id: 'ev_2', event: null, attempts: null },
    ])
    const expanded = (await get('/webhook-endpoints/whe_1/webhooks?order=asc&expand=event,attempts')).body.webhooks
    const { event } = (await get('/events/ev_2')).body
    expect(expanded[1]).toEqual({ ...body.webhooks[1], event, attempts: [] })
    expect((await get('/webhook-endpoints/whe_idle/webhooks')).body).toMatchObject({ total_count: 0, webhooks: [] })
  })
})

const payment = createStubbedPayment(api)
const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
  api.merchant.client.post(path, body, { headers })

describe('expand in the body of a call that changes something', () => {
  beforeEach(() => payment.begin())

  test('shows what is related to the object of the answer', async () => {
    const customer = await post('/customers', { expand: ['tokens'] })
    expect(customer.body.customer).toMatchObject({ tokens: [] })
    const path = `/customers/${customer.body.customer.id}`
    const { body } = await post('/cards', { ...CARD, expand: 'token' })
    const token = await post(`${path}/tokens`, { source: body.card.id, expand: ['card', 'customer'] })
    expect(token.body.token).toMatchObject({ card: { id: body.card.id }, customer: { id: customer.body.customer.id } })
    const changed = await api.merchant.client.put(path, { first_name: 'Ann', expand: ['tokens.card'] })
    expect(changed.body.customer).toMatchObject({ first_name: 'Ann', tokens: [{ card: { id: body.card.id } }] })
    const whose = { ...INVOICE, customer_id: customer.body.customer.id }
    expect((await post('/invoices', { ...whose, expand: ['customer'] })).body.invoice).toMatchObject({
      customer: { first_name: 'Ann' },
    })
    const query = await post('/invoices?expand[]=customer', whose)
    expect(query.body.invoice).toMatchObject({ customer: { first_name: 'Ann' } })
    const form = `${new URLSearchParams(whose)}&expand[]=customer&expand[]=transaction`
    const sent = await api.merchant.client.post('/invoices', form, { form: true })
    expect(sent.body.invoice).toMatchObject({ customer: { first_name: 'Ann' }, transaction: null })
  })

  test('shows it with a payment and with a synchronization', async () => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const { body } = await payment.post('authorize', { ...SOURCE, expand: ['invoice'] })
    expect(body.transaction).toMatchObject({ status: 'authorized', invoice: { id: payment.invoiceId } })
    const synchronized = await api.merchant.client.put(`/invoices/${payment.invoiceId}/sync-with-psp`, {
      expand: ['transaction'],
    })
    expect(synchronized.body.invoice).toMatchObject({ transaction: { id: body.transaction.id } })
    expect(synchronized.body.transaction).toMatchObject({ invoice: null })
  })

  test('is judged before anything is done', async () => {
    const refused = { status: 400, body: { error_type: 'request.expand.invalid' } }
    expect(await payment.post('authorize', { ...SOURCE, expand: ['no_such'] })).toMatchObject(refused)
    expect(api.payments.sent).toEqual([])
  })

  test('is no part of the request that an idempotency key stands for', async () => {
    const key = { 'idempotency-key': 'expand-1' }
    const first = await post('/invoices', { ...INVOICE, expand: ['transaction'] }, key)
    const again = await post('/invoices', { ...INVOICE, expand: ['customer'] }, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toMatch(/^application\/json/)
    expect(again.body).toEqual(first.body)
  })

  test('shows what is related as it is now, in an object as it was told', async () => {
    const { body } = await post('/customers', { first_name: 'Ann' })
    const whose = { ...INVOICE, customer_id: body.customer.id, expand: ['customer'] }
    const key = { 'idempotency-key': 'expand-2' }
    const first = await post('/invoices', whose, key)
    await api.merchant.client.put(`/customers/${body.customer.id}`, { first_name: 'Bea' })
    await api.merchant.client.put(`/invoices/${first.body.invoice.id}`, { name: 'Another' })
    const again = await post('/invoices', whose, key)
    expect(first.body.invoice).toMatchObject({ name: INVOICE.name, customer: { first_name: 'Ann' } })
    expect(again.body.invoice).toMatchObject({ name: INVOICE.name, customer: { first_name: 'Bea' } })
  })
})

/** A webhook is kept as a delivery. */
const prefixOf = (to: string) => {
  const kind = to.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()).replace('webhook', 'delivery')
  return new RegExp(`^${PREFIXES[kind as IdentifierKind]}`)
}
