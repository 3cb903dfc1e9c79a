import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'

const CROWD = 100

describe.each(['together', 'apart'] as const)('a crowd on one payment, with API and worker %s', (mode) => {
  let stack: Stack

  beforeAll(async () => {
    stack = await makeStack({ mode })
  })
  afterAll(() => stack.stop())

  test('authorizes it once; whoever is not answered is told to come back', async () => {
    const [invoice, card] = await Promise.all([stack.createInvoice(), stack.createCard()])
    const authorize = () => stack.post(`/invoices/${invoice.id}/authorize`, { source: card.id })
    const answers = await Promise.all(Array.from({ length: CROWD }, authorize))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 200 && status !== 409)).toEqual([])
    expect(statuses).toContain(200)
    for (const { status, body } of answers) if (status === 409) expect(body.error_type).toBe('request.still-processing')
    expect(await stack.gatewayRequests(invoice.id)).toMatchObject([{ type: 'authorization', timesAsked: 1 }])
  })

  test('captures it once, and tells everybody so', async () => {
    const { invoiceId } = await stack.payInvoice()
    const capture = () => stack.post(`/invoices/${invoiceId}/capture`)
    const answers = await Promise.all(Array.from({ length: CROWD }, capture))
    expect(
      [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200 && status !== 409),
    ).toEqual([])
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization' },
      { type: 'capture', timesAsked: 1 },
    ])
    expect((await capture()).body.transaction).toMatchObject({ status: 'completed', captured_amount: '29.00' })
  })
})
