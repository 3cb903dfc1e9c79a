import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CardSecurityCodeEntity } from '../../../src/persistence/entities/card-security-code.ts'
import { eraseCardNumbers } from '../../../src/persistence/queries/retention/retention.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { findCardData } from '../../support/card-data.ts'

const api = interfaceForFile()

const CARD = { number: '4242 4242-42424242', exp_month: 7, exp_year: 2031, cvc2: '737', name: 'Ann Example' }

describe('a card', () => {
  test('comes back with all that may be known of it', async () => {
    const { status, body } = await api.merchant.client.post('/cards', { ...CARD, metadata: { a: 'b' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      card: {
        id: expect.stringMatching(/^card_[0-9A-Za-z]{32}$/),
        project_id: api.merchant.projectId,
        scheme: 'visa',
        co_scheme: null,
        preferred_scheme: null,
        type: 'credit',
        bank_name: null,
        brand: null,
        category: null,
        iin: '42424242',
        last_4_digits: '4242',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        exp_month: 7,
        exp_year: 2031,
        name: 'Ann Example',
        address1: null,
        address2: null,
        city: null,
        state: null,
        zip: null,
        country_code: null,
        billing_country_code: null,
        checks: null,
        cvc_check: null,
        avs_check: null,
        cvc_tokenized: true,
        token_type: null,
        tokenization_method: null,
        token: null,
        token_id: null,
        used: false,
        has_been_authorized: false,
        expires_soon: false,
        update_type: null,
        update_reason_code: null,
        ip_address: null,
        user_agent: null,
        header_accept: null,
        header_referer: null,
        app_color_depth: null,
        app_java_enabled: null,
        app_language: null,
        app_screen_height: null,
        app_screen_width: null,
        app_timezone_offset: null,
        metadata: { a: 'b' },
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    })
    const read = await api.merchant.client.get(`/cards/${body.card.id}`)
    expect(read.body).toEqual(body)
  })

  test('leaves neither its number nor its code in an answer, a row or a log', async () => {
    const { body } = await api.merchant.client.post('/cards', CARD)
    await api.merchant.client.post('/cards', { ...CARD, number: '4242424242424241', zzz: 1 })
    await api.merchant.client.post('/cards', `{"number": "4242424242424242", "cvc2": "737"`)
    const secrets = { numbers: ['4242424242424242'], cvcs: ['737'] }
    for (const text of [JSON.stringify(body), await api.database.dump(), api.log.text()]) {
      expect(findCardData(text, secrets)).toEqual([])
    }
  })

  test('keeps its code encrypted for an hour, and no code where none was given', async () => {
    const em = api.database.orm.em.fork()
    const [withCode, without] = await Promise.all([
      api.merchant.client.post('/cards', CARD),
      api.merchant.client.post('/cards', { ...CARD, cvc2: null }),
    ])
    const rows = await em.find(CardSecurityCodeEntity, { cardId: [withCode.body.card.id, without.body.card.id] })
    expect(rows).toMatchObject([
      { cardId: withCode.body.card.id, keyId: 'c1', expiresAt: new Date('2026-11-21T10:00:00.000Z') },
    ])
  })

  test("of another gateway's list is taken while the project pays there, and no longer", async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    const take = async () => {
      // Stripe's, which is challenged.
      const { status, body } = await client.post('/cards', { ...CARD, number: '4000 0025 0000 3155' })
      return status === 200 ? body.card : body.error_type
    }
    expect(await take()).toBe('sandbox.not-supported')
    const account = { name: 'Stripe', credentials: { secret_key: `sk_test_${'4'.repeat(24)}` } }
    const { body } = await client.post('/gateways/stripe/gateway-configurations', account)
    const found = { scheme: 'visa', type: null, country_code: null, iin: '40000025', last_4_digits: '3155' }
    expect(await take()).toMatchObject(found)
    const enable = (enabled: boolean) =>
      client.put(`/gateway-configurations/${body.gateway_configuration.id}`, { enabled })
    await enable(false)
    expect(await take()).toBe('sandbox.not-supported')
    await enable(true)
    expect(await take()).toMatchObject(found)
    await client.delete(`/gateway-configurations/${body.gateway_configuration.id}`)
    expect(await take()).toBe('sandbox.not-supported')
  })

  test('keeps the scheme that it prefers, in small letters', async () => {
    const { body } = await api.merchant.client.post('/cards', { ...CARD, preferred_scheme: 'Carte Bancaire' })
    expect(body.card.preferred_scheme).toBe('carte bancaire')
    const none = await api.merchant.client.post('/cards', { ...CARD, preferred_scheme: 'none' })
    expect(none.body.card.preferred_scheme).toBeNull()
  })

  test('has one fingerprint for a number in a project, and another in another project', async () => {
    const other = await api.makeMerchant({ sandbox: true })
    const prints = await Promise.all(
      [api.merchant, api.merchant, other].map(async ({ client }) => {
        const { body } = await client.post('/cards', CARD)
        return body.card.fingerprint
      }),
    )
    expect(prints[0]).toBe(prints[1])
    expect(prints[0]).not.toBe(prints[2])
  })
})

describe('the holder of a card', () => {
  const CONTACT = {
    address1: '133 rue Lamarck',
    address2: 'Cedex 7',
    city: 'Paris',
    state: 'Île-de-France',
    zip: '75018',
  }
  const DEVICE = {
    ip_address: '2001:db8::1',
    user_agent: 'Mozilla/5.0',
    header_accept: '*/*',
    header_referer: 'https://shop.example/cart',
    app_color_depth: 24,
    app_java_enabled: false,
    app_language: 'fr-FR',
    app_screen_height: 1080,
    app_screen_width: 1920,
    app_timezone_offset: -120,
  }

  test.each([
    ['JSON', false],
    ['a form', true],
  ])('is told with the card, in %s', async (_, form) => {
    const body = { ...CARD, token_type: 'applepay', contact: { ...CONTACT, country_code: 'fr' }, device: DEVICE }
    const { body: answer } = await api.merchant.client.post('/cards', body, { form })
    expect(answer.card).toMatchObject({
      ...CONTACT,
      ...DEVICE,
      country_code: null,
      billing_country_code: 'FR',
      token_type: 'applepay',
      tokenization_method: 'applepay',
    })
  })
})

describe('a card that expires', () => {
  test.each([
    ['this month', { exp_month: 11, exp_year: 2026 }, true],
    ['next month', { exp_month: 12, exp_year: 2026 }, true],
    ['in two months', { exp_month: 1, exp_year: 2027 }, false],
  ])('%s is said to: %j', async (_, dates, expected) => {
    const { body } = await api.merchant.client.post('/cards', { ...CARD, ...dates })
    expect(body.card.expires_soon).toBe(expected)
    expect((await api.merchant.client.get(`/cards/${body.card.id}`)).body.card.expires_soon).toBe(expected)
  })
})

describe('the first digits of a card', () => {
  test('are six or eight, of a scheme that is known', async () => {
    for (const iin of ['42424', '4242424', '424242424', 'abcdef', '999999', '000000']) {
      const { status, body } = await api.merchant.client.get(`/iins/${iin}`)
      expect([iin, status, body.error_type]).toEqual([iin, 404, 'resource.card.not-found'])
    }
  })

  test.each([
    ['424242', { scheme: 'visa', type: 'credit', country: null }],
    ['43600000', { scheme: 'visa', co_scheme: 'carte bancaire', country: 'FR', country_code: 'FR' }],
    ['400000', { scheme: 'visa', co_scheme: null, country: null }],
    ['222300', { scheme: 'mastercard', co_scheme: null, type: null, country: null }],
  ])('%s are known', async (iin, expected) => {
    const { status, body } = await api.merchant.client.get(`/iins/${iin}`)
    expect(status).toBe(200)
    expect(body.card_information).toMatchObject({ iin, ...expected })
  })
})

describe('a changed card', () => {
  const newCard = async (body: object = {}) =>
    (await api.merchant.client.post('/cards', { ...CARD, cvc2: null, ...body })).body.card

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

test('a card whose number was erased can be stored no more, and is shown and deleted like any other', async () => {
  const { client } = api.merchant
  const { id: cardId } = (await client.post('/cards', CARD)).body.card
  const { id: customerId } = (await client.post('/customers')).body.customer
  const shown = await client.get(`/cards/${cardId}`)
  const before = new Date(api.clock.now().getTime() + 1000)
  await eraseCardNumbers(api.database.orm.em.fork(), { before, limit: 1_000 }, api.clock.now())

  const refused = await client.post(`/customers/${customerId}/tokens`, { source: cardId })
  expect(refused).toMatchObject({
    status: 400,
    body: { invalid_fields: [{ name: 'source', message: 'is a card whose number was erased; create the card again' }] },
  })
  const { updated_at: _, ...card } = shown.body.card
  expect((await client.get(`/cards/${cardId}`)).body.card).toMatchObject(card)
  expect(await client.delete(`/cards/${cardId}`)).toMatchObject({ status: 200, body: { success: true } })
  expect(await api.database.orm.em.fork().findOneOrFail(CardEntity, { id: cardId })).toMatchObject({
    numberCiphertext: null,
  })
  expect((await client.get(`/cards/${cardId}`)).status).toBe(404)
})
