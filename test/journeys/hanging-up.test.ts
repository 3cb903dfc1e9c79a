import { request } from 'node:http'
import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'

describe('a caller that does not wait for its answer', () => {
  const stack = stackForFile()

  const transactionOf = async (invoiceId: string) => {
    const invoice = await stack.get(`/invoices/${invoiceId}`)
    return (await stack.get(`/transactions/${invoice.body.invoice.transaction_id}`)).body.transaction
  }

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

  test('has its payment all the same, and is told of it when it asks again', async () => {
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
