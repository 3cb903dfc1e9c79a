import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import { forFile } from '../../support/for-file.ts'
import { interfaceForFile } from '../interface.ts'
import { CARD } from '../operations.ts'
import { AUTHORIZED, COMPLETED, createStubbedPayment, SOURCE } from '../stubbed-payment.ts'
import {
  clientOf,
  newInvoice,
  UNAUTHENTICATED,
  WRONG_SECRET,
  WRONG_SECRET_OF_SERVER,
  withSecret,
} from './client-fixture.ts'

const TOKEN = `tok_${'a'.repeat(32)}`
const CUSTOMER = `cust_${'a'.repeat(32)}`
const TOMORROW = '2026-11-22T09:00:00.000Z'
const LINES = [
  { name: 'Telephone', amount: '28.00' },
  { name: 'Sticker', amount: '1.00' },
]

const api = interfaceForFile()
const payment = createStubbedPayment(api)
const client = forFile(async () => clientOf(api, api.merchant))

beforeEach(() => payment.begin())

const post = (verb: string, body: object = {}, options: object = {}) =>
  client.post(`/invoices/${payment.invoiceId}/${verb}`, body, options)
const allow = (fields: object) =>
  api.database.orm.em.fork().nativeUpdate(ProjectEntity, { id: api.merchant.projectId }, fields)
const secretOfInvoice = async () =>
  String((await api.merchant.client.get(`/invoices/${payment.invoiceId}`)).headers.get('x-service-client-secret'))
const sentKinds = () => api.payments.sent.map(({ command }) => command.kind)

describe('what is authorized', () => {
  test.each([
    ['capture', {}],
    ['capture', { ...SOURCE, auto_capture_at: TOMORROW }],
    ['capture', { auto_capture_at: null }],
    ['increment_authorization', { amount: '1.00' }],
  ])('is not touched by a client: %s %j', async (verb, body) => {
    await payment.record({ ...AUTHORIZED, incremental: true, autoCaptureAt: new Date(TOMORROW) })
    const answer = await post(verb, body)
    expect(answer).toMatchObject(UNAUTHENTICATED)
    expect(answer.body.message).toMatch(/needs a secret key\.$/)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(sentKinds()).toEqual([])
  })

  test.each([
    ['auto_capture_at', { ...SOURCE, auto_capture_at: '2026-11-23T09:00:00.000Z' }],
    ['capture_amount', { ...SOURCE, auto_capture_at: TOMORROW, capture_amount: '0.01' }],
    ['capture_amount', { ...SOURCE, capture_amount: '0.01' }],
  ])('and scheduled by the merchant, does not get another %s by an authorization of a client', async (name, body) => {
    await payment.record({ ...AUTHORIZED, autoCaptureAt: new Date(TOMORROW) })
    expect(await post('authorize', body)).toMatchObject({ status: 400, body: { invalid_fields: [{ name }] } })
    expect(sentKinds()).toEqual([])
  })

  describe('in a project that lets clients capture', () => {
    beforeAll(() => allow({ allowsClientCaptures: true }))
    afterAll(() => allow({ allowsClientCaptures: false }))

    test('is captured, scheduled and raised by a client', async () => {
      await payment.record({ ...AUTHORIZED, incremental: true })
      payment.answerWith({ kind: 'done' })
      for (const [verb, body] of [
        ['increment_authorization', { amount: '1.00' }],
        ['capture', { auto_capture_at: TOMORROW }],
        ['capture', {}],
      ] as const)
        expect(await post(verb, body)).toMatchObject({ status: 200 })
      const autoCaptureAt = new Date(TOMORROW).getTime()
      expect(api.payments.sent.map(({ command }) => command)).toMatchObject([
        { kind: 'increment', actor: 'client' },
        { kind: 'pay', call: 'capture', autoCaptureAt, actor: 'client', client: { mayCapture: true } },
        { kind: 'pay', call: 'capture', autoCaptureAt: null, actor: 'client' },
      ])
    })

    test('is neither captured nor raised by a client that shows the secret of another invoice', async () => {
      const { secret } = await newInvoice(api.merchant)
      await payment.record({ ...AUTHORIZED, incremental: true })
      for (const [verb, body] of [
        ['increment_authorization', { amount: '1.00' }],
        ['capture', {}],
      ] as const) {
        expect(await post(verb, body, withSecret(secret))).toMatchObject(WRONG_SECRET)
        expect(await post(verb, { ...body, client_secret: secret })).toMatchObject(WRONG_SECRET)
      }
      expect(sentKinds()).toEqual([])
    })

    test('is left to the merchant all the same where the invoice says so', async () => {
      await payment.begin({ require_backend_capture: true })
      await payment.record({ ...AUTHORIZED, incremental: true })
      expect(await post('capture')).toMatchObject(UNAUTHENTICATED)
      expect(await post('increment_authorization', { amount: '1.00' })).toMatchObject(UNAUTHENTICATED)
      expect(sentKinds()).toEqual([])
    })
  })
})

describe('a client', () => {
  test.each([
    ['authorize', SOURCE],
    ['capture', SOURCE],
  ])('places a payment: %s %j', async (verb, body) => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    expect(await post(verb, body)).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect(api.payments.sent).toMatchObject([{ command: { kind: 'pay', call: verb, actor: 'client' } }])
  })

  test('that repeats its sale is told where the payment stands, and captures nothing more', async () => {
    await payment.record({ ...COMPLETED, capturedMinor: 1000 })
    expect(await post('capture', { ...SOURCE, capture_amount: '19.00' })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '10.00' } },
    })
    expect(sentKinds()).toEqual([])
  })

  test('captures no invoice that requires a backend capture', async () => {
    await payment.begin({ require_backend_capture: true })
    expect(await post('capture', SOURCE)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state', invalid_fields: [{ name: 'authorize_only' }] },
    })
    expect(sentKinds()).toEqual([])
  })

  test.each(['capture_amount', 'invoice_detail_ids'])('does not decide how much is captured: %s', async (name) => {
    await payment.begin({ details: LINES })
    const { body } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
    const wanted = { ...SOURCE, [name]: name === 'capture_amount' ? '0.01' : [body.invoice.details[1].id] }
    expect(await post('capture', wanted)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: [{ name }] },
    })
    expect(sentKinds()).toEqual([])
    await allow({ allowsClientAmounts: true })
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const allowed = await post('capture', wanted)
    await allow({ allowsClientAmounts: false })
    expect(allowed.status).toBe(200)
  })

  test('may override rules of the networks where the project allows it, and always ask for nothing by that', async () => {
    const overriding = { ...SOURCE, initial_scheme_transaction_id: '016150703802094' }
    expect(await post('authorize', overriding)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: [{ name: 'initial_scheme_transaction_id' }] },
    })
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const nothing = { override_mac_blocking: false, initial_scheme_transaction_id: '' }
    expect((await post('authorize', { ...SOURCE, ...nothing })).status).toBe(200)
    await allow({ allowsClientOverrides: true })
    await payment.begin()
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const answer = await post('authorize', overriding)
    await allow({ allowsClientOverrides: false })
    expect(answer.status).toBe(200)
    expect(api.payments.sent).toMatchObject([{ command: { initialSchemeTransactionId: '016150703802094' } }])
  })
})

describe('a client secret', () => {
  test.each([TOKEN, CUSTOMER])('is needed by a client that names %s', async (source) => {
    expect(await post('authorize', { source })).toMatchObject(WRONG_SECRET)
    expect(await post('capture', { source })).toMatchObject(WRONG_SECRET)
    expect(sentKinds()).toEqual([])
  })

  test('of the invoice lets a client charge a stored source, as a header and as a field', async () => {
    const secret = await secretOfInvoice()
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    expect((await post('authorize', { source: TOKEN }, withSecret(secret))).status).toBe(200)
    expect((await post('authorize', { source: TOKEN, client_secret: secret })).status).toBe(200)
    expect(api.payments.sent[0]?.command).not.toHaveProperty('newSourceOnly')
  })

  test('that is missing says so to the payment, which then refuses a card that is stored', async () => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    await post('authorize', SOURCE)
    expect(api.payments.sent).toMatchObject([{ command: { source: SOURCE.source, newSourceOnly: true } }])
  })

  test('of another invoice, or of another project, is refused, also where none is needed', async () => {
    const { secret: other } = await newInvoice(api.merchant)
    const { secret: foreign } = await newInvoice(await api.makeMerchant({ sandbox: true }))
    for (const wrong of [other, foreign, 'ivs_', 'x'.repeat(255)]) {
      for (const source of [SOURCE.source, TOKEN])
        expect(await post('authorize', { source }, withSecret(wrong))).toMatchObject(WRONG_SECRET)
      expect(await post('authorize', { ...SOURCE, client_secret: wrong })).toMatchObject(WRONG_SECRET)
      expect(await client.get(`/invoices/${payment.invoiceId}`, withSecret(wrong))).toMatchObject(WRONG_SECRET)
    }
    expect(sentKinds()).toEqual([])
  })

  test('that differs from the one in the body is refused, whoever sends it', async () => {
    const secret = await secretOfInvoice()
    for (const [caller, refusal] of [
      [client, WRONG_SECRET],
      [api.merchant.client, WRONG_SECRET_OF_SERVER],
    ] as const) {
      const body = { ...SOURCE, client_secret: 'ivs_other' }
      const answer = await caller.post(`/invoices/${payment.invoiceId}/authorize`, body, withSecret(secret))
      expect(answer).toMatchObject(refusal)
    }
    expect(sentKinds()).toEqual([])
  })

  test('is told to the merchant, and never to a client', async () => {
    expect(await secretOfInvoice()).toMatch(/^ivs_/)
    for (const options of [{}, withSecret(await secretOfInvoice())]) {
      const { status, headers, body } = await client.get(`/invoices/${payment.invoiceId}`, options)
      expect({ status, secret: headers.get('x-service-client-secret') }).toEqual({ status: 200, secret: null })
      expect(JSON.stringify(body)).not.toContain('ivs_')
    }
  })

  test('is what save_source needs of a client', async () => {
    const { body } = await api.merchant.client.post('/customers', {})
    await payment.begin({ customer_id: body.customer.id })
    expect(await post('authorize', { ...SOURCE, save_source: true })).toMatchObject(WRONG_SECRET)
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const answer = await post('authorize', { ...SOURCE, save_source: true }, withSecret(await secretOfInvoice()))
    expect(answer.status).toBe(200)
    expect(api.payments.sent).toMatchObject([{ command: { saveSource: true } }])
  })
})

describe('an idempotency key', () => {
  test('of one client gives nothing to another, who has not its client secret', async () => {
    const send = async (headers: object) => {
      const key = { 'idempotency-key': 'the same' }
      return (await client.post('/cards', CARD, { headers: { ...headers, ...key } })).body.card.id
    }
    const { headers: one } = withSecret(await secretOfInvoice())
    const { headers: another } = withSecret((await newInvoice(api.merchant)).secret)
    const ids = [await send(one), await send(another), await send({})]
    expect(new Set(ids).size).toBe(3)
    expect([await send(one), await send(another), await send({})]).toEqual(ids)
  })

  test('of the merchant gives a client nothing of what the merchant was told', async () => {
    const key = { headers: { 'idempotency-key': 'of the merchant' } }
    const merchants = await api.merchant.client.post('/cards', CARD, key)
    const clients = await client.post('/cards', CARD, key)
    expect([merchants.status, clients.status]).toEqual([200, 200])
    expect(clients.headers.get('idempotent-replayed')).toBeNull()
    expect(clients.body.card.id).not.toBe(merchants.body.card.id)
  })
})
