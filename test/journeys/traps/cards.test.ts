import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CardSecurityCodeEntity } from '../../../src/persistence/entities/card-security-code.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { makeStack, type Stack } from '../../support/stack.ts'
import { createStory } from '../../support/story.ts'

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())

const securityCodes = (cardId: string) => stack.database.orm.em.fork().count(CardSecurityCodeEntity, { cardId })

describe('a card', () => {
  test('that was declined is good for its invoice only', async () => {
    const { invoiceId, source } = await story.pay({ number: '4000000000002180' })
    const other = await stack.createInvoice()
    const refused = await story.post(other.id, 'authorize', { source })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.source.card-already-used' } })
    expect(await stack.gatewayRequests(other.id)).toEqual([])
    expect((await story.post(invoiceId, 'authorize', { source })).status).toBe(410)
    expect(await stack.gatewayRequests(invoiceId)).toHaveLength(2)
  })

  test('given for twenty invoices at once pays one of them', async () => {
    const { id: source } = await stack.createCard()
    const invoices = await Promise.all(Array.from({ length: 20 }, () => stack.createInvoice()))
    const answers = await Promise.all(invoices.map(({ id }) => story.post(id, 'authorize', { source })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const refusals = answers.filter(({ status }) => status !== 200)
    expect(new Set(refusals.map(({ body }) => body.error_type))).toEqual(new Set(['request.source.card-already-used']))
    const em = stack.database.orm.em.fork()
    expect(await em.count(TransactionEntity, { invoiceId: { $in: invoices.map(({ id }) => id) } })).toBe(1)
  })
})

describe('a security code', () => {
  test.each([
    ['approved', '4242424242424242'],
    ['declined', '4000000000002180'],
  ])('is gone with the first outcome, which is %s', async (_, number) => {
    const { id: source } = await stack.createCard({ number })
    expect(await securityCodes(source)).toBe(1)
    const invoice = await stack.createInvoice()
    await story.post(invoice.id, 'authorize', { source })
    expect(await securityCodes(source)).toBe(0)
  })

  test('is kept while the outcome is not known, and gone as soon as it is', async () => {
    const { invoiceId, source } = await story.pay({ number: '4000000000007007' })
    await story.becomes(invoiceId, { status: 'authorized' })
    expect(await securityCodes(source)).toBe(0)
  })

  test('is checked in the first payment of a stored card, and never again', async () => {
    const { body } = await stack.post('/customers', {})
    const path = `/customers/${body.customer.id}/tokens`
    const { id: source } = await stack.createCard()
    const { token } = (await stack.post(path, { source })).body
    const checks: string[] = []
    for (let uses = 0; uses < 2; uses += 1) {
      const invoice = await stack.createInvoice()
      const paid = await story.post(invoice.id, 'authorize', { source: token.id })
      checks.push(paid.body.transaction.cvc_check)
    }
    expect(checks).toEqual(['passed', 'unchecked'])
    expect(await securityCodes(source)).toBe(0)
  })
})
