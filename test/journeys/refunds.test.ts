import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory, DAY_MS } from '../support/story.ts'

describe('refunds', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
  })
  afterAll(() => stack.stop())

  const captured = async (card: { number?: string; name?: string; invoice?: object } = {}) => {
    const { invoiceId } = await story.pay({ ...card, authorize_only: false })
    return invoiceId
  }

  test('of parts and then of what is left give back exactly what was captured', async () => {
    const invoiceId = await captured()
    const first = await story.post(invoiceId, 'refunds', {
      amount: '9.00',
      reason: 'duplicate',
      information: 'Came twice',
      metadata: { case: '7' },
    })
    expect(first).toMatchObject({
      status: 200,
      body: {
        success: true,
        refund: {
          amount: '9.00',
          reason: 'duplicate',
          information: 'Came twice',
          metadata: { case: '7' },
          status: 'succeeded',
          has_failed: false,
        },
        transaction: { status: 'partially-refunded', refunded_amount: '9.00', available_amount: '20.00' },
      },
    })
    const tooMuch = await story.post(invoiceId, 'refunds', { amount: '20.01' })
    expect(tooMuch).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const { id } = await story.transactionOf(invoiceId)
    const rest = await stack.post(`/transactions/${id}/refunds`)
    expect(rest.body).toMatchObject({
      refund: { amount: '20.00', reason: 'other' },
      transaction: { status: 'refunded', refunded: true, available_amount: '0.00', supported_actions: [] },
    })
    const more = await story.post(invoiceId, 'refunds')
    expect(more).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const { body } = await stack.get(`/transactions/${id}/refunds?order=asc`)
    expect(body.refunds.map(({ amount }: { amount: string }) => amount)).toEqual(['9.00', '20.00'])
    const one = await stack.get(`/transactions/${id}/refunds/${first.body.refund.id}`)
    expect(one.body.refund).toMatchObject({ id: first.body.refund.id, transaction_id: id })
    expect(JSON.stringify(await stack.history(invoiceId))).not.toContain('Came twice')
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
      'transaction.refunded',
      'transaction.refunded',
    ])
  })

  test('that are confirmed later hold their amount back meanwhile, and succeed or fail then', async () => {
    const confirmed = await captured({ number: '4000000000007064' })
    expect(await story.post(confirmed, 'refunds', { amount: '20.00' })).toMatchObject({
      status: 200,
      body: { outcome: 'pending', refund: { status: 'pending' }, transaction: { refunded_amount: '0.00' } },
    })
    const tooMuch = await story.post(confirmed, 'refunds', { amount: '9.01' })
    expect(tooMuch).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const beside = await story.post(confirmed, 'refunds', { amount: '9.00' })
    expect(beside).toMatchObject({ status: 200, body: { refund: { status: 'pending' } } })
    const failing = await captured({ number: '4000000000007072' })
    await story.post(failing, 'refunds')
    expect(await story.becomes(confirmed, { status: 'refunded' })).toMatchObject({ refunded_amount: '29.00' })
    const undone = await stack.waitFor(async () => {
      const transaction = await story.transactionOf(failing)
      return transaction.refunds[0].status === 'failed' && transaction
    })
    expect(undone).toMatchObject({ status: 'completed', refunded_amount: '0.00', available_amount: '29.00' })
    await story.expectEvents(failing, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
      'transaction.operation.refund.pending',
      'transaction.operation.refund.failed',
    ])
  })

  test('that fail after they had succeeded are taken back', async () => {
    const invoiceId = await captured({ number: '4000000000005126' })
    const answer = await story.post(invoiceId, 'refunds', { amount: '9.00' })
    expect(answer.body).toMatchObject({ outcome: 'success', refund: { status: 'succeeded' } })
    const transaction = await story.becomes(invoiceId, { status: 'completed', refunded_amount: '0.00' })
    expect(transaction.refunds).toMatchObject([{ status: 'failed', has_failed: true }])
    await story.expectEvents(invoiceId, [
      'transaction.requested',
      'transaction.authorized',
      'transaction.captured',
      'invoice.completed',
      'transaction.refunded',
      'transaction.operation.refund.failed',
    ])
  })

  test('months later find their payment, though its workflow was forgotten long ago', async () => {
    const invoiceId = await captured()
    await stack.waitFor(() => stack.isClosed(invoiceId))
    stack.clock.advance(120 * DAY_MS)
    try {
      expect((await story.post(invoiceId, 'refunds', { amount: '1.00' })).body).toMatchObject({ outcome: 'success' })
    } finally {
      stack.clock.advance(-120 * DAY_MS)
    }
  })
})

describe('disputes', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
  })
  afterAll(() => stack.stop())

  const sale = async (card: { number?: string; name?: string }) =>
    (await story.pay({ ...card, authorize_only: false })).invoiceId
  const paid = ['transaction.requested', 'transaction.authorized', 'transaction.captured', 'invoice.completed']

  test('a chargeback is told, and its money is neither refunded nor captured', async () => {
    const invoiceId = await sale({ number: '4000000000000069' })
    const transaction = await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    expect(transaction).toMatchObject({ chargedback: true, supported_actions: [] })
    expect(transaction.operations.at(-1)).toMatchObject({ type: 'chargeback', actor: 'gateway_webhook' })
    const refused = await story.post(invoiceId, 'refunds')
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    await story.expectEvents(invoiceId, [...paid, 'transaction.chargeback.created'])
  })

  test('a chargeback that the merchant wins is solved, one that is lost reversed', async () => {
    const [won, lost] = await Promise.all([
      sale({ number: '4000000000000200' }),
      sale({ name: 'SANDBOX:chargeback-lost' }),
    ])
    await story.becomes(won, { status: 'solved' })
    await story.becomes(lost, { status: 'reversed' })
    await story.expectEvents(won, [...paid, 'transaction.chargeback.created', 'transaction.chargeback.won'])
    await story.expectEvents(lost, [...paid, 'transaction.chargeback.created', 'transaction.chargeback.lost'])
    expect((await story.post(won, 'refunds', { amount: '1.00' })).status).toBe(200)
    expect((await story.post(lost, 'refunds', { amount: '1.00' })).status).toBe(400)
  })
})
