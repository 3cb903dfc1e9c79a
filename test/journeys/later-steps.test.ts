import { expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const stack = stackForFile()
const story = createStory(stack)

test('a capture of lines that were chosen with the authorization takes those lines', async () => {
  const details = [
    { name: 'Book', amount: '10.00', quantity: 2 },
    { name: 'Pen', amount: '9.00' },
  ]
  const { id: invoiceId, details: lines } = await stack.createInvoice({ details })
  const { id: source } = await stack.createCard()
  await story.post(invoiceId, 'authorize', { source, invoice_detail_ids: [lines[1].id] })
  const { body } = await story.post(invoiceId, 'capture')
  expect(body.transaction).toMatchObject({
    authorized_amount: '29.00',
    captured_amount: '9.00',
    voided_amount: '20.00',
  })
})

test('a refund months later finds its payment, though the workflow of that was forgotten long ago', async () => {
  const { invoiceId } = await story.pay({ authorize_only: false })
  await stack.waitFor(() => stack.isClosed(invoiceId))
  stack.clock.advance(120 * DAY_MS)
  try {
    expect((await story.post(invoiceId, 'refunds', { amount: '1.00' })).body).toMatchObject({ outcome: 'success' })
  } finally {
    stack.clock.advance(-120 * DAY_MS)
  }
})

test('a payment in a currency that has ended since is captured, refunded, listed and exported', async () => {
  const { id: invoiceId } = await stack.createInvoice()
  await stack.database.orm.em.fork().execute(`update invoice set currency = 'BGN' where id = ?`, [invoiceId])
  const { id: source } = await stack.createCard()
  await story.post(invoiceId, 'authorize', { source })
  await story.post(invoiceId, 'capture', { capture_amount: '20.00' })
  expect((await story.post(invoiceId, 'refunds', { amount: '1.00' })).body).toMatchObject({ outcome: 'success' })
  const { body } = await stack.get('/transactions?filter=currency:BGN&filter=captured_amount>=20.00&expand=refunds')
  expect(body.transactions).toMatchObject([
    { currency: 'BGN', refunded_amount: '1.00', refunds: [{ currency: 'BGN' }] },
  ])
  const [from, until] = [0, DAY_MS].map((ms) => new Date(stack.clock.now().getTime() + ms).toISOString().slice(0, 10))
  const exported = await stack.get(`/exports/refunds.csv?from=${from}&until=${until}`)
  expect(JSON.stringify(exported.body)).toContain('BGN')
})
