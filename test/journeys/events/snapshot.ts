import { expect } from '@jest/globals'

// biome-ignore lint/suspicious/noExplicitAny: as in Answer.
type Body = any

/** What the data of every event must have, by what it is about. */
export function expectSnapshot(event: Body, projectId: string): void {
  const { name, data } = event
  expect(event).toMatchObject({ project_id: projectId, sandbox: true, webhooks: null })
  expect(data).toMatchObject({ name, sandbox: true })
  if (event.invoice_id !== null)
    expect(data.invoice).toMatchObject({ id: event.invoice_id, amount: expect.any(String) })
  if (event.transaction_id === null) expect(event.sequence).toBeNull()
  else expectTransaction(event, projectId)
  if (name.includes('refund')) expect(data.refund).toMatchObject({ transaction_id: event.transaction_id })
  if (name.startsWith('customer.token.')) {
    const { token } = data
    // Of a customer that was deleted, nothing says what its sources were.
    const summary = token.customer.email === null ? null : expect.stringMatching(/^[* ]+\d{4}$/)
    expect(token).toMatchObject({ customer_id: token.customer.id, summary })
    if (name !== 'customer.token.deleted') expect(token.card.token_id).toBe(token.id)
  }
}

function expectTransaction({ transaction_id, invoice_id, data: { transaction } }: Body, projectId: string): void {
  expect(transaction).toMatchObject({
    id: transaction_id,
    invoice: { id: invoice_id, transaction_id },
    card: { id: transaction.card_id, last_4_digits: expect.stringMatching(/^\d{4}$/) },
    gateway_configuration: { id: transaction.gateway_configuration_id, project_id: projectId },
    operations: expect.arrayContaining([expect.objectContaining({ transaction_id, type: 'authorization' })]),
    refunds: expect.any(Array),
  })
  for (const relation of ['customer', 'token']) {
    expect(transaction[relation]?.id ?? null).toBe(transaction[`${relation}_id`])
  }
}
