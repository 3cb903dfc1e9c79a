import { describe, expect, test } from '@jest/globals'
import { PERMISSIONS } from '../../domain/permission.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { createApiKey } from '../../src/persistence/queries/projects/api-keys.ts'
import { createVault } from '../../src/vault/vault.ts'
import { TEST_CARD } from '../support/card-data.ts'
import { holdLock } from '../support/held-lock.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { seededRandomBytes } from '../support/random.ts'
import { waitFor } from '../support/wait-for.ts'
import { createClientWithKeys, type PostWithKey, replayed } from './client-with-keys.ts'
import { interfaceForFile } from './interface.ts'

const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR', metadata: { a: '1', b: '2' } }
const CARD = { number: TEST_CARD.number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc }
const OTHER_BODY = { status: 400, body: { error_type: 'request.idempotency-key.invalid' } }

const api = interfaceForFile()
const post: PostWithKey = (...asked) => createClientWithKeys(api.url, api.merchant)(...asked)
let count = 0

const newKey = () => {
  count += 1
  return `order-${count}`
}
const em = () => api.database.orm.em.fork()
const invoices = () => em().count(InvoiceEntity)

describe('a key', () => {
  test.each([
    ['longer than 255 characters', 'k'.repeat(256)],
    ['with other than ASCII characters', 'schl\u00fcssel'],
    ['with a tab', 'a\tb'],
  ])('that is %s is refused, and nothing is done', async (_, key) => {
    const before = await invoices()
    expect(await post('/invoices', key, INVOICE)).toMatchObject({
      status: 400,
      body: { success: false, error_type: 'request.idempotency-key.invalid' },
    })
    expect(await invoices()).toBe(before)
  })

  test('that is empty is none', async () => {
    const before = await invoices()
    for (const _ of ['first', 'second']) expect(await post('/invoices', '', INVOICE)).toMatchObject({ status: 200 })
    expect(await invoices()).toBe(before + 2)
  })

  test('is one for one address, however that is written', async () => {
    const key = newKey()
    const { body } = await post('/invoices', key, INVOICE)
    const before = await invoices()
    expect((await post('/invoices/', key, INVOICE)).body).toEqual(body)
    expect(await invoices()).toBe(before)
    const id = String(body.invoice.id)
    const other = newKey()
    const first = await post(`/invoices/${id}/customers`, other, { email: 'ann@shop.example' })
    const again = await post(`/invoices/%69${id.slice(1)}/customers/`, other, { email: 'ann@shop.example' })
    expect([first.status, again.body]).toEqual([200, first.body])
    // The same words for another object are another request.
    const next = (await post('/invoices', newKey(), INVOICE)).body.invoice.id
    const elsewhere = await post(`/invoices/${next}/customers`, other, { email: 'ann@shop.example' })
    expect(elsewhere).toMatchObject({ status: 200 })
    expect(elsewhere.body).not.toEqual(first.body)
  })

  test('is in no row as it was sent, nor is anything of the card that came with it', async () => {
    const key = 'a-key-that-nothing-else-is'
    expect(await post('/cards', key, CARD)).toMatchObject({ status: 200 })
    const rows = await api.database.dump()
    expect(rows).not.toContain(key)
    expect(rows).not.toContain(TEST_CARD.number)
  })
})

describe('the same request again, with the same key', () => {
  test('does the work once and has the same bytes, headers and status', async () => {
    const key = newKey()
    const before = await invoices()
    const first = await post('/invoices', key, INVOICE)
    const second = await post('/invoices', key, INVOICE)

    expect(await invoices()).toBe(before + 1)
    expect(first.status).toBe(200)
    expect(replayed(first)).toBeNull()
    expect(second.status).toBe(200)
    expect(replayed(second)).toBe('true')
    expect(second.text).toBe(first.text)
    for (const name of ['content-type', 'x-service-client-secret', 'content-encoding']) {
      expect(first.headers.get(name)).not.toBeNull()
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    }
  })

  test('is the same request in whatever order its fields come, and as a form with the same texts', async () => {
    const key = newKey()
    const first = await post('/invoices', key, INVOICE)
    const shuffled = { metadata: { b: '2', a: '1' }, currency: 'EUR', name: 'Order 1', amount: '29.00' }
    expect((await post('/invoices', key, shuffled)).text).toBe(first.text)
    const form = 'metadata.b=2&metadata.a=1&name=Order+1&currency=EUR&amount=29.00'
    expect((await post('/invoices', key, form)).text).toBe(first.text)
  })

  test('is the same request with null for what is not given, at any depth', async () => {
    const key = newKey()
    const shipping = { city: 'Paris', phone: { number: '612345678' } }
    const first = await post('/invoices', key, { ...INVOICE, shipping })
    const nulls = {
      shipping: { ...shipping, zip: null, phone: { number: '612345678', dialing_code: null } },
      tax: null,
    }
    const second = await post('/invoices', key, { ...INVOICE, ...nulls, auto_capture_at: null })
    expect(second).toMatchObject({ status: 200, text: first.text })
  })

  test('is another request with a null that is a value of its own', async () => {
    for (const [body, other] of [
      [{ gateway_data: {} }, { gateway_data: { a: null } }],
      [{}, { auto_capture_at: null }],
    ]) {
      const key = newKey()
      expect((await post('/invoices', key, { ...INVOICE, ...body })).status).toBe(200)
      expect(await post('/invoices', key, { ...INVOICE, ...other })).toMatchObject(OTHER_BODY)
    }
  })

  test('does the work once, however many come at once, and nobody is sent away', async () => {
    const key = newKey()
    const before = await em().count(CardEntity)
    const answers = await Promise.all(Array.from({ length: 60 }, () => post('/cards', key, CARD)))

    expect(await em().count(CardEntity)).toBe(before + 1)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
  })
})

describe('a key that came before', () => {
  test.each([
    ['another value', { ...INVOICE, amount: '29.01' }],
    ['one field more', { ...INVOICE, order_id: '1' }],
    ['one field less', { name: 'Order 1', amount: '29.00', currency: 'EUR' }],
    ['what is not valid', { amount: 29 }],
  ])('is refused with %s, and the first answer stays', async (_, body) => {
    const key = newKey()
    const first = await post('/invoices', key, INVOICE)
    const before = await invoices()
    expect(await post('/invoices', key, body)).toMatchObject(OTHER_BODY)
    expect(await invoices()).toBe(before)
    expect((await post('/invoices', key, INVOICE)).text).toBe(first.text)
  })

  test('tells two requests apart that differ in the card number only', async () => {
    const key = newKey()
    await post('/cards', key, CARD)
    expect(await post('/cards', key, { ...CARD, number: '4000000000002180' })).toMatchObject(OTHER_BODY)
  })

  test('means nothing on another path, for another project, or in the other environment', async () => {
    const key = newKey()
    const first = await post('/invoices', key, INVOICE)
    expect(replayed(await post('/cards', key, CARD))).toBeNull()
    for (const sandbox of [true, false]) {
      const other = createClientWithKeys(api.url, await api.makeMerchant({ sandbox }))
      const answer = await other('/invoices', key, INVOICE)
      expect(answer.status).toBe(200)
      expect(replayed(answer)).toBeNull()
      expect(answer.body.invoice.id).not.toBe(first.body.invoice.id)
    }
  })

  test('of the sandbox means nothing in the live environment of the same project', async () => {
    const { projectId } = api.merchant
    const making = {
      randomBytes: seededRandomBytes('live'),
      hashSecret: createVault(TEST_KEYS).hashSecret,
      now: api.clock.now(),
    }
    const wanted = { projectId, sandbox: false, name: null, permissions: PERMISSIONS, actor: 'test' }
    const { secretKey } = await em().transactional((inner) => createApiKey(inner, { ...wanted, ...making }))
    const key = newKey()
    const first = await post('/invoices', key, INVOICE)
    const live = await createClientWithKeys(api.url, { projectId, secretKey })('/invoices', key, INVOICE)
    expect(live.status).toBe(200)
    expect(replayed(live)).toBeNull()
    expect(live.body.invoice.id).not.toBe(first.body.invoice.id)
  })

  test('means nothing with another method', async () => {
    const key = newKey()
    const path = `/customers/${(await post('/customers', newKey(), {})).body.customer.id}`
    expect(await post(path, key, {}, 'PUT')).toMatchObject({ status: 200 })
    const gone = await post(path, key, {}, 'DELETE')
    expect(gone).toMatchObject({ status: 200 })
    expect(replayed(gone)).toBeNull()
    expect(await em().count(CustomerEntity, { id: path.slice('/customers/'.length), deletedAt: null })).toBe(0)
  })

  test('with a request that was refused is free for the corrected one', async () => {
    const key = newKey()
    expect(await post('/invoices', key, { ...INVOICE, amount: '29,00' })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-amount' },
    })
    const corrected = await post('/invoices', key, INVOICE)
    expect(corrected.status).toBe(200)
    expect(replayed(corrected)).toBeNull()
  })

  test('with a caller who was not known is free for the right one', async () => {
    const key = newKey()
    const stranger = createClientWithKeys(api.url, { ...api.merchant, secretKey: 'key_wrong' })
    expect(await stranger('/invoices', key, INVOICE)).toMatchObject({ status: 401 })
    expect(replayed(await post('/invoices', key, INVOICE))).toBeNull()
  })
})

describe('while the first request is under way', () => {
  test('a second one waits for its answer, and has the same', async () => {
    const key = newKey()
    const before = await invoices()
    const lock = await holdLock(api.database, 'lock table invoice in share mode')
    const both = [post('/invoices', key, INVOICE), post('/invoices', key, INVOICE)]
    await waitFor(async () => (await lock.countWaiting()) === 2)
    await lock.release()
    const answers = await Promise.all(both)
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.text).toBe(answers[0]?.text)
    expect(await invoices()).toBe(before + 1)
  })
})

test('a request that reads takes no notice of a key', async () => {
  const { client } = api.merchant
  const { body } = await post('/invoices', newKey(), INVOICE)
  const before = await em().count(IdempotencyKeyEntity)
  const answer = await client.get(`/invoices/${body.invoice.id}`, { headers: { 'idempotency-key': 'k'.repeat(300) } })
  expect(answer.status).toBe(200)
  expect(await em().count(IdempotencyKeyEntity)).toBe(before)
})
