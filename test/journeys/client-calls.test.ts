import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TEST_CARD } from '../support/card-data.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

const CARD = { number: TEST_CARD.number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc }

describe('a page of the merchant', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>
  let client: HttpClient

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
    client = createHttpClient(stack.baseUrl, { username: `test-${stack.project.id}`, password: '' })
  })
  afterAll(() => stack.stop())

  const newCard = async () => String((await client.post('/cards', CARD)).body.card.id)
  const newInvoice = async (fields: object = {}) => {
    const { id } = await stack.createInvoice(fields)
    return { id: String(id), secret: stack.vault.clientSecretOf(id) }
  }
  const post = (id: string, verb: string, body: object, secret?: string) =>
    client.post(`/invoices/${id}/${verb}`, body, {
      headers: secret === undefined ? {} : { 'x-service-client-secret': secret },
    })
  const actorsOf = async (id: string) =>
    (await story.transactionOf(id)).operations.map(
      ({ type, actor }: { type: string; actor: string }) => `${type} by ${actor}`,
    )

  test('authorizes, and the merchant captures', async () => {
    const { id } = await newInvoice({ require_backend_capture: true })
    const source = await newCard()
    const sale = await post(id, 'capture', { source })
    expect(sale).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    const authorized = await post(id, 'authorize', { source, authorize_only: true })
    expect(authorized).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { status: 'authorized', authorized_amount: '29.00', captured: false } },
    })
    expect(authorized.body.transaction).not.toHaveProperty('gateway_name')
    expect((await post(id, 'capture', {})).status).toBe(401)
    expect((await client.post(`/invoices/${id}/void`)).status).toBe(401)
    expect(await stack.post(`/invoices/${id}/capture`)).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '29.00' } },
    })
    expect((await client.get(`/invoices/${id}`)).body.invoice).toMatchObject({ status: 'completed' })
    expect(await actorsOf(id)).toEqual([
      'request by client',
      'authorization by client',
      'authorization by client',
      'capture by merchant',
      'capture by merchant',
    ])
    await story.expectEvents(id, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
    ])
  })

  test('sells, and a sale that comes again changes nothing', async () => {
    const { id } = await newInvoice()
    const source = await newCard()
    for (const body of [
      { source, authorize_only: false },
      { source, authorize_only: false },
    ])
      expect(await post(id, 'authorize', body)).toMatchObject({
        status: 200,
        body: { success: true, transaction: { status: 'completed', captured_amount: '29.00' } },
      })
    expect((await stack.gatewayRequests(id)).map(({ type }) => type)).toEqual(['authorization', 'capture'])
  })

  test('hears of a decline what it can tell its customer', async () => {
    const { id } = await newInvoice()
    const { body } = await client.post('/cards', { ...CARD, name: 'SANDBOX:card.do-not-honor' })
    const declined = await post(id, 'authorize', { source: body.card.id })
    expect(declined).toMatchObject({ status: 410, body: { success: false, outcome: 'failed', captured: false } })
    expect(declined.body.error_type).toMatch(/^card\./)
  })

  test('stores its source with the client secret, and charges it with the next one', async () => {
    const customerId = (await stack.post('/customers', {})).body.customer.id
    const first = await newInvoice({ customer_id: customerId })
    const source = await newCard()
    const wish = { source, save_source: true }
    for (const secret of [undefined, (await newInvoice()).secret])
      expect(await post(first.id, 'authorize', wish, secret)).toMatchObject({
        status: 401,
        body: { error_type: 'request.authentication.invalid' },
      })
    const saved = await post(first.id, 'authorize', wish, first.secret)
    const tokenId = saved.body.customer_token_id
    expect(saved).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
    expect(tokenId).toMatch(/^tok_/)

    const second = await newInvoice({ customer_id: customerId })
    for (const stored of [tokenId, source, customerId])
      expect(await post(second.id, 'authorize', { source: stored })).toMatchObject({
        status: 401,
        body: {
          error_type: 'request.authentication.invalid',
          invalid_fields: [{ name: 'client_secret' }],
        },
      })
    expect(await stack.gatewayRequests(second.id)).toEqual([])
    expect(await post(second.id, 'authorize', { source }, second.secret)).toMatchObject({
      status: 200,
      body: { customer_token_id: tokenId, transaction: { status: 'authorized' } },
    })
    const path = `/customers/${customerId}/tokens/${tokenId}`
    expect((await client.delete(path)).status).toBe(401)
    const deleted = await client.delete(path, { headers: { 'x-service-client-secret': second.secret } })
    expect(deleted).toMatchObject({ status: 200, body: { success: true } })
  })

  test('captures nothing that the merchant authorizes at the same moment', async () => {
    const races = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id } = await newInvoice()
        const [merchants, clients] = await Promise.all([stack.createCard(), newCard()])
        await Promise.all([
          stack.post(`/invoices/${id}/authorize`, { source: merchants.id }),
          post(id, 'authorize', { source: clients, authorize_only: false }),
        ])
        return actorsOf(id)
      }),
    )
    for (const steps of races) {
      const isClients = steps.includes('authorization by client')
      expect(steps.includes('authorization by merchant')).toBe(!isClients)
      expect(steps.includes('capture by client')).toBe(isClients)
    }
  })
})
