import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../../src/persistence/entities/project.ts'
import type { HttpClient } from '../../support/http-client.ts'
import { interfaceForFile } from '../interface.ts'
import { CARD } from '../operations.ts'
import { AUTHORIZED, COMPLETED, createPlayedPayment, SOURCE } from '../played-payment.ts'
import {
  clientOf,
  newInvoice,
  UNAUTHENTICATED,
  WRONG_SECRET,
  WRONG_SECRET_OF_SERVER,
  withSecret,
} from './client-stage.ts'

const TOKEN = `tok_${'a'.repeat(32)}`
const CUSTOMER = `cust_${'a'.repeat(32)}`
const TOMORROW = '2026-11-22T09:00:00.000Z'
const LINES = [
  { name: 'Telephone', amount: '28.00' },
  { name: 'Sticker', amount: '1.00' },
]

const api = interfaceForFile()
const payment = createPlayedPayment(api)
let client: HttpClient

beforeAll(async () => {
  client = clientOf(api, api.merchant)
})
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
    ['capture', { capture_amount: '1.00' }],
    ['capture', SOURCE],
    ['capture', { auto_capture_at: TOMORROW }],
    ['capture', { ...SOURCE, auto_capture_at: TOMORROW }],
    ['authorize', { ...SOURCE, authorize_only: false }],
    ['increment_authorization', { amount: '1.00' }],
  ])('is not touched by a client: %s %j', async (verb, body) => {
    await payment.record({ ...AUTHORIZED, incremental: true })
    const answer = await post(verb, body)
    expect(answer).toMatchObject(UNAUTHENTICATED)
    expect(answer.body.message).toMatch(/needs a secret key\.$/)
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(sentKinds()).toEqual([])
  })

  test('and scheduled, keeps its schedule: a null of a client does not drop it', async () => {
    await payment.record({ ...AUTHORIZED, autoCaptureAt: new Date(TOMORROW) })
    expect(await post('capture', { auto_capture_at: null })).toMatchObject(UNAUTHENTICATED)
  })

  test.each([
    ['another instant', { ...SOURCE, auto_capture_at: '2026-11-23T09:00:00.000Z' }, 'auto_capture_at'],
    ['an amount', { ...SOURCE, auto_capture_at: TOMORROW, capture_amount: '0.01' }, 'capture_amount'],
    ['an amount alone', { ...SOURCE, capture_amount: '0.01' }, 'capture_amount'],
  ])('and scheduled by the merchant, does not get %s from a client that authorizes it again', async (_, body, name) => {
    await payment.record({ ...AUTHORIZED, autoCaptureAt: new Date(TOMORROW) })
    expect(await post('authorize', body)).toMatchObject({ status: 400, body: { invalid_fields: [{ name }] } })
    expect(sentKinds()).toEqual([])
  })

  test('is not scheduled by a client that brings no source', async () => {
    await payment.record(AUTHORIZED)
    expect(await post('authorize', { auto_capture_at: TOMORROW })).toMatchObject(UNAUTHENTICATED)
    expect(sentKinds()).toEqual([])
  })

  test('in part, is not captured further', async () => {
    await payment.record({ ...AUTHORIZED, status: 'completed', capturedMinor: 1000 })
    expect(await post('capture', { capture_amount: '19.00' })).toMatchObject(UNAUTHENTICATED)
  })

  test('by another request meanwhile, is not captured by a sale that it overtakes', async () => {
    payment.play({ kind: 'unchanged' }, AUTHORIZED)
    expect(await post('capture', SOURCE)).toMatchObject(UNAUTHENTICATED)
    expect(api.payments.sent).toMatchObject([{ command: { kind: 'authorize', actor: 'client' } }])
  })

  describe('in a project that lets clients capture', () => {
    beforeAll(() => allow({ allowsClientCaptures: true }))
    afterAll(() => allow({ allowsClientCaptures: false }))

    test('is captured, scheduled and raised by a client', async () => {
      await payment.record({ ...AUTHORIZED, incremental: true })
      payment.play({ kind: 'done' })
      for (const [verb, body] of [
        ['increment_authorization', { amount: '1.00' }],
        ['capture', { auto_capture_at: TOMORROW }],
        ['capture', {}],
      ] as const)
        expect(await post(verb, body)).toMatchObject({ status: 200 })
      const autoCaptureAt = new Date(TOMORROW).getTime()
      expect(api.payments.sent.map(({ command }) => command)).toMatchObject([
        { kind: 'increment' },
        { kind: 'schedule-capture', autoCaptureAt },
        { kind: 'capture' },
      ])
      expect(api.payments.sent.every(({ command }) => command.actor === 'client')).toBe(true)
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
    ['authorize', SOURCE, null],
    ['authorize', { ...SOURCE, authorize_only: false }, { kind: 'capture', actor: 'client' }],
    ['capture', SOURCE, { kind: 'capture', actor: 'client' }],
    ['authorize', { ...SOURCE, auto_capture_at: TOMORROW }, null],
  ])('places a payment: %s %j', async (verb, body, capture) => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    expect(await post(verb, body)).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect(api.payments.sent).toMatchObject([{ command: { kind: 'authorize', actor: 'client', capture } }])
  })

  test('that repeats its sale is told where the payment stands, and captures nothing more', async () => {
    await payment.record({ ...COMPLETED, capturedMinor: 1000 })
    expect(await post('capture', { ...SOURCE, capture_amount: '19.00' })).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '10.00' } },
    })
    expect(sentKinds()).toEqual([])
  })

  test('that repeats its sale while its capture is under way captures nothing more either', async () => {
    await payment.record({ ...AUTHORIZED, capturingMinor: 2900 })
    expect(await post('capture', SOURCE)).toMatchObject({ status: 200, body: { transaction: { captured: false } } })
    expect(sentKinds()).toEqual([])
  })

  test.each([
    ['authorize_only', 'capture', SOURCE],
    ['authorize_only', 'authorize', { ...SOURCE, authorize_only: false }],
    ['auto_capture_at', 'authorize', { ...SOURCE, auto_capture_at: TOMORROW }],
    ['allow_fallback_to_sale', 'authorize', { ...SOURCE, allow_fallback_to_sale: true }],
  ])('captures no invoice that requires a backend capture, by %s of %s', async (name, verb, body) => {
    await payment.begin({ require_backend_capture: true })
    expect(await post(verb, body)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state', invalid_fields: [{ name }] },
    })
    expect(sentKinds()).toEqual([])
  })

  test.each([
    ['capture_amount', { capture_amount: '0.01' }],
    ['invoice_detail_ids', {}],
  ])(
    'does not decide by %s what the merchant captures of an invoice that requires a backend capture',
    async (name, body) => {
      await payment.begin({ require_backend_capture: true, auto_capture_at: TOMORROW, details: LINES })
      const { body: read } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
      const lines = name === 'invoice_detail_ids' ? { invoice_detail_ids: [read.invoice.details[0].id] } : {}
      expect(await post('authorize', { ...SOURCE, ...body, ...lines })).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.invalid-state', invalid_fields: [{ name }] },
      })
      expect(sentKinds()).toEqual([])
    },
  )

  test('pays no invoice of an app that leaves its customer in the browser, for lack of a return_url', async () => {
    const device = { channel: 'android' }
    await payment.begin({ device })
    for (const verb of ['authorize', 'capture'])
      expect(await post(verb, SOURCE)).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.invalid-url', message: expect.stringContaining('return_url') },
      })
    expect(sentKinds()).toEqual([])
    await payment.begin({ device, return_url: 'com.example.shop://checkout/return' })
    payment.play({ kind: 'done' }, AUTHORIZED)
    expect(await post('authorize', SOURCE)).toMatchObject({ status: 200 })
  })

  test.each([
    ['override_mac_blocking', true],
    ['initial_scheme_transaction_id', '016150703802094'],
  ])('may not send %s', async (name, value) => {
    expect(await post('authorize', { ...SOURCE, [name]: value })).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.error',
        invalid_fields: [{ name, message: 'can be set with a secret key only' }],
      },
    })
    expect(sentKinds()).toEqual([])
  })

  test('may, where the project allows it, and may always ask for nothing by them', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    const nothing = { override_mac_blocking: false, initial_scheme_transaction_id: '' }
    expect((await post('authorize', { ...SOURCE, ...nothing })).status).toBe(200)
    await allow({ allowsClientOverrides: true })
    await payment.begin()
    payment.play({ kind: 'done' }, AUTHORIZED)
    const answer = await post('authorize', { ...SOURCE, initial_scheme_transaction_id: '016150703802094' })
    await allow({ allowsClientOverrides: false })
    expect(answer.status).toBe(200)
    expect(api.payments.sent).toMatchObject([{ command: { initialSchemeTransactionId: '016150703802094' } }])
  })

  describe('that says how much is captured', () => {
    const amounts: [string, string, object][] = [
      ['capture_amount', 'capture', { ...SOURCE, capture_amount: '0.01' }],
      ['capture_amount', 'authorize', { ...SOURCE, capture_amount: '0.01', authorize_only: false }],
      ['capture_amount', 'authorize', { ...SOURCE, capture_amount: '0.01', auto_capture_at: TOMORROW }],
      ['capture_amount', 'capture', { ...SOURCE, capture_amount: '0.01', auto_capture_at: TOMORROW }],
      ['capture_amount', 'capture', { ...SOURCE, capture_amount: '0.01', capture_type: 'non-final' }],
      ['invoice_detail_ids', 'capture', SOURCE],
      ['invoice_detail_ids', 'authorize', SOURCE],
      ['invoice_detail_ids', 'authorize', { ...SOURCE, authorize_only: true }],
      ['invoice_detail_ids', 'authorize', { ...SOURCE, auto_capture_at: TOMORROW }],
    ]
    const withLine = async (name: string, body: object) => {
      const { body: read } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
      return name === 'invoice_detail_ids' ? { ...body, invoice_detail_ids: [read.invoice.details[1].id] } : body
    }
    const refused = (name: string) => ({
      status: 400,
      body: {
        error_type: 'request.validation.error',
        invalid_fields: [{ name, message: 'can be set with a secret key only' }],
      },
    })

    test.each(amounts)('by %s of %s %j is refused before anything begins', async (name, verb, body) => {
      await payment.begin({ details: LINES })
      expect(await post(verb, await withLine(name, body))).toMatchObject(refused(name))
      expect(sentKinds()).toEqual([])
    })

    test('is refused also where the project lets clients capture what is authorized', async () => {
      await allow({ allowsClientCaptures: true })
      await payment.record(AUTHORIZED)
      for (const body of [{ capture_amount: '0.01' }, { capture_amount: '0.01', auto_capture_at: TOMORROW }])
        expect(await post('capture', body)).toMatchObject(refused('capture_amount'))
      await allow({ allowsClientCaptures: false })
      expect(sentKinds()).toEqual([])
    })

    test.each(amounts)('by %s of %s %j is heard where the project allows it', async (name, verb, body) => {
      await payment.begin({ details: LINES })
      payment.play({ kind: 'done' }, AUTHORIZED)
      await allow({ allowsClientAmounts: true })
      const answer = await post(verb, await withLine(name, body))
      await allow({ allowsClientAmounts: false })
      expect(answer.status).toBe(200)
      expect(api.payments.sent).toMatchObject([{ command: { kind: 'authorize', actor: 'client' } }])
    })
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
    payment.play({ kind: 'done' }, AUTHORIZED)
    expect((await post('authorize', { source: TOKEN }, withSecret(secret))).status).toBe(200)
    expect((await post('authorize', { source: TOKEN, client_secret: secret })).status).toBe(200)
    expect(api.payments.sent[0]?.command).not.toHaveProperty('newSourceOnly')
  })

  test('that is missing says so to the payment, which then refuses a card that is stored', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
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
    payment.play({ kind: 'done' }, AUTHORIZED)
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
