import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS, TWO_LOOK_UPS_MS } from '../support/story.ts'

const stack = stackForFile()
const story = createStory(stack)

const captured = async (card: { number?: string; name?: string } = {}) =>
  (await story.pay({ ...card, authorize_only: false })).invoiceId

describe('refunds', () => {
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
    // The first look-up finds them as pending as before.
    for (const invoiceId of [confirmed, failing]) await stack.skipTime(invoiceId, TWO_LOOK_UPS_MS)
    expect(await story.becomes(confirmed, { status: 'refunded' })).toMatchObject({ refunded_amount: '29.00' })
    const undone = await stack.waitFor(async () => {
      const transaction = await story.transactionOf(failing)
      return transaction.refunds[0].status === 'failed' && transaction
    })
    expect(undone).toMatchObject({ status: 'completed', refunded_amount: '0.00', available_amount: '29.00' })
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
  test('a chargeback that the merchant wins is solved and can be refunded; of one that is lost nothing can', async () => {
    const [won, lost] = await Promise.all([
      captured({ number: '4000000000000200' }),
      captured({ name: 'SANDBOX:chargeback-lost' }),
    ])
    await story.becomes(won, { status: 'solved' })
    await story.becomes(lost, { status: 'reversed' })
    expect((await story.post(won, 'refunds', { amount: '1.00' })).status).toBe(200)
    expect((await story.post(lost, 'refunds', { amount: '1.00' })).status).toBe(400)
  })

  test('a chargeback is told, and its money is neither refunded nor captured', async () => {
    const invoiceId = await captured({ number: '4000000000000069' })
    const transaction = await story.becomes(invoiceId, { status: 'chargeback-initiated' })
    expect(transaction).toMatchObject({ chargedback: true, supported_actions: [] })
    const refused = await story.post(invoiceId, 'refunds')
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
  })
})
