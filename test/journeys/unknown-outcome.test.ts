import { request } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { TWO_LOOK_UPS_MS } from '../support/story.ts'

const RESPONSE_LOST = {
  authorizationApproved: '4000000000007007',
  authorizationDeclined: '4000000000007015',
  neverResolvable: '4000000000007023',
  captureDone: '4000000000007031',
  incrementDone: '4000000000007148',
} as const

describe('a gateway whose answer is lost', () => {
  const stack = stackForFile()

  const authorize = async (number: string, options: object = {}) => {
    const [invoice, card] = await Promise.all([stack.createInvoice(), stack.createCard({ number })])
    const answer = await stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id, ...options })
    return { invoiceId: String(invoice.id), answer }
  }
  const transactionOf = async (invoiceId: string) => {
    const invoice = await stack.get(`/invoices/${invoiceId}`)
    return (await stack.get(`/transactions/${invoice.body.invoice.transaction_id}`)).body.transaction
  }
  const endsAs = (invoiceId: string, status: string) =>
    stack.waitFor(async () => {
      const transaction = await transactionOf(invoiceId)
      return transaction.status === status && transaction
    })

  test('leaves an authorization pending, never failed, until it is looked up and found approved', async () => {
    const { invoiceId, answer } = await authorize(RESPONSE_LOST.authorizationApproved)
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, outcome: 'pending', transaction: { status: 'pending', authorized_amount: '0.00' } },
    })
    expect(await endsAs(invoiceId, 'authorized')).toMatchObject({ authorized_amount: '29.00' })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization', timesAsked: 1 }])
  })

  test('that never tells leaves the payment pending: nothing is sent again, nothing is refused as failed', async () => {
    const { invoiceId } = await authorize(RESPONSE_LOST.neverResolvable)
    await stack.skipTime(invoiceId, TWO_LOOK_UPS_MS)
    await stack.waitFor(async () => JSON.stringify(await stack.history(invoiceId)).split('"lookUp"').length > 2)
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'pending' })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization', timesAsked: 1 }])
    const again = await stack.post(`/invoices/${invoiceId}/authorize`, { source: (await stack.createCard()).id })
    expect(again).toMatchObject({ status: 200, body: { outcome: 'pending' } })
  })

  test('leaves a capture pending until it is found done, and captures once', async () => {
    const { invoiceId } = await authorize(RESPONSE_LOST.captureDone)
    const capture = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(capture).toMatchObject({
      status: 200,
      body: { outcome: 'pending', transaction: { status: 'pending-capture', captured_amount: '0.00' } },
    })
    const again = await stack.post(`/invoices/${invoiceId}/capture`)
    expect(again.status).toBe(200)
    const voided = await stack.post(`/invoices/${invoiceId}/void`)
    expect(voided).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    expect(await endsAs(invoiceId, 'completed')).toMatchObject({ captured_amount: '29.00', voided_amount: '0.00' })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', timesAsked: 1 },
    ])
  })

  /** Sends a request, and hangs up while the payment waits for the row of its invoice. */
  async function sendAndHangUp(invoiceId: string, body: object): Promise<void> {
    const { id, secretKey } = stack.project
    await stack.database.orm.em.fork().transactional(async (holder) => {
      await holder.execute('select id from invoice where id = ? for update', [invoiceId])
      const connection = request(new URL(`/invoices/${invoiceId}/authorize`, stack.baseUrl), {
        method: 'POST',
        auth: `test-${id}:${secretKey}`,
        headers: { 'content-type': 'application/json' },
      })
      connection.on('error', () => {})
      connection.end(JSON.stringify(body))
      await stack.waitFor(async () => (await stack.history(invoiceId)) !== undefined)
      const { promise: gone, resolve: hungUp } = Promise.withResolvers<void>()
      connection.on('close', hungUp).destroy()
      await gone
    })
  }

  test('a client that hangs up before its answer has its payment all the same, and is told of it when it asks again', async () => {
    const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(), stack.createCard()])
    await sendAndHangUp(invoiceId, { source, authorize_only: false })
    await stack.waitFor(async () => (await transactionOf(invoiceId))?.status === 'completed')
    const again = await stack.post(`/invoices/${invoiceId}/authorize`, { source, authorize_only: false })
    expect(again).toMatchObject({
      status: 200,
      body: { outcome: 'success', transaction: { captured_amount: '29.00' } },
    })
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([{ type: 'authorization' }, { type: 'capture' }])
  })
})
