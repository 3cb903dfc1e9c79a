import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../../support/stack.ts'
import { createStory } from '../../support/story.ts'

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

const requestsOf = async (invoiceId: string) =>
  (await stack.gatewayRequests(invoiceId)).map(({ type, amountMinor, currency }) => [type, amountMinor, currency])

describe('a decimal amount', () => {
  test.each([
    -1,
    1e21,
    0.105,
    true,
    '1e1',
    '+1.00',
    '-1.00',
    '1,00',
    '1 000.00',
    '0.105',
    '.5',
    '1.',
    '0x10',
    '١.00',
    '',
  ])('that is written as %j is refused wherever money is named, and moves none', async (amount) => {
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-amount' } }
    expect(await stack.post('/invoices', { name: 'Order', amount, currency: 'EUR' })).toMatchObject(refused)
    const { invoiceId } = await story.pay({ invoice: { incremental: true } })
    expect(await story.post(invoiceId, 'capture', { capture_amount: amount })).toMatchObject(refused)
    expect(await story.post(invoiceId, 'increment_authorization', { amount })).toMatchObject(refused)
    expect(await story.post(invoiceId, 'void', { amount })).toMatchObject(refused)
    expect(await story.post(invoiceId, 'refunds', { amount })).toMatchObject(refused)
    expect(await requestsOf(invoiceId)).toEqual([['authorization', 2900, 'EUR']])
  })

  test('adds up to the cent where fractions of a computer would not', async () => {
    const { invoiceId } = await story.pay({ invoice: { amount: '0.10', incremental: true } })
    const raised = await story.post(invoiceId, 'increment_authorization', { amount: '0.20' })
    expect(raised.body.transaction).toMatchObject({ authorized_amount: '0.30' })
    const captured = await story.post(invoiceId, 'capture', { capture_amount: '0.30' })
    expect(captured.body.transaction).toMatchObject({ captured_amount: '0.30', voided_amount: '0.00' })
    const refunded = await story.post(invoiceId, 'refunds', { amount: '0.10' })
    expect(refunded.body.transaction).toMatchObject({ refunded_amount: '0.10', available_amount: '0.20' })
    expect(await requestsOf(invoiceId)).toEqual([
      ['authorization', 10, 'EUR'],
      ['increment_authorization', 20, 'EUR'],
      ['capture', 30, 'EUR'],
      ['refund', 10, 'EUR'],
    ])
  })

  test('may have more decimals than its currency only where they are zeros', async () => {
    const invoice = await stack.createInvoice({ amount: '29.0000' })
    expect(invoice.amount).toBe('29.00')
  })
})

describe('a currency', () => {
  test.each([
    ['JPY', ['2900', '1000', '400', '1900'], [2900, 1000, 400, 1900], '0.5'],
    ['EUR', ['29.00', '10.00', '4.00', '19.00'], [2900, 1000, 400, 1900], '0.005'],
    ['KWD', ['29.001', '10.001', '4.000', '19.000'], [29_001, 10_001, 4000, 19_000], '0.0005'],
    ['CLF', ['29.0001', '10.0001', '4.0000', '19.0000'], [290_001, 100_001, 40_000, 190_000], '0.00005'],
  ] as const)('%s keeps its own number of decimals all the way to the gateway and back', async (...row) => {
    const [currency, [whole, part, back, rest], minor, tooFine] = row
    const { invoiceId, answer } = await story.pay({ invoice: { amount: whole, currency } })
    expect(answer.body.transaction).toMatchObject({ currency, amount: whole, authorized_amount: whole })

    const fine = await story.post(invoiceId, 'capture', { capture_amount: tooFine })
    expect(fine).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    await story.post(invoiceId, 'capture', { capture_amount: part, capture_type: 'non-final' })
    await story.post(invoiceId, 'refunds', { amount: back })
    const { body } = await story.post(invoiceId, 'void')
    expect(body.transaction).toMatchObject({ captured_amount: part, refunded_amount: back, voided_amount: rest })

    expect(await requestsOf(invoiceId)).toEqual([
      ['authorization', minor[0], currency],
      ['capture', minor[1], currency],
      ['refund', minor[2], currency],
      ['void', minor[3], currency],
    ])
    const shown = (await stack.get(`/invoices/${invoiceId}/refunds`)).body.refunds
    expect(shown).toMatchObject([{ amount: back, currency }])
  })

  test.each([
    ['JPY', '99999999999', 99_999_999_999],
    ['CLF', '99999999999.9999', 999_999_999_999_999],
  ])('%s is exact up to the largest amount, %s', async (currency, amount, amountMinor) => {
    const { invoiceId, answer } = await story.pay({ invoice: { amount, currency }, authorize_only: false })
    expect(answer.body.transaction).toMatchObject({ captured_amount: amount, available_amount: amount })
    expect(await requestsOf(invoiceId)).toEqual([
      ['authorization', amountMinor, currency],
      ['capture', amountMinor, currency],
    ])
  })
})

describe('rounding', () => {
  test('never happens: lines are whole minor units, and their captures and refunds add up to the invoice', async () => {
    const details = [
      { name: 'A third', amount: '33.33' },
      { name: 'Another', amount: '33.33' },
      { name: 'The rest', amount: '16.68', quantity: 2, discount_amount: '0.02' },
    ]
    const { invoiceId } = await story.pay({ invoice: { amount: '100.00', details } })
    const lines: { id: string }[] = (await stack.get(`/invoices/${invoiceId}`)).body.invoice.details
    for (const [index, { id }] of lines.entries()) {
      const capture_type = index === 2 ? 'final' : 'non-final'
      expect((await story.post(invoiceId, 'capture', { invoice_detail_ids: [id], capture_type })).status).toBe(200)
    }
    expect(await story.transactionOf(invoiceId)).toMatchObject({ captured_amount: '100.00', voided_amount: '0.00' })
    for (const { id } of lines) await story.post(invoiceId, 'refunds', { invoice_detail_ids: [id] })
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'refunded', refunded_amount: '100.00' })
    expect((await requestsOf(invoiceId)).slice(1).map(([, amountMinor]) => amountMinor)).toEqual([
      3333, 3333, 3334, 3333, 3333, 3334,
    ])
  })

  test('is no excuse: an amount beside lines must be what they come to', async () => {
    const invoice = { amount: '100.00', details: [{ name: 'A third', amount: '33.33' }] }
    const { invoiceId } = await story.pay({ invoice })
    const [{ id }] = (await stack.get(`/invoices/${invoiceId}`)).body.invoice.details
    const refused = await story.post(invoiceId, 'capture', { invoice_detail_ids: [id], capture_amount: '33.34' })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    expect(await requestsOf(invoiceId)).toHaveLength(1)
  })

  test('cannot come with a line of half a cent', async () => {
    const refused = await stack.post('/invoices', {
      name: 'Order',
      amount: '1.00',
      currency: 'EUR',
      details: [{ name: 'Nail', amount: '0.005', quantity: 200 }],
    })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
  })
})
