import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'

const DAY_MS = 24 * 60 * 60 * 1000
let stack: Stack
beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
})
afterAll(() => stack.stop())

const authorized = async (options: object = {}, invoice: object = {}) => {
  const [{ id: invoiceId }, { id: source }] = await Promise.all([stack.createInvoice(invoice), stack.createCard()])
  const answer = await stack.post(`/invoices/${invoiceId}/authorize`, { source, ...options })
  expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'authorized' } } })
  return { invoiceId: String(invoiceId), transaction: answer.body.transaction }
}
const advance = (invoiceId: string, body: object) => stack.post(`/invoices/${invoiceId}/clock/advance`, body)

test('captures', async () => {
  const { invoiceId } = await authorized({ auto_capture_at: new Date(Date.now() + 3 * DAY_MS).toISOString() })
  const t = performance.now()
  const answer = await advance(invoiceId, { seconds: 3 * 86_400 + 60 })
  console.log(performance.now() - t, JSON.stringify(answer.body))
  expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'completed' } } })
}, 60_000)
test('expires', async () => {
  const { invoiceId } = await authorized()
  const t = performance.now()
  const answer = await advance(invoiceId, { seconds: 8 * 86_400 })
  console.log(performance.now() - t, JSON.stringify(answer.body))
  expect(answer).toMatchObject({ status: 200, body: { transaction: { status: 'voided' } } })
}, 60_000)
