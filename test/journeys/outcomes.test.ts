import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

/** Answers that no story of another file comes to. */
let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

describe('a void', () => {
  test('that the gateway declines leaves the authorization, which can still be captured', async () => {
    const { invoiceId } = await story.pay({ number: '4000000000007080' })
    expect(await story.post(invoiceId, 'void')).toMatchObject({
      status: 410,
      body: { success: false, error_type: 'gateway.declined', authorized: true, captured: false },
    })
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', voided_amount: '0.00' })
    expect((await story.post(invoiceId, 'capture')).body.transaction).toMatchObject({ captured_amount: '29.00' })
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.operation.void.failed',
      'transaction.captured',
      'invoice.completed',
    ])
  })
})

describe('a synchronization', () => {
  test('with a gateway that does not tell leaves the outcome open, and asks for nothing anew', async () => {
    const { invoiceId } = await story.pay({ number: '4000000000007023' })
    const answer = await stack.put(`/invoices/${invoiceId}/sync-with-psp`)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'pending', transaction: { status: 'pending' } },
    })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([{ timesAsked: 1 }])
  })

  test('of what was never begun begins nothing', async () => {
    const { id } = await stack.createInvoice()
    const answer = await stack.put(`/invoices/${id}/sync-with-psp`)
    expect(answer).toMatchObject({ status: 200, body: { success: true, invoice: { id, transaction_id: null } } })
    expect(answer.body).not.toHaveProperty('transaction')
    expect(await stack.gatewayRequests(id)).toEqual([])
  })
})

describe('an invoice', () => {
  test.each([
    { split_allocations: [{ amount: '1.00' }] },
    { submerchant: { id: 'sub_1' } },
    { subscription_id: 'sub_1' },
    { unsupported_feature_bypass: { split_payments: true } },
  ])('that asks for what is not built is refused: %j', async (fields) => {
    const before = (await stack.get('/invoices')).body.total_count
    const refused = await stack.post('/invoices', { name: 'Order', amount: '1.00', currency: 'EUR', ...fields })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'service.not-supported' } })
    expect((await stack.get('/invoices')).body.total_count).toBe(before)
  })
})

describe('the customer of an invoice', () => {
  test('cannot be changed while it is being paid, nor afterwards, but may be named again', async () => {
    const [mine, theirs] = await Promise.all(
      [1, 2].map(async () => String((await stack.post('/customers', {})).body.customer.id)),
    )
    for (const authorize_only of [true, false]) {
      const { invoiceId } = await story.pay({ invoice: { customer_id: mine }, authorize_only })
      const path = `/invoices/${invoiceId}/customers`
      const refused = { status: 400, body: { error_type: 'request.validation.invalid-state' } }
      expect(await stack.post(path, { customer_id: theirs })).toMatchObject(refused)
      expect(await stack.post(path, { email: 'ann@shop.example' })).toMatchObject(refused)
      expect((await stack.post(path, { customer_id: mine })).status).toBe(200)
      expect((await stack.get(path)).body.customer.id).toBe(mine)
    }
    expect((await stack.get('/customers')).body.total_count).toBe(2)
  })
})
