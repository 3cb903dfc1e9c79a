import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

// The same stories over both ways in which a command reaches its workflow: as the input of an eager start, and as an update.
describe('a payment, with API and worker apart', () => {
  const stack = stackForFile({ mode: 'apart' })
  const story = createStory(stack)

  const authorized = async (options: Parameters<typeof story.pay>[0] = {}) => {
    const { invoiceId, answer } = await story.pay(options)
    expect(answer).toMatchObject({ status: 200, body: { success: true, transaction: { status: 'authorized' } } })
    return { invoiceId, transaction: answer.body.transaction }
  }
  const transactionOf = async (invoiceId: string) => {
    const invoice = await stack.get(`/invoices/${invoiceId}`)
    const answer = await stack.get(`/transactions/${invoice.body.invoice.transaction_id}`)
    return answer.body.transaction
  }

  test('is authorized, and its transaction says so everywhere', async () => {
    const { invoiceId, transaction } = await authorized()
    expect(transaction).toMatchObject({
      invoice_id: invoiceId,
      amount: '29.00',
      authorized_amount: '29.00',
      captured_amount: '0.00',
      authorized: true,
      captured: false,
    })
    const lifetime = Date.parse(transaction.authorization_expires_at) - Date.parse(transaction.authorized_at)
    expect(lifetime).toBe(7 * DAY_MS)
    expect(await transactionOf(invoiceId)).toEqual(transaction)
  })

  test('that the issuer declines answers 410 with the code of the card, and another card may follow', async () => {
    const { invoiceId, answer } = await story.pay({ number: '4000000000002180' })
    expect(answer).toMatchObject({
      status: 410,
      body: { success: false, outcome: 'failed', error_type: 'card.do-not-honor', authorized: false, captured: false },
    })
    expect(await transactionOf(invoiceId)).toMatchObject({
      status: 'failed',
      error_code: 'card.do-not-honor',
      authorized_amount: '0.00',
    })

    const other = await stack.createCard()
    const second = await stack.post(`/invoices/${invoiceId}/authorize`, { source: other.id })
    expect(second).toMatchObject({
      status: 200,
      body: { transaction: { status: 'authorized', attempts_count: 2, error_code: null } },
    })
  })

  test('is captured whole, and captured again charges nothing', async () => {
    const { invoiceId } = await authorized()
    const captured = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(captured).toMatchObject({
      status: 200,
      body: {
        success: true,
        outcome: 'success',
        transaction: { status: 'completed', captured_amount: '29.00', available_amount: '29.00' },
      },
    })
    const again = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(again).toMatchObject({
      status: 200,
      body: { transaction: { status: 'completed', captured_amount: '29.00' } },
    })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', amountMinor: 2900 },
    ])
  })

  test('is incremented by the difference, and captured whole afterwards', async () => {
    const { invoiceId } = await authorized({ invoice: { incremental: true } })
    const incremented = await stack.post(`/invoices/${invoiceId}/increment_authorization`, { amount: '5.00' })
    expect(incremented).toMatchObject({
      status: 200,
      body: {
        transaction: { status: 'authorized', amount: '34.00', authorized_amount: '34.00', incremented_amount: '5.00' },
      },
    })
    const captured = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(captured.body.transaction).toMatchObject({ status: 'completed', captured_amount: '34.00' })
  })

  test('has a closed run once nothing is awaited, and answers from the record afterwards', async () => {
    const { invoiceId } = await authorized()
    await stack.post(`/invoices/${invoiceId}/capture`)
    await stack.waitFor(() => stack.isClosed(invoiceId))
    const late = await stack.post(`/invoices/${invoiceId}/void`)
    expect(late).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'completed', captured_amount: '29.00' })
  })
})
