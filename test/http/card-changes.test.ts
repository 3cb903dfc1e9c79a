import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { findCardData } from '../support/card-data.ts'
import { interfaceForFile } from './interface.ts'

const api = interfaceForFile()

const CARD = { number: '4242 4242-42424242', exp_month: 7, exp_year: 2031, cvc2: '737', name: 'Ann Example' }

describe('a changed card', () => {
  const newCard = async (body: object = {}) =>
    (await api.merchant.client.post('/cards', { ...CARD, cvc2: null, ...body })).body.card

  test.each([
    [{ number: '4242424242424242' }, 'request.validation.error'],
    [{ exp_year: 2040 }, 'request.validation.error'],
    [{ cvc2: '12' }, 'card.invalid-cvc'],
    [{ preferred_scheme: 'x' }, 'request.validation.invalid-scheme'],
    [{ metadata: { a: 1 } }, 'request.validation.invalid-metadata'],
  ])('does not take %j', async (body, code) => {
    const { id } = await newCard()
    expect(await api.merchant.client.put(`/cards/${id}`, body)).toMatchObject({
      status: 400,
      body: { error_type: code },
    })
  })

  test.each([
    ['was authorized and is no token', { hasBeenAuthorized: true }],
    ['has no number any more', { numberErasedAt: new Date(), numberCiphertext: null, numberKeyId: null }],
  ])('takes no security code when it %s, for nothing could use it', async (_, columns) => {
    const { id } = await newCard()
    const em = api.database.orm.em.fork()
    await em.nativeUpdate(CardEntity, { id }, columns)
    expect(await api.merchant.client.put(`/cards/${id}`, { cvc2: '737' })).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state' },
    })
    expect(await em.count(CardSecurityCodeEntity, { cardId: id })).toBe(0)
    expect((await api.merchant.client.put(`/cards/${id}`, { name: 'Ann' })).status).toBe(200)
  })

  test('takes a security code in the place of the one before, encrypted, and tells that it did', async () => {
    const { id } = await newCard()
    await api.merchant.client.put(`/cards/${id}`, { cvc2: '111' })
    const { body } = await api.merchant.client.put(`/cards/${id}`, { cvc2: '7371' })
    expect(body.card).toMatchObject({ cvc_tokenized: true, update_type: 'new-cvc2', update_reason_code: 'request' })
    const rows = await api.database.orm.em.fork().find(CardSecurityCodeEntity, { cardId: id })
    expect(rows).toMatchObject([{ keyId: 'c1', expiresAt: new Date('2026-11-21T10:00:00.000Z') }])
    for (const text of [JSON.stringify(body), await api.database.dump(), api.log.text()]) {
      expect(findCardData(text, { numbers: ['4242424242424242'], cvcs: ['7371'] })).toEqual([])
    }
  })
})

describe('a deleted card', () => {
  test('is not found any more, and cannot be stored or changed', async () => {
    const { client } = api.merchant
    const { body } = await client.post('/cards', CARD)
    const path = `/cards/${body.card.id}`
    const stranger = await api.makeMerchant({ sandbox: true })
    expect((await stranger.client.delete(path)).status).toBe(404)
    expect(await client.delete(path)).toMatchObject({ status: 200, body: { success: true } })
    for (const answer of [await client.get(path), await client.put(path, {}), await client.delete(path)]) {
      expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.card.not-found' } })
    }
    const { body: owner } = await client.post('/customers')
    const stored = await client.post(`/customers/${owner.customer.id}/tokens`, { source: body.card.id })
    expect(stored.body.error_type).toBe('resource.card.not-found')
  })

  test('leaves neither number nor code nor holder, and a row for the books', async () => {
    const secret = 'Geheimrat'
    const holder = { name: secret, contact: { address1: secret }, device: { user_agent: secret } }
    const { body } = await api.merchant.client.post('/cards', { ...CARD, ...holder, metadata: { a: secret } })
    await api.merchant.client.delete(`/cards/${body.card.id}`)
    const em = api.database.orm.em.fork()
    const row = await em.findOneOrFail(CardEntity, { id: body.card.id })
    expect(row).toMatchObject({ numberCiphertext: null, numberKeyId: null, last4Digits: '4242', scheme: 'visa' })
    expect(JSON.stringify(row)).not.toContain(secret)
    expect(await em.count(CardSecurityCodeEntity, { cardId: body.card.id })).toBe(0)
  })

  test('takes its token with it', async () => {
    const { client } = api.merchant
    const { body } = await client.post('/cards', CARD)
    const { body: owner } = await client.post('/customers')
    const customer = `/customers/${owner.customer.id}`
    const { body: stored } = await client.post(`${customer}/tokens`, { source: body.card.id, set_default: true })
    await client.delete(`/cards/${body.card.id}`)
    expect((await client.get(`${customer}/tokens/${stored.token.id}`)).status).toBe(404)
    expect((await client.get(customer)).body.customer.default_token_id).toBeNull()
  })
})
