import { describe, expect, test } from '@jest/globals'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { interfaceForFile } from '../../http/interface.ts'

const api = interfaceForFile()

const PERSON = {
  email: 'ann@shop.example',
  first_name: 'Ann',
  last_name: 'Example',
  address1: '1 Rue de la Paix',
  address2: 'Cedex 7',
  city: 'Paris',
  state: 'Île-de-France',
  zip: '75002',
  country_code: 'FR',
  phone: { number: '684758495', dialing_code: '+33' },
  legal_document: '853.513.468-93',
  ip_address: '2001:db8::1',
  sex: 'female',
  date_of_birth: '1990-01-31',
  is_business: true,
  currency: 'EUR',
  balance: '-12.50',
  metadata: { shop: 'north' },
  reference_id: 'customer-1',
  registered_at: '2020-02-29T12:00:00+02:00',
}

const BLANK = {
  id: expect.stringMatching(/^cust_[0-9A-Za-z]{32}$/),
  default_token_id: null,
  default_token: null,
  tokens: null,
  transactions: null,
  email: null,
  first_name: null,
  last_name: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  country_code: null,
  phone: null,
  phone_number: null,
  legal_document: null,
  ip_address: null,
  sex: null,
  date_of_birth: null,
  is_business: false,
  currency: null,
  balance: '0',
  metadata: {},
  reference_id: null,
  registered_at: '2026-11-21T09:00:00.000Z',
  sandbox: true,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
}

const post = (body: object = {}) => api.merchant.client.post('/customers', body)

async function eventsOf(customerId: string) {
  const em = api.database.orm.em.fork()
  return em.find(EventEntity, { customerId }, { orderBy: { id: 'asc' } })
}

describe('a new customer', () => {
  test('may be empty, or have every field unset', async () => {
    const unset = Object.fromEntries(Object.keys(PERSON).map((name) => [name, null]))
    for (const { status, body } of [await post(), await post(unset)]) {
      expect(status).toBe(200)
      expect(body.customer).toEqual({ ...BLANK, project_id: api.merchant.projectId })
    }
  })

  test('comes back with all that was sent, and is read again as it was', async () => {
    const { status, body } = await post(PERSON)
    expect(status).toBe(200)
    expect(body.customer).toEqual({
      ...BLANK,
      ...PERSON,
      project_id: api.merchant.projectId,
      phone_number: '+33684758495',
      date_of_birth: '1990-01-31T00:00:00.000Z',
      registered_at: '2020-02-29T10:00:00.000Z',
    })
    expect((await api.merchant.client.get(`/customers/${body.customer.id}`)).body).toEqual(body)
  })

  test('fires its event, with what was sent', async () => {
    const { body } = await post({ email: 'eve@shop.example' })
    const [event, ...others] = await eventsOf(body.customer.id)
    expect(others).toEqual([])
    const read = await api.merchant.client.get(`/events/${event?.id}`)
    expect(read.body.event).toMatchObject({
      name: 'customer.created',
      transaction_id: null,
      sequence: null,
      data: { name: 'customer.created', sandbox: true, customer: body.customer },
    })
  })
})

describe('a changed customer', () => {
  test('keeps what is not named or null, and loses what is empty', async () => {
    const { body: created } = await post(PERSON)
    api.clock.advance(1000)
    const { body } = await api.merchant.client.put(`/customers/${created.customer.id}`, {
      first_name: 'Anna',
      last_name: null,
      city: '',
      metadata: { shop: 'south' },
    })
    expect(body.customer).toEqual({
      ...created.customer,
      first_name: 'Anna',
      city: null,
      metadata: { shop: 'south' },
      updated_at: '2026-11-21T09:00:01.000Z',
    })
    expect((await api.merchant.client.get(`/customers/${created.customer.id}`)).body).toEqual(body)
    expect((await eventsOf(created.customer.id)).map(({ name }) => name).toSorted()).toEqual([
      'customer.created',
      'customer.updated',
    ])
  })

  test('cannot change the currency once it is set', async () => {
    const { body } = await post()
    const path = `/customers/${body.customer.id}`
    expect((await api.merchant.client.put(path, { currency: 'eur', balance: '5' })).body.customer).toMatchObject({
      currency: 'EUR',
      balance: '5.00',
    })
    expect(await api.merchant.client.put(path, { currency: 'USD' })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-currency' },
    })
    expect((await api.merchant.client.put(path, { currency: 'EUR' })).status).toBe(200)
  })

  test('has no default token but one of its own', async () => {
    const { body } = await post()
    const { body: other } = await post()
    const { body: stored } = await api.merchant.client.post(`/customers/${other.customer.id}/tokens`)
    const answer = await api.merchant.client.put(`/customers/${body.customer.id}`, {
      default_token_id: stored.token.id,
    })
    expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.token.not-found' } })
    const own = await api.merchant.client.put(`/customers/${other.customer.id}`, { default_token_id: stored.token.id })
    expect(own.body.customer.default_token_id).toBe(stored.token.id)
  })
})
