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
