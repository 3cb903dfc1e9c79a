import { describe, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { deleteOnce } from '../../src/sweeps/deletions.ts'
import { createClientWithKeys, type PostWithKey, replayed } from '../http/client-with-keys.ts'
import { stackForFile } from '../support/stack-for-file.ts'

/** Longer than a key is kept. */
const LATER_MS = 73 * 60 * 60 * 1000

describe('an idempotency key that comes again when it is forgotten', () => {
  const stack = stackForFile()
  const post: PostWithKey = (...asked) =>
    createClientWithKeys(stack.baseUrl, { projectId: stack.project.id, secretKey: stack.project.secretKey })(...asked)

  const asked = async (invoiceId: string) =>
    (await stack.gatewayRequests(invoiceId)).map(({ type, timesAsked }) => `${type} ${timesAsked}`)
  const forgetKeys = async () => {
    stack.clock.advance(LATER_MS)
    const { orm } = stack.database
    await deleteOnce({ orm, clock: stack.clock, logger: stack.log.logger }, readConfig({}).retention)
  }

  test('is judged anew while the run goes on: an increment is another increment', async () => {
    const { invoiceId } = await stack.payInvoice({ authorize: { incremental: true } })
    const raise = () => post(`/invoices/${invoiceId}/increment_authorization`, 'raise', { amount: '5.00' })
    expect(await raise()).toMatchObject({ status: 200, body: { transaction: { authorized_amount: '34.00' } } })
    await forgetKeys()

    const again = await raise()
    expect(again).toMatchObject({ status: 200, body: { transaction: { authorized_amount: '39.00' } } })
    expect(replayed(again)).toBeNull()
    expect(await asked(invoiceId)).toEqual([
      'authorization 1',
      'increment_authorization 1',
      'increment_authorization 1',
    ])
    // Kept anew, from its new first use on.
    expect((await raise()).text).toBe(again.text)
    expect(await asked(invoiceId)).toHaveLength(3)
  })

  test('is judged anew when the run has ended: many equal refunds at once are one more refund', async () => {
    const { invoiceId } = await stack.payInvoice({ authorize: { authorize_only: false } })
    const refund = () => post(`/invoices/${invoiceId}/refunds`, 'refund', { amount: '4.00' })
    expect(await refund()).toMatchObject({ status: 200, body: { transaction: { refunded_amount: '4.00' } } })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    await forgetKeys()

    const answers = await Promise.all(Array.from({ length: 6 }, refund))
    expect(answers.map(({ status, body }) => [status, body.transaction?.refunded_amount])).toEqual(
      answers.map(() => [200, '8.00']),
    )
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1)
    expect(await asked(invoiceId)).toEqual(['authorization 1', 'capture 1', 'refund 1', 'refund 1'])
  })
})
