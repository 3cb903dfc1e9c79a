import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

const PERSON = {
  email: 'ann@shop.example',
  last_name: 'Example',
  phone: { number: '684758495', dialing_code: '+33' },
  currency: 'EUR',
  balance: '-12.50',
}

describe('a deleted customer', () => {
  const SECRET = 'Geheimrat'
  const HOLDER = { name: SECRET, contact: { address1: SECRET, zip: SECRET }, device: { user_agent: SECRET } }
  const CARD = { number: '4242424242424242', exp_month: 7, exp_year: 2031, cvc2: '737', ...HOLDER }

  async function deleted() {
    const { client } = api.merchant
    const { body } = await client.post('/customers', {
      ...PERSON,
      first_name: SECRET,
      reference_id: SECRET,
      metadata: { name: SECRET },
    })
    const customerId = body.customer.id
    const { body: card } = await client.post('/cards', CARD)
    const { body: stored } = await client.post(`/customers/${customerId}/tokens`, {
      source: card.card.id,
      set_default: true,
      metadata: { name: SECRET },
    })
    await client.put(`/cards/${card.card.id}`, { name: SECRET })
    const { body: invoice } = await client.post('/invoices', {
      name: 'Order',
      amount: '29.00',
      currency: 'EUR',
      customer_id: customerId,
      shipping: { amount: '5.00', first_name: SECRET, address1: SECRET },
    })
    const paidCard = await client.post('/cards', CARD)
    const em = api.database.orm.em.fork()
    await em.nativeUpdate(CardEntity, { id: paidCard.body.card.id }, { usedByInvoiceId: invoice.invoice.id })
    const answer = await client.delete(`/customers/${customerId}`)
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    const cards = [card.card.id, paidCard.body.card.id]
    return { customerId, tokenId: stored.token.id, cards, invoiceId: invoice.invoice.id }
  }

  test('is gone with its tokens and cards, and can be neither changed nor deleted again', async () => {
    const { client } = api.merchant
    const { customerId, tokenId, cards } = await deleted()
    const paths = [`/customers/${customerId}`, `/customers/${customerId}/tokens/${tokenId}`]
    for (const path of [...paths, ...cards.map((id) => `/cards/${id}`)]) {
      for (const answer of [await client.get(path), await client.put(path, {}), await client.delete(path)]) {
        expect(answer.status).toBe(404)
      }
    }
    expect((await client.post(`/customers/${customerId}/tokens`)).status).toBe(404)
    const order = { name: 'Order', amount: '1', currency: 'EUR', customer_id: customerId }
    expect((await client.post('/invoices', order)).body.error_type).toBe('resource.customer.not-found')
  })

  test('leaves nothing personal and no card number, and leaves the books', async () => {
    const { customerId, cards, invoiceId } = await deleted()
    const em = api.database.orm.em.fork()
    const customer = await em.findOneOrFail(CustomerEntity, { id: customerId })
    const invoice = await em.findOneOrFail(InvoiceEntity, { id: invoiceId })
    const rows = await em.find(CardEntity, { id: cards })
    const events = await em.find(EventEntity, { customerId })
    expect(JSON.stringify([customer, invoice, rows, events])).not.toContain(SECRET)
    expect(rows.map(({ numberCiphertext, numberKeyId }) => [numberCiphertext, numberKeyId])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(customer).toMatchObject({ currency: 'EUR', balanceMinor: -1250, deletedAt: expect.any(Date) })
    expect(invoice).toMatchObject({ customerId, amountMinor: 2900, shipping: { amountMinor: 500, firstName: null } })
    expect(rows).toMatchObject([{ last4Digits: '4242' }, { last4Digits: '4242' }])
    expect(events.map(({ name }) => name).toSorted()).toEqual([
      'card.updated',
      'customer.created',
      'customer.deleted',
      'customer.token.created',
    ])
    expect(events.map(({ data }) => (data as { name: string }).name).toSorted()).toEqual(
      events.map(({ name }) => name).toSorted(),
    )
  })
})
