import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { eraseEventData } from '../../../src/objects/erased-event.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { EventEntity, type EventRow } from '../../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { emptyToken } from '../../../src/persistence/queries/customers/customer-tokens.ts'
import { expireInvoices } from '../../../src/sweeps/invoice-expiry.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { recordStatements } from '../../http/statements.ts'
import { waitFor } from '../../support/wait-for.ts'

const api = interfaceForFile()

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
      'customer.token.deleted',
    ])
    expect(events.map(({ data }) => (data as { name: string }).name).toSorted()).toEqual(
      events.map(({ name }) => name).toSorted(),
    )
  })

  test('leaves the name in no file of a table or an index, once PostgreSQL has cleaned up', async () => {
    const em = api.database.orm.em.fork()
    const [{ folder = '' } = {}] = await em.execute<{ folder: string }[]>(
      `select current_setting('data_directory') || '/base/' || oid as folder from pg_database where datname = current_database()`,
    )
    /** The tables and indexes that hold it, in whatever case. */
    const holders = async () => {
      await em.execute('checkpoint')
      const names = await em.execute<{ name: string; file: string }[]>(
        `select oid::regclass::text as name, pg_relation_filenode(oid)::text as file from pg_class
          where pg_relation_filenode(oid) is not null`,
      )
      return names.flatMap(({ name, file }) => {
        const bytes = existsSync(join(folder, file)) ? readFileSync(join(folder, file)).toString('latin1') : ''
        return bytes.toLowerCase().includes(SECRET.toLowerCase()) ? [name] : []
      })
    }
    await deleted()
    expect((await holders()).length).toBeGreaterThan(3)
    const [{ tables = '' } = {}] = await em.execute<{ tables: string }[]>(
      `select string_agg(format('%I.%I', schemaname, tablename), ', ') as tables from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    // What an older snapshot may still see stays, such as that of an automatic analyze.
    await waitFor(async () => {
      await em.execute(`vacuum (full, analyze) ${tables}`)
      expect(await holders()).toEqual([])
      return true
    })
  })

  test('leaves nothing personal in the events of an invoice from before it was the customer’s', async () => {
    const { client } = api.merchant
    const shipping = { amount: '5.00', first_name: SECRET, email: 'ann@shop.example' }
    const order = { name: 'Order', amount: '29.00', currency: 'EUR', shipping }
    const { body } = await client.post('/invoices', order)
    const invoiceId = String(body.invoice.id)
    const em = () => api.database.orm.em.fork()
    const expiresAt = new Date(api.clock.now().getTime() - 3_600_000)
    await em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { expiresAt, awaitsExpiry: true })
    await expireInvoices({ orm: api.database.orm, clock: api.clock, randomBytes, announce: () => undefined })
    const events = async () => JSON.stringify(await em().find(EventEntity, { invoiceId }))
    expect(await events()).toContain(SECRET)

    const { body: assigned } = await client.post(`/invoices/${invoiceId}/customers`, PERSON)
    expect((await client.delete(`/customers/${assigned.customer.id}`)).status).toBe(200)
    expect(await events()).not.toContain(SECRET)
    expect(await events()).not.toContain(PERSON.email)
  })
})

describe('the tokens of a deleted customer', () => {
  const client = () => api.merchant.client
  const em = () => api.database.orm.em.fork()
  const newCustomer = async (body: object = {}) => String((await client().post('/customers', body)).body.customer.id)
  const newToken = async (customerId: string, body: object = {}) =>
    (await client().post(`/customers/${customerId}/tokens`, body)).body.token
  const newSource = async () =>
    (await client().post('/cards', { number: '4242424242424242', exp_month: 7, exp_year: 2031 })).body.card.id

  /** What the deletion of a customer has told, in the order in which it was written. */
  async function eventsOfDeletion(customerId: string) {
    const rows = await em().execute<{ id: string }[]>(
      "select id from event where customer_id = ? and name like '%.deleted' order by written_by, position",
      [customerId],
    )
    const events = await em().find(EventEntity, { customerId })
    return rows.flatMap(({ id }) => events.filter((event) => event.id === id))
  }

  const tokenIn = ({ data }: EventRow) => (data as { token?: { id: string } }).token?.id ?? null
  const ownTargets = async ({ id: eventId }: EventRow) =>
    (await em().find(DeliveryEntity, { eventId })).flatMap(({ endpointId, targetUrl }) =>
      endpointId === null ? [targetUrl] : [],
    )

  /** Tokens as a merchant has them after years, without a request for each. */
  async function insertTokens(customerId: string, count: number, webhookUrl: string | null) {
    const blank = emptyToken({ projectId: api.merchant.projectId, sandbox: true, id: '', customerId }, api.clock.now())
    const ids = Array.from({ length: count }, () => makeIdentifier('token', randomBytes))
    await em().insertMany(
      CustomerTokenEntity,
      ids.map((id) => ({ ...blank, id, webhookUrl })),
    )
    return ids
  }

  test('are told of once: neither one that was deleted before, nor those of another customer', async () => {
    const [customerId, other] = [await newCustomer(), await newCustomer()]
    const [gone, kept] = [await newToken(customerId), await newToken(customerId)]
    await newToken(other)
    await client().delete(`/customers/${customerId}/tokens/${gone.id}`)
    await client().delete(`/customers/${customerId}`)
    expect((await eventsOfDeletion(customerId)).map((event) => [event.name, tokenIn(event)])).toEqual([
      ['customer.token.deleted', gone.id],
      ['customer.token.deleted', kept.id],
      ['customer.deleted', null],
    ])
    expect(await eventsOfDeletion(other)).toEqual([])
  })

  test('are not told of where the customer is not deleted', async () => {
    const customerId = await newCustomer()
    await newToken(customerId)
    const stranger = await api.makeMerchant({ sandbox: true })
    expect((await stranger.client.delete(`/customers/${customerId}`)).status).toBe(404)
    expect(await eventsOfDeletion(customerId)).toEqual([])
  })

  test('are told of to whom they are for, each to its own address, before the customer', async () => {
    const { body } = await client().post('/webhook-endpoints', {
      url: 'https://shop.example/all',
      events_whitelist: ['customer.token.deleted', 'customer.deleted'],
    })
    const customerId = await newCustomer()
    const urls = ['https://shop.example/a', 'https://shop.example/b', 'https://shop.example/a', null]
    const tokens = []
    for (const webhook_url of urls) tokens.push(await newToken(customerId, { webhook_url }))
    const before = api.announced.length
    await client().delete(`/customers/${customerId}`)
    const events = await eventsOfDeletion(customerId)
    expect(events.at(-1)?.name).toBe('customer.deleted')
    expect(events).toHaveLength(5)
    for (const [index, { id }] of tokens.entries()) {
      const event = events.find((one) => tokenIn(one) === id)
      const url = urls[index]
      expect(event === undefined ? null : await ownTargets(event)).toEqual(url === null ? [] : [url])
    }
    expect(await em().count(DeliveryEntity, { endpointId: body.webhook_endpoint.id })).toBe(5)
    expect(api.announced.slice(before).map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id))
    await client().delete(`/webhook-endpoints/${body.webhook_endpoint.id}`)
  })

  test('are told of as one that is deleted alone, without what was personal', async () => {
    const deleted = async (path: (customerId: string, tokenId: string) => string) => {
      const customerId = await newCustomer({ ...PERSON, metadata: { name: 'Ann' } })
      const source = await newSource()
      const token = await newToken(customerId, { source, set_default: true, metadata: { name: 'Ann' } })
      expect((await client().delete(path(customerId, token.id))).status).toBe(200)
      const [event] = await eventsOfDeletion(customerId)
      const ids = [customerId, token.id, source]
      return { event, ids, data: event?.data ?? {} }
    }
    const alone = await deleted((customerId, tokenId) => `/customers/${customerId}/tokens/${tokenId}`)
    const along = await deleted((customerId) => `/customers/${customerId}`)
    const sameIds = (text: string) =>
      along.ids.reduce((so, id, index) => so.replaceAll(id, alone.ids[index] ?? ''), text)
    expect(JSON.stringify(along.data)).not.toMatch(/\bAnn\b|ann@|Example|684758495|\b4242/)
    expect(JSON.parse(sameIds(JSON.stringify(along.data)))).toEqual(eraseEventData(alone.data))
    const { id: _, data: __, customerId, ...about } = alone.event ?? {}
    expect(along.event).toMatchObject(about)
    expect(customerId).toBe(alone.ids[0])
  })

  test('that are hundreds are told of in as few statements as one', async () => {
    const deletion = async (count: number) => {
      const customerId = await newCustomer()
      const urls = ['https://shop.example/a', null] as const
      const ids = []
      for (const url of urls) ids.push(...(await insertTokens(customerId, count, url)))
      const statements = await recordStatements(api.database, async () => {
        expect((await client().delete(`/customers/${customerId}`)).status).toBe(200)
      })
      const events = (await eventsOfDeletion(customerId)).flatMap((event) => tokenIn(event) ?? [])
      expect(events.toSorted()).toEqual(ids.toSorted())
      return statements.length
    }
    expect(await deletion(300)).toBe(await deletion(1))
  })
})
