import { beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, COMPLETED, createPlayedPayment, type PlayedPayment } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

beforeEach(() => payment.begin({ incremental: true }))

/** The text of a JSON body: numbers would lose their last zeros in an object. */
const post = (path: string, text: string, headers: Record<string, string> = {}) =>
  api.merchant.client.post(path, text, { headers })

const REFUSED: [string, string][] = [
  ['-1', 'came as "-1"'],
  ['-0', 'came as "-0"'],
  ['1e3', 'came as "1e3"'],
  ['1E3', 'came as "1E3"'],
  ['1.0e0', 'came as "1.0e0"'],
  ['29.12345', 'came as "29.12345"'],
  ['123456789012', 'came as "123456789012"'],
  ['29.001', 'has more decimals than EUR has'],
  ['true', 'must be a decimal number, such as "29.00" or 29.00'],
  ['[1]', 'must be a decimal number, such as "29.00" or 29.00'],
]

describe('an amount that is written as a number of JSON', () => {
  test('is taken as it is written, wherever an invoice has one', async () => {
    const { status, body } = await post(
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

  test.each(REFUSED)('is refused as %s, and told what came', async (amount, message) => {
    const refused = async (path: string, text: string, name: string) =>
      expect(await post(path, text)).toMatchObject({
        status: 400,
        body: { invalid_fields: [{ name, message: expect.stringContaining(message) }] },
      })
    const invoice = `"name": "Order", "currency": "EUR"`
    await refused('/invoices', `{${invoice}, "amount": ${amount}}`, 'amount')
    const line = `{"name": "Coffee", "amount": ${amount}}`
    await refused('/invoices', `{${invoice}, "amount": 1, "details": [${line}]}`, 'details.0.amount')
    await refused('/invoices', `{${invoice}, "amount": 1, "shipping": {"amount": ${amount}}}`, 'shipping.amount')
    await refused('/invoices', `{${invoice}, "amount": 1, "tax": {"amount": ${amount}}}`, 'tax.amount')
    const path = `/invoices/${payment.invoiceId}`
    await payment.record(AUTHORIZED)
    await refused(`${path}/capture`, `{"capture_amount": ${amount}}`, 'capture_amount')
    await refused(`${path}/increment_authorization`, `{"amount": ${amount}}`, 'amount')
    await refused(`${path}/void`, `{"amount": ${amount}}`, 'amount')
    await refused(`${path}/refunds`, `{"amount": ${amount}}`, 'amount')
    expect(api.payments.sent).toEqual([])
  })

  test('moves exactly that much', async () => {
    const amountOf = async (verb: string, text: string, values: Parameters<PlayedPayment['record']>[0]) => {
      await payment.begin()
      await payment.record(values)
      payment.play({ kind: 'done' })
      expect((await post(`/invoices/${payment.invoiceId}/${verb}`, text)).status).toBe(200)
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
      post('/invoices', `{"name": "Order", "amount": ${amount}, "currency": "EUR"}`, { 'idempotency-key': 'amount-1' })
    const first = await send('29.00')
    expect(first.status).toBe(200)
    const again = await send('"29.00"')
    expect(again.body.invoice.id).toBe(first.body.invoice.id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    for (const other of ['29.0', '29', '"29.0"', '29.01'])
      expect(await send(other)).toMatchObject({ status: 400, body: { error_type: 'request.idempotency-key.invalid' } })
  })
})
