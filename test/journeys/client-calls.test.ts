import { describe, expect, test } from '@jest/globals'
import { TEST_CARD } from '../support/card-data.ts'
import { forFile } from '../support/for-file.ts'
import { createHttpClient } from '../support/http-client.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

const CARD = { number: TEST_CARD.number, exp_month: '12', exp_year: '2030', cvc2: TEST_CARD.cvc }

describe('a page of the merchant', () => {
  const stack = stackForFile()
  const story = createStory(stack)
  const client = forFile(async () =>
    createHttpClient(stack.baseUrl, { username: `test-${stack.project.id}`, password: '' }),
  )

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
})
