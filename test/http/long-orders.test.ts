import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Interface, startInterface } from './interface.ts'
import { recordStatements } from './statements.ts'

const LINES = 1_000

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

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

describe('in a form', () => {
  const post = (path: string, text: string) => api.merchant.client.post(path, text, { form: true })
  const invoice = (more: string) => post('/invoices', `${new URLSearchParams(ORDER)}&${more}`)

  test('one line is a list of one line', async () => {
    const { body } = await invoice('details[name]=Coffee&details[amount]=1.00')
    expect(body.invoice.details).toMatchObject([{ name: 'Coffee', amount: '1.00', quantity: 1 }])
    expect(await invoice('details[name]=Coffee&details[amount]=1e0')).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'details.0.amount' }] },
    })
  })

  test.each(['invoice_detail_ids', 'invoice_detail_ids[]', 'invoice_detail_ids[0]'])(
    'one id under %s is a list of one id, for a capture and for a refund',
    async (name) => {
      const { body } = await invoice('details[][name]=Coffee&details[][amount]=1.00')
      const { id, details } = body.invoice
      const refused = { status: 400, body: { error_type: 'request.validation.missing-source' } }
      expect(await post(`/invoices/${id}/capture`, `${name}=${details[0].id}`)).toMatchObject(refused)
      const wrong = (await post(`/invoices/${id}/refunds`, `${name}=idt_no`)).body
      expect(wrong).toMatchObject({ invalid_fields: [{ name: 'invoice_detail_ids' }] })
      expect(wrong.message).not.toContain('must be a list')
    },
  )

  test('one event is a list of one event', async () => {
    const { body } = await post('/webhook-endpoints', 'url=https://shop.example/w&events_whitelist=invoice.completed')
    expect(body.webhook_endpoint.events_whitelist).toEqual(['invoice.completed'])
  })

  test('one text is no list in JSON', async () => {
    const wrong = await api.merchant.client.post('/invoices', { ...ORDER, details: { name: 'x', amount: '1.00' } })
    expect(wrong).toMatchObject({ status: 400, body: { invalid_fields: [{ name: 'details' }] } })
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
