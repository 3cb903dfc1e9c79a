import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

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
  test.each([
    ['email', { email: 'ann' }, 'request.validation.invalid-email'],
    ['first_name', { first_name: 'x'.repeat(81) }, 'request.validation.invalid-name'],
    ['city', { city: 'x'.repeat(81) }, 'request.validation.invalid-address'],
    ['zip', { zip: '1'.repeat(17) }, 'request.validation.invalid-address'],
    ['country_code', { country_code: 'XX' }, 'request.validation.invalid-country'],
    ['phone.number', { phone: { number: '123456789012345' } }, 'request.validation.invalid-phone-number'],
    ['phone.dialing_code', { phone: { dialing_code: 'France' } }, 'request.validation.invalid-phone-number'],
    ['legal_document', { legal_document: 'x'.repeat(256) }, 'request.validation.invalid-legal-document'],
    ['ip_address', { ip_address: '1.2.3' }, 'request.validation.invalid-ip-address'],
    ['sex', { sex: 'other' }, 'request.validation.invalid-sex'],
    ['date_of_birth', { date_of_birth: '1990-02-30' }, 'request.validation.invalid-date'],
    ['date_of_birth', { date_of_birth: 'Tue, 30 Feb 1990 00:00:00 GMT' }, 'request.validation.invalid-date'],
    ['registered_at', { registered_at: 'yesterday' }, 'request.validation.invalid-date'],
    ['currency', { currency: 'EUX' }, 'request.validation.invalid-currency'],
    ['balance', { balance: '1.00' }, 'request.validation.missing-currency'],
    ['balance', { balance: '1.001', currency: 'EUR' }, 'request.validation.invalid-amount'],
    ['balance', { balance: '+1', currency: 'EUR' }, 'request.validation.invalid-amount'],
    ['balance', { balance: true, currency: 'EUR' }, 'request.validation.invalid-amount'],
    ['reference_id', { reference_id: 'with space' }, 'request.validation.invalid-id'],
    ['reference_id', { reference_id: 'x'.repeat(81) }, 'request.validation.invalid-id'],
    ['metadata', { metadata: { a: 1 } }, 'request.validation.invalid-metadata'],
    ['is_business', { is_business: 'yes' }, 'request.validation.invalid-type'],
  ])('is refused for its %s: %j', async (name, body, code) => {
    const before = await api.database.orm.em.fork().count(CustomerEntity)
    const answer = await post(body)
    expect(answer).toMatchObject({ status: 400, body: { error_type: code } })
    expect(answer.body.invalid_fields[0].name).toMatch(name)
    expect(await api.database.orm.em.fork().count(CustomerEntity)).toBe(before)
  })

  test('is refused for a field that is not known, with the nearest one', async () => {
    const { status, body } = await post({ firstname: 'Ann' })
    expect([status, body.error_type]).toEqual([400, 'request.validation.error'])
    expect(body.message).toContain('first_name')
  })

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

  test('may come as a form', async () => {
    const { body } = await api.merchant.client.post('/customers', PERSON, { form: true })
    expect(body.customer).toMatchObject({ phone: PERSON.phone, is_business: true, metadata: PERSON.metadata })
  })

  test.each([
    ['Wed, 31 Jan 1990 00:00:00 GMT', '1990-01-31T00:00:00.000Z'],
    ['1990-01-31T10:00:00Z', '1990-01-31T10:00:00.000Z'],
  ])('may have its dates written as %s', async (written, read) => {
    expect((await post({ date_of_birth: written })).body.customer.date_of_birth).toBe(read)
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
