import { beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, COMPLETED, createPlayedPayment, SOURCE } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

beforeEach(() => payment.begin())

describe('a source that is to be saved', () => {
  const CLIENT_SECRET = 'x-service-client-secret'

  async function beginForCustomer(): Promise<string> {
    const { body } = await api.merchant.client.post('/customers')
    await payment.begin({ customer_id: body.customer.id })
    const { headers } = await api.merchant.client.get(`/invoices/${payment.invoiceId}`)
    return headers.get(CLIENT_SECRET) ?? ''
  }

  test.each([
    ['no client secret', {}, {}],
    ['a client secret that is not the invoice’s', { client_secret: 'ivs_other' }, {}],
    ['a wrong header', {}, { [CLIENT_SECRET]: 'ivs_other' }],
  ])('is not, with %s', async (_, fields, headers) => {
    await beginForCustomer()
    const path = `/invoices/${payment.invoiceId}/authorize`
    const answer = await api.merchant.client.post(path, { ...SOURCE, save_source: true, ...fields }, { headers })
    expect(answer).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-client-secret', invalid_fields: [{ name: 'client_secret' }] },
    })
    expect(api.payments.sent).toEqual([])
  })

  test.each(['authorize', 'capture'])('needs the client secret of the invoice, in the body: %s', async (verb) => {
    const secret = await beginForCustomer()
    payment.play({ kind: 'done' }, COMPLETED)
    const { status } = await payment.post(verb, { ...SOURCE, save_source: true, client_secret: secret })
    expect(status).toBe(200)
    expect(api.payments.sent[0]?.command).toMatchObject({ kind: 'authorize', saveSource: true })
  })
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
    [
      'with an amount that is not theirs',
      () => ({ invoice_detail_ids: ids, capture_amount: '28.00' }),
      'invalid-amount',
      'capture_amount is not what the chosen lines of the invoice come to.',
    ],
    [
      'of another invoice',
      () => ({ invoice_detail_ids: ['iv_det_other'] }),
      'invalid-id',
      'invoice_detail_ids names iv_det_other, which is not a detail of this invoice.',
    ],
    [
      'named twice',
      () => ({ invoice_detail_ids: [ids[0], ids[0]] }),
      'invalid-id',
      expect.stringMatching(/^invoice_detail_ids names iv_det_\w+ twice\.$/),
    ],
  ])('%s are refused', async (_, fields, code, message) => {
    await payment.record(AUTHORIZED)
    expect(await payment.post('capture', fields())).toMatchObject({
      status: 400,
      body: { error_type: `request.validation.${code}`, message },
    })
    expect(api.payments.sent).toEqual([])
  })

  test.each([
    ['capture', AUTHORIZED],
    ['refunds', COMPLETED],
  ] as const)('are what %s is for, and what they come to', async (verb, values) => {
    await payment.record(values)
    payment.play({ kind: 'done' })
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
    payment.play({ kind: 'done' }, AUTHORIZED)
    await payment.post('authorize', { ...SOURCE, invoice_detail_ids: [ids[1]] })
    expect(api.payments.sent[0]?.command).toMatchObject({
      autoCaptureAt: null,
      autoCaptureAmountMinor: 900,
      autoCaptureDetailIds: [ids[1]],
    })
  })
})

test.each(['4242424242424242', '378282246310005', 'x4242-4242-4242-4242', '4242_4242_4242_4242', '4222222222222.1'])(
  'a card number goes no further as the scheme transaction id %s',
  async (id) => {
    await payment.begin()
    expect(await payment.post('authorize', { ...SOURCE, initial_scheme_transaction_id: id })).toMatchObject({
      status: 400,
      body: {
        invalid_fields: [{ name: 'initial_scheme_transaction_id', message: expect.stringContaining('no card number') }],
      },
    })
    expect(api.payments.sent).toEqual([])
  },
)
