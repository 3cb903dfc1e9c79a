import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { continuation } from '../support/bank.ts'
import { replayed } from './client-with-keys.ts'
import { interfaceForFile } from './interface.ts'
import { createPaymentWithKeys } from './payment-with-keys.ts'
import { AUTHORIZED, COMPLETED, SOURCE } from './stubbed-payment.ts'
import { createTokenFixture } from './token-fixture.ts'

const SUSPENDED = { status: 403, body: { success: false, error_type: 'request.project-suspended' } }

const api = interfaceForFile()
const payment = createPaymentWithKeys(api)
const tokens = createTokenFixture(api)

beforeEach(() => payment.begin({ incremental: true }))
afterEach(() => setSuspended(null))

const setSuspended = (suspendedAt: Date | null) =>
  api.database.orm.em.fork().nativeUpdate(ProjectEntity, { id: api.merchant.projectId }, { suspendedAt })
const suspend = () => setSuspended(api.clock.now())
const post = (verb: string, body: object = {}) => payment.post(verb, undefined, body)

describe('a suspended project', () => {
  test.each([
    ['an authorization', 'authorize', SOURCE, null],
    ['a sale', 'capture', SOURCE, null],
    ['a capture', 'capture', {}, AUTHORIZED],
    ['an increment', 'increment_authorization', { amount: '1.00' }, AUTHORIZED],
    ['a refund', 'refunds', {}, COMPLETED],
  ])('begins not %s, of which no row is left', async (_, verb, body, values) => {
    if (values !== null) await payment.record(values)
    await suspend()
    const before = await api.database.dump()
    expect(await post(verb, body)).toMatchObject(SUSPENDED)
    expect(api.payments.sent).toEqual([])
    expect(await api.database.dump()).toBe(before)
  })

  test('begins not a sale that saves its card', async () => {
    await payment.begin({ customer_id: await tokens.newCustomer() })
    const { headers } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
    await suspend()
    const client_secret = headers.get('x-service-client-secret')
    const sale = { ...SOURCE, authorize_only: false, save_source: true, client_secret }
    expect(await post('authorize', sale)).toMatchObject(SUSPENDED)
    expect(api.payments.sent).toEqual([])
  })

  test('refunds nothing by the transaction either', async () => {
    const { id } = await payment.record(COMPLETED)
    await suspend()
    expect(await api.merchant.client.post(`/transactions/${id}/refunds`)).toMatchObject(SUSPENDED)
    expect(api.payments.sent).toEqual([])
  })

  test('has no card verified, and stores none for it', async () => {
    const [customerId, cardId] = [await tokens.newCustomer(), await tokens.newCard()]
    const { token, path } = await tokens.stored()
    await suspend()
    const before = await api.database.dump()
    const { client } = api.merchant
    expect(await client.post(`/customers/${customerId}/tokens`, { source: cardId, verify: true })).toMatchObject(
      SUSPENDED,
    )
    expect(await client.put(path, { verify: true })).toMatchObject(SUSPENDED)
    const answer = continuation({ url: 'https://pay.example/three-d-s/iv_1/act_1' })
    expect(await client.put(path, { source: answer })).toMatchObject(SUSPENDED)
    expect(await api.database.dump()).toBe(before)
    expect((await client.put(path, { description: 'My card' })).body.token).toMatchObject({ id: token.id })
    expect((await client.post(`/customers/${customerId}/tokens`, { source: cardId })).status).toBe(200)
    expect(api.payments.sent).toEqual([])
  })

  test('goes on with voids, schedules, invoices, customers, look-ups, events and everything that is read', async () => {
    await payment.record(AUTHORIZED)
    await suspend()
    payment.answerWith({ kind: 'done' })
    const { client } = api.merchant
    const { invoiceId } = payment
    const soon = new Date(api.clock.now().getTime() + 60_000).toISOString()
    const invoice = { name: 'Order 2', amount: '1.00', currency: 'EUR' }
    const answers = [
      await post('capture', { auto_capture_at: soon }),
      await post('void'),
      await client.put(`/invoices/${invoiceId}/sync-with-psp`),
      await client.post('/invoices', invoice),
      await client.post('/customers', {}),
      await client.post('/cards', { number: '4242424242424242', exp_month: 7, exp_year: 2031 }),
      await client.get(`/invoices/${invoiceId}`),
      await client.get('/transactions'),
      await client.get('/events'),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(api.payments.sent.map(({ command }) => command.kind)).toEqual(['pay', 'void'])
  })

  test('hears again what a key was answered before, and a new key begins nothing', async () => {
    const [known, fresh] = [payment.newKey(), payment.newKey()]
    payment.bookAndAnswer({ kind: 'done' }, AUTHORIZED)
    const first = await payment.post('authorize', known, SOURCE)
    await suspend()
    const again = await payment.post('authorize', known, SOURCE)
    expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true'])
    const keys = (await payment.keys()).length
    expect(await payment.post('capture', fresh)).toMatchObject(SUSPENDED)
    expect(await payment.keys()).toHaveLength(keys)

    await setSuspended(null)
    payment.bookAndAnswer({ kind: 'done' }, COMPLETED)
    expect(await payment.post('capture', fresh)).toMatchObject({ status: 200, body: { outcome: 'success' } })
  })

  test('hears again of a card that was stored with a key, whose verification is not begun any more', async () => {
    const customerId = await tokens.newCustomer()
    const body = { source: await tokens.newCard(), verify: true }
    const store = () =>
      api.merchant.client.post(`/customers/${customerId}/tokens`, body, { headers: { 'idempotency-key': 'store' } })
    api.payments.answerWith(() => {
      throw new Error('connection lost')
    })
    const first = await store()
    expect(first.body.token.verification_status).toBe('pending')
    await suspend()
    api.payments.sent.length = 0
    expect(await store()).toMatchObject({ status: 200, body: { token: { id: first.body.token.id } } })
    expect(api.payments.sent).toEqual([])
  })

  test('is told so by the payment as well, whose turn may come after the suspension', async () => {
    payment.answerWith({ kind: 'refused', code: 'request.project-suspended', message: 'The project is suspended.' })
    expect(await post('authorize', SOURCE)).toMatchObject(SUSPENDED)
  })
})
