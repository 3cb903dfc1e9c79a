import { beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceForFile } from '../../http/interface.ts'
import { AUTHORIZED, COMPLETED, createStubbedPayment, SOURCE } from '../../http/stubbed-payment.ts'

const api = interfaceForFile()
const payment = createStubbedPayment(api)

beforeEach(() => payment.begin())

describe('the answer to a payment', () => {
  test('that was approved is the transaction', async () => {
    payment.answerWith({ kind: 'done' }, AUTHORIZED)
    const { status, body } = await payment.post('authorize', SOURCE)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      outcome: 'success',
      transaction: {
        invoice_id: payment.invoiceId,
        status: 'authorized',
        authorized_amount: '29.00',
        operations: null,
      },
    })
    const read = await api.merchant.client.get(`/transactions/${body.transaction.id}`)
    expect(read.body).toEqual({ success: true, transaction: body.transaction })
    const invoice = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
    expect(invoice.body.invoice).toMatchObject({ transaction_id: body.transaction.id, status: 'authorized' })
  })

  test('that was declined is 410 with the code', async () => {
    const retryAfter = new Date('2026-11-22T09:00:00.000Z')
    payment.answerWith(
      { kind: 'declined', code: 'card.do-not-honor' },
      {
        status: 'failed',
        errorCode: 'card.do-not-honor',
        merchantAdviceCode: '25',
        recommendationCode: 'retry-after',
        retryAfter,
      },
    )
    const { status, headers, body } = await payment.post('authorize', SOURCE)
    expect(status).toBe(410)
    expect(body.transaction).toMatchObject({
      invoice_id: payment.invoiceId,
      status: 'failed',
      error_code: 'card.do-not-honor',
      merchant_advice_code: '25',
      merchant_advice_reason: expect.any(String),
      recommendation_code: 'retry-after',
      retry_after: retryAfter.toISOString(),
    })
    expect(body).toEqual({
      transaction: (await api.merchant.client.get(`/transactions/${body.transaction.id}`)).body.transaction,
      success: false,
      outcome: 'failed',
      error_type: 'card.do-not-honor',
      message: 'The issuer declined the payment and gave no reason.',
      doc_url: `${api.url}/docs/errors#card.do-not-honor`,
      request_log_url: `${api.url}/dashboard/#/test-${api.merchant.projectId}/requests?request_id=${headers.get('x-request-id')}`,
      authorized: false,
      captured: false,
      request_id: headers.get('x-request-id'),
    })
  })

  test('that was authorized and whose capture was declined says so', async () => {
    payment.answerWith({ kind: 'declined', code: 'card.declined' }, AUTHORIZED)
    const answer = await payment.post('capture', SOURCE)
    expect(answer).toMatchObject({
      status: 410,
      body: { error_type: 'card.declined', authorized: true, captured: false },
    })
  })

  test('whose outcome is open is a success that is pending', async () => {
    payment.answerWith({ kind: 'pending' }, { status: 'pending' })
    const answer = await payment.post('authorize', SOURCE)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'pending', message: expect.any(String), transaction: { status: 'pending' } },
    })
  })

  test.each([
    ['request.validation.invalid-state', 400, undefined],
    ['request.validation.missing-source', 400, 'source'],
    ['request.source.card-already-used', 400, 'source'],
    ['request.validation.invalid-amount', 400, 'capture_amount'],
    ['request.validation.invalid-date', 400, 'auto_capture_at'],
    ['request.source.invalid', 400, 'source'],
    ['request.validation.invalid-id', 400, 'invoice_detail_ids'],
    ['resource.card.not-found', 404, 'source'],
    ['resource.token.not-found', 404, 'source'],
    ['resource.customer.not-found', 404, 'source'],
    ['request.gateway.operation-not-supported', 400, undefined],
    ['request.still-processing', 409, undefined],
    ['request.not-started', 503, undefined],
    ['request.configuration.missing-gateway-configuration', 400, undefined],
  ] as const)(
    'that was refused with %s has the status of the code and names the field',
    async (code, status, field) => {
      payment.answerWith({ kind: 'refused', code, message: 'Because.' })
      const answer = await payment.post('capture', SOURCE)
      expect(answer).toMatchObject({ status, body: { success: false, error_type: code, message: 'Because.' } })
      expect(answer.body.invalid_fields).toEqual(
        field === undefined ? undefined : [{ name: field, message: 'Because.' }],
      )
      expect(answer.headers.has('retry-after')).toBe(status === 409 || status === 503)
    },
  )

  test('that came after the end of the authorization is a failure of the payment', async () => {
    await payment.record(AUTHORIZED)
    payment.answerWith({ kind: 'refused', code: 'gateway.expired', message: 'The authorization has expired.' })
    const answer = await payment.post('capture')
    expect(answer).toMatchObject({
      status: 410,
      body: { error_type: 'gateway.expired', outcome: 'failed', captured: false },
    })
  })

  test('that nobody gives is 503 where nothing has begun', async () => {
    payment.answerWith({ kind: 'no-answer' })
    const answer = await payment.post('authorize', SOURCE)
    expect(answer).toMatchObject({ status: 503, body: { success: false, error_type: 'request.not-started' } })
    expect(answer.headers.get('retry-after')).toBe('5')
  })

  test('that nobody gives is pending where the attempt is written', async () => {
    api.payments.answerWith(async ({ operationId }) => {
      await payment.record({ status: 'waiting' })
      await payment.operate(operationId)
      return { kind: 'no-answer' }
    })
    const answer = await payment.post('authorize', SOURCE)
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'pending', transaction: { status: 'waiting' } } })
  })
})

const VOIDED = { status: 'voided', authorizedMinor: 2900, voidedMinor: 2900 } as const
const failing = (errorType: string) => ({ success: false, error_type: errorType })
const shown = (transaction: object) => ({ success: true, outcome: 'success', transaction })

test.each<[verb: string, body: object, record: Parameters<typeof payment.record>[0], status: number, answer: object]>([
  ['capture', {}, COMPLETED, 200, shown({ status: 'completed', captured_amount: '29.00' })],
  ['authorize', SOURCE, COMPLETED, 200, shown({ status: 'completed', captured_amount: '29.00' })],
  ['void', {}, COMPLETED, 400, failing('request.validation.invalid-state')],
  ['capture', SOURCE, VOIDED, 400, failing('request.validation.invalid-state')],
  ['capture', {}, { ...VOIDED, expired: true }, 410, failing('gateway.expired')],
  ['void', {}, VOIDED, 200, shown({ status: 'voided', voided: true })],
])('%s %j of a payment that has ended needs no command: %j is %i %j', async (verb, body, record, status, answer) => {
  await payment.record(record)
  expect(await payment.post(verb, body)).toMatchObject({ status, body: answer })
  expect(api.payments.sent).toEqual([])
})

const get = async (path: string) => (await api.merchant.client.get(path)).body

describe('an answer to a client library that reads one object', () => {
  test('has the transaction of an invoice beside the list of its transactions', async () => {
    const path = `/invoices/${payment.invoiceId}/transactions`
    expect(await get(path)).not.toHaveProperty('transaction')
    await payment.record(AUTHORIZED)
    const { transaction, transactions } = await get(path)
    expect(transaction).toMatchObject({ invoice_id: payment.invoiceId, status: 'authorized' })
    expect(transactions).toEqual([transaction])
    const expanded = await get(`${path}?expand=invoice`)
    expect(expanded.transaction.invoice).toMatchObject({ id: payment.invoiceId })
    expect(await get('/transactions')).not.toHaveProperty('transaction')
  })

  test('has the invoice beside its transaction after a synchronization, and no transaction where there is none', async () => {
    await payment.begin({ details: [{ name: 'Coffee', amount: '29.00' }] })
    const sync = async () => (await api.merchant.client.put(`/invoices/${payment.invoiceId}/sync-with-psp`)).body
    const unpaid = await sync()
    expect(unpaid).toEqual({ success: true, outcome: 'success', customer_token_id: null, invoice: unpaid.invoice })
    await payment.record(AUTHORIZED)
    const { invoice, transaction } = await sync()
    const read = await get(`/invoices/${payment.invoiceId}`)
    expect(invoice).toEqual(read.invoice)
    expect(invoice).toMatchObject({ status: 'authorized', details: [{ name: 'Coffee' }] })
    expect(transaction.id).toBe(invoice.transaction_id)
  })
})
