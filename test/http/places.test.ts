import { expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { createRequestMetrics } from '../../src/metrics/request-metrics.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { holdLock } from '../support/held-lock.ts'
import { waitFor } from '../support/wait-for.ts'
import { createClientWithKeys } from './client-with-keys.ts'
import { clientOf, newInvoice } from './clients/client-fixture.ts'
import { interfaceForFile } from './interface.ts'
import { createPaymentWithKeys } from './payment-with-keys.ts'
import { recordStatements } from './statements.ts'
import { AUTHORIZED, SOURCE } from './stubbed-payment.ts'

/** What a project has while nobody else asks: half of all places. */
const WAITING = 200
const WORKING = 5
const IN_LINE = 200

const registry = new Registry()
/** Longer than a busy machine takes for it all. */
const waits = { ...PRODUCTION_WAITS, lockMs: 60_000, turnMs: 60_000 }
const api = interfaceForFile({ measure: createRequestMetrics(registry), waits })
const payment = createPaymentWithKeys(api)

const times = <Result>(count: number, ask: () => Promise<Result>): Promise<Result>[] =>
  Array.from({ length: count }, ask)

const REFUSED = { status: 503, body: { success: false, error_type: 'request.not-started' } }

test('A project with its share of places for payments is refused the next one, which does nothing; others are served', async () => {
  await payment.begin()
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  api.payments.answerWith(async () => {
    const isGreedy = api.payments.sent.at(-1)?.payment.projectId === api.merchant.projectId
    if (isGreedy) await mayEnd
    return isGreedy ? { kind: 'done' } : { kind: 'refused', code: 'request.source.invalid', message: 'no' }
  })
  const authorize = (key = payment.newKey()) => payment.post('authorize', key, SOURCE)
  const waiting = times(WAITING, () => authorize())
  await waitFor(() => api.payments.sent.length === WAITING)

  const refusedKey = payment.newKey()
  // The database is not even asked who it is.
  let refused = await authorize(refusedKey)
  const statements = await recordStatements(api.database, async () => {
    refused = await authorize(refusedKey)
  })
  expect(statements).toEqual([])
  expect(refused).toMatchObject(REFUSED)
  expect(refused.headers.get('retry-after')).toBe('5')
  expect(refused.headers.get('ratelimit-policy')).toContain('"sandbox"')
  // Credentials that are wrong are told nothing else than ever.
  const stranger = createClientWithKeys(api.url, { ...api.merchant, secretKey: `${api.merchant.secretKey}x` })
  const unknown = await stranger(`/invoices/${payment.invoiceId}/authorize`, undefined, SOURCE)
  expect(unknown.status).toBe(401)
  expect(api.payments.sent).toHaveLength(WAITING)
  expect(await payment.keys()).toEqual([])
  expect(await api.database.orm.em.fork().count(TransactionEntity)).toBe(0)
  // It asks for other things as ever.
  expect(await api.merchant.client.get(`/invoices/${payment.invoiceId}`)).toMatchObject({ status: 200 })

  const other = await api.makeMerchant({ sandbox: true })
  const order = { name: 'Order', amount: '29.00', currency: 'EUR' }
  const { body } = await other.client.post('/invoices', order)
  const postAsOther = createClientWithKeys(api.url, other)
  const answered = await postAsOther(`/invoices/${body.invoice.id}/authorize`, 'a key', SOURCE)
  expect(answered).toMatchObject({ status: 400, body: { error_type: 'request.source.invalid' } })

  await payment.record(AUTHORIZED)
  end()
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200)
  expect(await authorize(refusedKey)).toMatchObject({ status: 200, body: { outcome: 'success' } })
})

test('Of other requests a project works on a few at once, and stands in a line that ends; others and its clients do not wait', async () => {
  const { client } = api.merchant
  const invoice = await newInvoice(api.merchant)
  const other = await api.makeMerchant({ sandbox: true })
  const lock = await holdLock(api.database, 'lock table customer in access exclusive mode')
  const asked = times(WORKING + IN_LINE, () => client.get('/customers'))
  try {
    await waitFor(async () => (await lock.countWaiting()) === WORKING)
    expect(await client.get('/invoices')).toMatchObject(REFUSED)
    expect(await other.client.get('/invoices')).toMatchObject({ status: 200 })
    expect(await clientOf(api, api.merchant).get(`/invoices/${invoice.id}`)).toMatchObject({ status: 200 })
    expect(await lock.countWaiting()).toBe(WORKING)
  } finally {
    await lock.release()
  }
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
  expect(await client.get('/invoices')).toMatchObject({ status: 200 })
  const metrics = await registry.metrics()
  for (const kind of ['waiting', 'working'])
    expect(metrics).toContain(`holdfast_http_requests_refused_total{limit="places_${kind}"} `)
})
