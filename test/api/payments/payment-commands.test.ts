import { beforeEach, describe, expect, test } from '@jest/globals'
import type { Command } from '../../../domain/command.ts'
import { CommandNoteEntity } from '../../../src/persistence/entities/command-note.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { AUTHORIZED, COMPLETED, createStubbedPayment, SOURCE, type StubbedPayment } from '../../http/stubbed-payment.ts'

const api = interfaceForFile()
const payment = createStubbedPayment(api)

beforeEach(() => payment.begin())

const WITH_KEY = { headers: { 'idempotency-key': 'order-1' } }
/** Under its lock the payment claims the key by this, so that a repeated request moves no money. */
const CLAIMS = { idempotency: { id: expect.stringMatching(/^[0-9a-f]{64}$/) } }

const CAPTURE = { kind: 'pay', call: 'capture', source: null }

describe('a command', () => {
  test('names the payment as its title does, and carries neither card data nor text', async () => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    await payment.post('authorize', { ...SOURCE, incremental: true })
    expect(api.payments.sent).toEqual([
      {
        payment: {
          projectId: api.merchant.projectId,
          environment: 'sandbox',
          invoiceId: payment.invoiceId,
          amountMinor: 2900,
          currency: 'EUR',
          orderId: 'A-1',
        },
        command: {
          kind: 'pay',
          call: 'authorize',
          captureOperationId: expect.stringMatching(/^tr_op_/),
          currency: 'EUR',
          operationId: expect.stringMatching(/^tr_op_/),
          actor: 'merchant',
          deadline: api.clock.now().getTime() + 60_000,
          source: SOURCE.source,
          preferredScheme: null,
          initialSchemeTransactionId: null,
          incremental: true,
          mayFallBackToSale: false,
          saveSource: false,
          authorizeOnly: null,
          autoCaptureAt: null,
          amountMinor: null,
          detailIds: null,
          captureType: null,
          idempotency: null,
        } satisfies Command | Record<string, unknown>,
      },
    ])
  })

  test.each([
    ['increment_authorization', { amount: '5.00' }, { kind: 'increment', amountMinor: 500 }],
    ['void', {}, { kind: 'void', amountMinor: null, reason: null }],
    ['void', { amount: '5.00' }, { kind: 'void', amountMinor: 500, reason: null }],
    ['void', { amount: null }, { kind: 'void', amountMinor: null, reason: null }],
    ['capture', {}, { ...CAPTURE, amountMinor: null, detailIds: null, captureType: null }],
    ['capture', { capture_amount: '5.00' }, { ...CAPTURE, amountMinor: 500, captureType: null }],
    [
      'capture',
      { capture_amount: '5.00', capture_type: 'non-final' },
      { ...CAPTURE, amountMinor: 500, captureType: 'non-final' },
    ],
    ['capture', { capture_type: 'final' }, { ...CAPTURE, amountMinor: null, captureType: 'final' }],
    [
      'capture',
      { auto_capture_at: '2026-11-22T09:00:00Z' },
      { ...CAPTURE, autoCaptureAt: Date.parse('2026-11-22T09:00:00Z'), amountMinor: null },
    ],
    ['capture', { auto_capture_at: null }, { ...CAPTURE, autoCaptureAt: null, cancelsAutoCapture: true }],
    ['refunds', {}, { kind: 'refund', refundId: expect.stringMatching(/^refd_/), amountMinor: null, reason: 'other' }],
    ['refunds', { amount: '5.00', reason: 'duplicate' }, { kind: 'refund', amountMinor: 500, reason: 'duplicate' }],
  ])('%s with %j, and claims the idempotency key', async (verb, body, expected) => {
    await payment.record(verb === 'refunds' ? COMPLETED : { ...AUTHORIZED, incremental: true })
    payment.answerWith({ kind: 'done' })
    const { status } = await api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, body, WITH_KEY)
    expect(status).toBe(200)
    expect(api.payments.sent.map(({ command }) => command)).toMatchObject([{ ...expected, ...CLAIMS }])
  })

  test.each(['authorize', 'capture', 'three-d-s'])('%s with a source claims the idempotency key', async (verb) => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    await api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, SOURCE, WITH_KEY)
    expect(api.payments.sent).toMatchObject([{ command: { kind: 'pay', call: verb, ...CLAIMS } }])
  })

  test('takes a continuation for a source, and carries nothing of what stands in it but a known word', async () => {
    const continuation = { url: 'https://evil.example/?token=test-valid', body: 'Ann Example' }
    const source = `gway_req_${Buffer.from(JSON.stringify(continuation)).toString('base64')}`
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    expect((await payment.post('authorize', { source })).status).toBe(200)
    expect(api.payments.sent[0]?.command).toMatchObject({ source: 'gway_req_test-valid' })
  })

  test('to refund keeps the texts of the merchant out of histories', async () => {
    const transaction = await payment.record(COMPLETED)
    payment.answerWith({ kind: 'done' })
    const body = { amount: '5.00', information: 'Ann Example', metadata: { shelf: 'B 12' } }
    const { status } = await api.merchant.client.post(`/transactions/${transaction.id}/refunds`, body, WITH_KEY)
    expect(status).toBe(200)
    const [sent] = api.payments.sent
    expect(sent).toMatchObject({ payment: { invoiceId: payment.invoiceId }, command: { kind: 'refund', ...CLAIMS } })
    expect(JSON.stringify(sent)).not.toMatch(/Ann Example|B 12/)
    const em = api.database.orm.em.fork()
    const note = await em.findOneOrFail(CommandNoteEntity, { operationId: sent?.command.operationId ?? '' })
    expect(note.content).toEqual({ information: 'Ann Example', metadata: { shelf: 'B 12' } })
  })
})

test.each(['authorize', 'capture'])('%s saves its source with the client secret of the invoice', async (verb) => {
  const { body } = await api.merchant.client.post('/customers')
  await payment.begin({ customer_id: body.customer.id })
  expect(await payment.post(verb, { ...SOURCE, save_source: true, client_secret: 'ivs_other' })).toMatchObject({
    status: 400,
    body: { error_type: 'request.validation.invalid-client-secret', invalid_fields: [{ name: 'client_secret' }] },
  })
  const { headers } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
  payment.answerWith({ kind: 'done' }, COMPLETED)
  const client_secret = headers.get('x-service-client-secret')
  expect((await payment.post(verb, { ...SOURCE, save_source: true, client_secret })).status).toBe(200)
  expect(api.payments.sent).toMatchObject([{ command: { kind: 'pay', saveSource: true } }])
})

describe('lines of an invoice', () => {
  const LINES = [
    { name: 'Book', amount: '10.00', quantity: 2 },
    { name: 'Pen', amount: '10.00', discount_amount: '1.00' },
  ]
  let ids: string[]

  beforeEach(async () => {
    await payment.begin({ details: LINES })
    const { body } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
    ids = body.invoice.details.map(({ id }: { id: string }) => id)
  })

  test.each([
    ['capture', AUTHORIZED],
    ['refunds', COMPLETED],
  ] as const)('are what %s is for, and what they come to', async (verb, values) => {
    await payment.record(values)
    payment.answerWith({ kind: 'done' })
    for (const [chosen, amountMinor] of [
      [[ids[0]], 2000],
      [[ids[1]], 900],
      [ids, 2900],
    ]) {
      expect((await payment.post(verb, { invoice_detail_ids: chosen })).status).toBe(200)
      expect(api.payments.sent.at(-1)?.command).toMatchObject({ amountMinor, detailIds: chosen })
    }
  })

  test('chosen with an authorization wait for its capture', async () => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    await payment.post('authorize', { ...SOURCE, invoice_detail_ids: [ids[1]] })
    expect(api.payments.sent[0]?.command).toMatchObject({
      autoCaptureAt: null,
      amountMinor: 900,
      detailIds: [ids[1]],
    })
  })
})

/** The bodies here are texts: in an object a number would lose its last zeros. */
describe('an amount that is written as a number of JSON', () => {
  test('is taken as it is written, wherever an invoice has one', async () => {
    const { status, body } = await api.merchant.client.post(
      '/invoices',
      `{"name": "Order", "amount": 29.10, "currency": "EUR",
        "details": [{"name": "Coffee", "amount": 0.1, "quantity": 3, "discount_amount": 0.20}],
        "shipping": {"amount": 4.5}, "tax": {"amount": 1}, "gateway_data": {"amount": 5.50, "n": 1e3}}`,
    )
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject({
      amount: '29.10',
      details: [{ amount: '0.10', quantity: 3, discount_amount: '0.20' }],
      shipping: { amount: '4.50' },
      tax: { amount: '1.00' },
      gateway_data: { amount: 5.5, n: 1000 },
    })
    const changed = await api.merchant.client.put(`/invoices/${body.invoice.id}`, '{"amount": 29.2, "tax.amount": 2.0}')
    expect(changed.body.invoice).toMatchObject({ amount: '29.20', tax: { amount: '2.00' } })
  })

  test('moves exactly that much', async () => {
    const amountOf = async (verb: string, text: string, values: Parameters<StubbedPayment['record']>[0]) => {
      await payment.begin()
      await payment.record(values)
      payment.answerWith({ kind: 'done' })
      expect((await api.merchant.client.post(`/invoices/${payment.invoiceId}/${verb}`, text)).status).toBe(200)
      const [{ command } = { command: {} }] = api.payments.sent
      return 'amountMinor' in command ? command.amountMinor : null
    }
    const amounts = [
      await amountOf('increment_authorization', '{"amount": 5.10}', { ...AUTHORIZED, incremental: true }),
      await amountOf('capture', '{"capture_amount": 10.5}', AUTHORIZED),
      await amountOf('void', '{"amount": 0.07}', AUTHORIZED),
      await amountOf('refunds', '{"amount": 29.00}', COMPLETED),
    ]
    expect(amounts).toEqual([510, 1050, 7, 2900])
  })

  test('is the same request as its text, and another one with other digits', async () => {
    const send = (amount: string) =>
      api.merchant.client.post('/invoices', `{"name": "Order", "amount": ${amount}, "currency": "EUR"}`, WITH_KEY)
    const first = await send('29.00')
    expect(first.status).toBe(200)
    const again = await send('"29.00"')
    expect(again.body.invoice.id).toBe(first.body.invoice.id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    for (const other of ['29.0', '29', '"29.0"', '29.01'])
      expect(await send(other)).toMatchObject({ status: 400, body: { error_type: 'request.idempotency-key.invalid' } })
  })
})
