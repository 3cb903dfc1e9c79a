import { describe, expect, test } from '@jest/globals'
import { forFile } from '../../support/for-file.ts'
import { interfaceForFile } from '../interface.ts'
import { rowWriter } from '../row-writer.ts'
import { createTokenFixture } from '../token-fixture.ts'
import { clientOf, newCard, newInvoice, WRONG_SECRET, withSecret } from './client-fixture.ts'

const api = interfaceForFile()
const tokens = createTokenFixture(api)
const client = forFile(async () => clientOf(api, api.merchant))

/** A token that waits for its source. */
async function waiting(fields: object = {}) {
  const customerId = await tokens.newCustomer()
  const { body } = await api.merchant.client.post(`/customers/${customerId}/tokens`, fields)
  return { customerId, path: `/customers/${customerId}/tokens/${body.token.id}` }
}

const secretFor = async (customerId: string) => (await newInvoice(api.merchant, { customer_id: customerId })).secret
const seen = async (path: string) => (await api.merchant.client.get(path)).body.token

describe('a token that waits for its source', () => {
  test('is completed by a client that has shown nothing', async () => {
    const { path } = await waiting()
    const source = await newCard(client)
    const ofLibrary = { device: { channel: 'web', app_language: 'fr' }, enable_three_d_s_2: true, metadata: null }
    const { status, body } = await client.put(path, { source, preferred_scheme: 'visa', ...ofLibrary })
    expect({ status, type: body.token.type }).toEqual({ status: 200, type: 'card' })
    expect(body.token).not.toHaveProperty('metadata')
    expect(await seen(path)).toMatchObject({ type: 'card', card_id: source })
  })

  test('is not changed otherwise', async () => {
    const { path } = await waiting({ return_url: 'https://shop.example/return' })
    expect(await client.put(path, { return_url: 'https://evil.example' })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.missing-source' },
    })
    expect(await seen(path)).toMatchObject({ type: 'pending', return_url: 'https://shop.example/return' })
  })

  test.each([
    ['metadata', { a: 'b' }],
    ['webhook_url', 'https://evil.example/hook'],
    ['set_default', true],
    ['description', 'x'],
    ['summary', 'x'],
    ['manual_invoice_cancellation', true],
    ['verify_metadata', { a: 'b' }],
  ])('takes no %s from a client', async (name, value) => {
    const { path } = await waiting()
    expect(await client.put(path, { source: await newCard(client), [name]: value })).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.error',
        invalid_fields: [{ name, message: 'can be set with a secret key only' }],
      },
    })
    expect(await seen(path)).toMatchObject({ type: 'pending' })
  })
})

test.each(['tokens', 'cards'])('of %s, what is no field at all is called that, with the nearest one', async (kind) => {
  const path = kind === 'cards' ? `/cards/${await newCard(client)}` : (await waiting()).path
  const { status, body } = await client.put(path, { preferred_schem: 'visa' })
  const message = 'is not a field of this request; the nearest one is preferred_scheme'
  expect([status, body.invalid_fields]).toEqual([400, [{ name: 'preferred_schem', message }]])
})

describe('a token that has its source', () => {
  test('is neither changed nor deleted by a client without the secret of an invoice of its customer', async () => {
    const { path } = await tokens.stored()
    const strangersSecret = await secretFor(await tokens.newCustomer())
    const { secret: nobodys } = await newInvoice(api.merchant)
    for (const options of [{}, withSecret(strangersSecret), withSecret(nobodys), withSecret('ivs_')]) {
      const change = { return_url: 'https://evil.example' }
      expect(await client.put(path, change, options)).toMatchObject(WRONG_SECRET)
      expect(await client.delete(path, options)).toMatchObject(WRONG_SECRET)
    }
    expect(await seen(path)).toMatchObject({ return_url: null })
  })

  test('is changed and deleted by a client with it', async () => {
    const { path, customerId } = await tokens.stored()
    const secret = withSecret(await secretFor(customerId))
    await secretFor(customerId)
    expect(await client.put(path, { return_url: 'https://shop.example/return' }, secret)).toMatchObject({ status: 200 })
    expect(await client.delete(path, secret)).toMatchObject({ status: 200, body: { success: true } })
    expect((await api.merchant.client.get(path)).status).toBe(404)
  })

  test('is deleted with the secret of one of the newest hundred invoices, and of no older one', async () => {
    const { path, customerId } = await tokens.stored()
    const tooOld = await secretFor(customerId)
    const rows = await rowWriter(api, api.merchant)
    const newer = (hours: number) => new Date(api.clock.now().getTime() + hours * 60 * 60 * 1000)
    const idOf = (hours: number) => `iv_${customerId.slice('cust_'.length)}${hours}`
    for (let hours = 1; hours <= 100; hours += 1) {
      await rows.invoice(idOf(hours), { customerId, createdAt: newer(hours) })
    }
    expect(await client.delete(path, withSecret(tooOld))).toMatchObject(WRONG_SECRET)
    const { headers } = await api.merchant.client.get(`/invoices/${idOf(1)}`)
    const lastOfHundred = String(headers.get('x-service-client-secret'))
    expect(await client.delete(path, withSecret(lastOfHundred))).toMatchObject({ status: 200 })
  })
})

describe('a card', () => {
  test('that was saved is not changed by a client', async () => {
    const { cardId } = await tokens.stored()
    expect(await client.put(`/cards/${cardId}`, { cvc2: '123' })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state' },
    })
  })

  test.each([
    ['name', 'Ann'],
    ['metadata', { a: 'b' }],
  ])('takes no %s from a client', async (name, value) => {
    const id = await newCard(client)
    expect(await client.put(`/cards/${id}`, { [name]: value })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: [{ name }] },
    })
  })
})
