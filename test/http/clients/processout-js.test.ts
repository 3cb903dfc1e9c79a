import { beforeEach, describe, expect, test } from '@jest/globals'
import { ApiRequestEntity } from '../../../src/persistence/entities/api-request.ts'
import { findCardData } from '../../support/card-data.ts'
import { forFile } from '../../support/for-file.ts'
import type { Answer } from '../../support/http-client.ts'
import { basic } from '../basic.ts'
import { interfaceForFile } from '../interface.ts'
import { CARD } from '../operations.ts'
import { AUTHORIZED, createStubbedPayment, SOURCE } from '../stubbed-payment.ts'
import { clientOf, newCard, newInvoice, UNAUTHENTICATED, WRONG_SECRET } from './client-fixture.ts'

const DEVICE = {
  request_origin: 'web',
  app_color_depth: 24,
  app_language: 'pt-BR',
  app_screen_height: 900,
  app_screen_width: 1440,
  app_timezone_offset: 180,
  app_java_enabled: false,
}
const PAGE = { origin: 'https://shop.example' }

const api = interfaceForFile({}, { hasPlanted: true })
const payment = createStubbedPayment(api)
const client = forFile(async () => clientOf(api, api.merchant))

beforeEach(() => payment.begin())

/** The query of the library; its values are those of its headers, as they are. */
function query(authorization = basic(`test-${api.merchant.projectId}:`)): string {
  const headers = [
    'x-Content-Type=application/json',
    'x-API-Version=1.3.0.0',
    `x-Authorization=${authorization}`,
    'x-Idempotency-Key=order-1',
    'x-ProcessOut-JS-Version=1.9.8',
  ]
  return `?legacyrequest=true&project_id=test-${api.merchant.projectId}&${headers.join('&')}`
}
const secretIn = (secret: string) => ({ headers: { 'X-ProcessOut-Client-Secret': secret } })

async function logged(where: object = {}) {
  await api.flushRequestLog()
  return api.database.orm.em.fork().find(ApiRequestEntity, where)
}
const queryOf = async ({ headers }: Answer) =>
  (await logged({ requestId: String(headers.get('x-request-id')) })).map((row) => row.query)

test.each(['x-processout-client-secret', 'x-processout-js-version'])('a page may send the header %s', async (name) => {
  const { headers } = await fetch(new URL(`/cards${query()}`, api.url), {
    method: 'OPTIONS',
    headers: { ...PAGE, 'access-control-request-method': 'POST', 'access-control-request-headers': name },
  })
  expect(headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toContain(name)
})

describe('what the library sends is taken of a client', () => {
  test('in an authorization, by the secret of whose invoice it stores the card', async () => {
    const { body: made } = await api.merchant.client.post('/customers')
    const { id, secret } = await newInvoice(api.merchant, { customer_id: made.customer.id })
    api.payments.answerWith(() => ({ kind: 'no-answer' }))
    const body = { ...SOURCE, save_source: true, enable_three_d_s_2: true, device: DEVICE, ...DEVICE }
    const wrong = await client.post(`/invoices/${id}/authorize${query()}`, body, secretIn('ivs_another'))
    expect(wrong).toMatchObject(WRONG_SECRET)
    expect(api.payments.sent).toEqual([])
    await client.post(`/invoices/${id}/authorize${query()}`, body, secretIn(secret))
    expect(api.payments.sent).toMatchObject([{ command: { ...SOURCE, saveSource: true, actor: 'client' } }])
  })

  test.each([
    ['beside `device`', { device: { ...DEVICE, app_language: 'de' }, ...DEVICE }, 'de'],
    ['alone', DEVICE, 'pt-BR'],
  ])('with a card, its device %s', async (_, device, language) => {
    const { status, body } = await client.post(`/cards${query()}`, { ...CARD, contact: {}, ...device })
    expect(status).toBe(200)
    const { body: read } = await api.merchant.client.get(`/cards/${body.card.id}`)
    expect(read.card).toMatchObject({ app_language: language, app_screen_width: 1440, app_java_enabled: false })
  })

  test('with a security code by its name for it, which is in no log', async () => {
    const id = await newCard(client)
    const changed = await client.put(`/cards/${id}${query()}`, { cvc: '7391' })
    expect([changed.status, changed.body.card.update_type ?? 'hidden']).toEqual([200, 'hidden'])
    expect((await api.merchant.client.get(`/cards/${id}`)).body.card).toMatchObject({ update_type: 'new-cvc2' })
    expect(findCardData(JSON.stringify(await logged()), { numbers: [], cvcs: ['7391'] })).toEqual([])
  })

  test('in a GET, and leaves nothing in the request log', async () => {
    const answer = await client.get(`/invoices/${payment.invoiceId}${query()}&expand[]=transaction`)
    expect(answer.status).toBe(200)
    expect(await queryOf(answer)).toEqual([{ 'expand[]': 'transaction' }])
  })
})

describe('nothing else becomes possible by it', () => {
  test('a key in the query is none: with a header of a client it changes nothing, and without one nobody asks', async () => {
    const { projectId, secretKey } = api.merchant
    const path = `/invoices/${payment.invoiceId}/capture${query(basic(`${projectId}:${secretKey}`))}`
    await payment.record(AUTHORIZED)
    expect(await client.post(path)).toMatchObject(UNAUTHENTICATED)
    expect((await fetch(new URL(path, api.url), { method: 'POST' })).status).toBe(401)
    expect(api.payments.sent).toEqual([])
    expect(JSON.stringify(await logged())).not.toContain(basic(`${projectId}:${secretKey}`).slice('Basic '.length))
  })

  test('a server that sends the query is refused, and the key in it hidden in the request log', async () => {
    const { projectId, secretKey } = api.merchant
    const key = basic(`${projectId}:${secretKey}`)
    const answer = await api.merchant.client.get(`/invoices/${payment.invoiceId}${query(key)}`)
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.error' } })
    expect(await queryOf(answer)).toMatchObject([{ 'x-Authorization': '[redacted]' }])
  })

  test.each([
    ['/cards', { ...CARD, cvc2: undefined, cvc: '123' }, 'cvc'],
    ['/cards', { ...CARD, ...DEVICE }, 'request_origin'],
  ])('a server that sends its fields to %s is refused', async (path, body, name) => {
    const answer = await api.merchant.client.post(path, body)
    expect(answer).toMatchObject({
      status: 400,
      body: { invalid_fields: expect.arrayContaining([{ name, message: expect.any(String) }]) },
    })
  })

  test.each([
    ['/cards', '&x-Anything=1', CARD, 'x-Anything'],
    ['/cards', '', { ...CARD, app_anything: 1 }, 'app_anything'],
    ['/cards', '', { ...CARD, cvc: '123' }, 'cvc'],
    ['/cards', '', { ...CARD, device: { app_anything: 1 }, ...DEVICE }, 'device.app_anything'],
    [null, '', { ...SOURCE, cvc: '123' }, 'cvc'],
  ])('what it does not send is refused of a client: %s%s %j', async (path, more, body, name) => {
    const to = path ?? `/invoices/${payment.invoiceId}/authorize`
    const answer = await client.post(`${to}${query()}${more}`, body)
    expect(answer).toMatchObject({ status: 400, body: { invalid_fields: [{ name }] } })
    expect(api.payments.sent).toEqual([])
  })

  test('two client secrets of one request are refused', async () => {
    const { id, secret } = await newInvoice(api.merchant)
    const both = { headers: { ...secretIn(secret).headers, 'x-service-client-secret': 'ivs_another' } }
    const path = `/invoices/${id}/authorize${query()}`
    expect(await client.post(path, SOURCE, both)).toMatchObject(WRONG_SECRET)
    expect(await client.post(path, { ...SOURCE, client_secret: 'ivs_another' }, secretIn(secret))).toMatchObject(
      WRONG_SECRET,
    )
    expect(api.payments.sent).toEqual([])
  })
})
