import { describe, expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { recordStatements } from './statements.ts'

const LINES = 1_000

const api = interfaceForFile()

const nameOf = (index: number) => `Organic coffee beans no. ${index}`
const amountOf = (index: number) => `${index + 1}.50`
const ORDER = { name: 'Order', amount: '1.00', currency: 'EUR' }

/** Ways of writing an order with this many lines. */
const WRITTEN: Readonly<Record<string, (lines: number) => { text: string; form: boolean }>> = {
  JSON: (lines) => {
    const details = Array.from({ length: lines }, (_, index) => ({
      name: nameOf(index),
      amount: amountOf(index),
      quantity: 2,
      reference: `SKU-${index}`,
      category: 'food',
    }))
    return { text: JSON.stringify({ ...ORDER, details }), form: false }
  },
  'a form with places': (lines) => formOf(lines, (index) => `details[${index}]`),
  'a form in order': (lines) => formOf(lines, () => 'details[]'),
}

function formOf(lines: number, placeOf: (index: number) => string) {
  const fields = new URLSearchParams(ORDER)
  for (let index = 0; index < lines; index += 1) {
    const place = placeOf(index)
    fields.append(`${place}[name]`, nameOf(index))
    fields.append(`${place}[amount]`, amountOf(index))
    fields.append(`${place}[quantity]`, '2')
  }
  return { text: fields.toString(), form: true }
}

describe.each(Object.keys(WRITTEN))('an order in %s', (way) => {
  const create = (lines: number) => {
    const { text, form } = WRITTEN[way]?.(lines) ?? { text: '', form: false }
    return api.merchant.client.post('/invoices', text, { form })
  }

  test('may have 1,000 lines, which one statement stores in their order', async () => {
    let id = ''
    const statements = await recordStatements(api.database, async () => {
      const { status, body } = await create(LINES)
      expect(status).toBe(200)
      id = body.invoice.id
    })
    expect(statements.filter((statement) => /insert into "?invoice_detail/i.test(statement))).toHaveLength(1)
    const { body } = await api.merchant.client.get(`/invoices/${id}`)
    const read = body.invoice.details as { name: string; amount: string; quantity: number }[]
    expect(read.map(({ name, amount, quantity }) => [name, amount, quantity])).toEqual(
      Array.from({ length: LINES }, (_, index) => [nameOf(index), amountOf(index), 2]),
    )
  })

  test('with more is refused, and told how many there may be', async () => {
    expect(await create(LINES + 1)).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'details', message: 'must have 1,000 lines at most' }] },
    })
  })
})

test('more ids than an invoice has lines are refused, and told how many there may be', async () => {
  const { body } = await api.merchant.client.post('/invoices', ORDER)
  const ids = Array.from({ length: LINES + 1 }, (_, index) => `idt_${index}`)
  const answer = await api.merchant.client.post(`/invoices/${body.invoice.id}/capture`, { invoice_detail_ids: ids })
  expect(answer).toMatchObject({
    status: 400,
    body: { invalid_fields: [{ name: 'invoice_detail_ids', message: 'must have 1,000 lines at most' }] },
  })
})
