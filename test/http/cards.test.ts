import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CardSecurityCodeEntity } from '../../src/persistence/entities/card-security-code.ts'
import { findCardData } from '../support/card-data.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

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
        used: false,
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

  test('keeps its code sealed for an hour, and no code where none was given', async () => {
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

  test.each([
    ['4360000001000005', { scheme: 'visa', co_scheme: 'carte bancaire', country_code: 'FR' }],
    ['378282246310005', { scheme: 'american express', iin: '378282', last_4_digits: '0005' }],
    ['30123456789019', { scheme: 'diners club', iin: '301234' }],
  ])('%s is described by the table of test cards', async (number, expected) => {
    const { body } = await api.merchant.client.post('/cards', { ...CARD, number })
    expect(body.card).toMatchObject(expected)
  })

  test.each([
    [{ exp_month: '7', exp_year: '31' }],
    [{ exp_month: '07', exp_year: 31 }],
    [{ exp_month: 7, exp_year: '2031' }],
  ])('may have its expiry date written as %j', async (dates) => {
    const json = await api.merchant.client.post('/cards', { ...CARD, ...dates })
    const form = await api.merchant.client.post('/cards', { ...CARD, ...dates }, { form: true })
    for (const { body } of [json, form]) expect(body.card).toMatchObject({ exp_month: 7, exp_year: 2031 })
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

  test('of a live project is any card, described by its first digits', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const { status, body } = await live.client.post('/cards', { ...CARD, number: '2223000048400011' })
    expect(status).toBe(200)
    expect(body.card).toMatchObject({ scheme: 'mastercard', type: null, country_code: null, sandbox: false })
  })

  test('is not found by another project, nor under an id that is none', async () => {
    const { body } = await api.merchant.client.post('/cards', CARD)
    const stranger = await api.makeMerchant({ sandbox: true })
    for (const id of [body.card.id, 'card_none', 'card_%00', 'iv_1']) {
      const answer = await stranger.client.get(`/cards/${id}`)
      expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.card.not-found' } })
    }
  })
})
