import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { GatewayNotificationEntity } from '../../src/persistence/entities/gateway-notification.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory } from '../support/story.ts'

describe('an account whose simulator sends every notification twice and the last one first', () => {
  let stack: Stack
  let story: ReturnType<typeof createStory>

  beforeAll(async () => {
    stack = await makeStack({ mode: 'together' })
    story = createStory(stack)
    const { body } = await stack.get('/gateway-configurations')
    const [{ id }] = body.gateway_configurations
    const { status } = await stack.put(`/gateway-configurations/${id}`, {
      credentials: { notification_key: 'a key that signs notifications' },
      settings: { settled_notifications: 'true', duplicate_notifications: 'true', reverse_notifications: 'true' },
    })
    expect(status).toBe(200)
  })
  afterAll(() => stack.stop())

  test('books a won chargeback once, though the end comes before the beginning', async () => {
    const { invoiceId } = await story.pay({ number: '4000000000000200', authorize_only: false })

    const transaction = await story.becomes(invoiceId, { status: 'solved' })

    expect(transaction).toMatchObject({ captured_amount: '29.00', refunded_amount: '0.00' })
    // The beginning, which comes after it, changes nothing.
    await stack.waitFor(
      async () =>
        (await stack.database.orm.em
          .fork()
          .count(GatewayNotificationEntity, { invoiceId, appliedAt: { $ne: null } })) === 2,
    )
    expect(await story.transactionOf(invoiceId)).toMatchObject({ status: 'solved' })
  })

  test('books the end of a pending capture once', async () => {
    const { invoiceId } = await story.pay({ number: '4000000000007049' })
    const pending = await story.post(invoiceId, 'capture', {})
    expect(pending.body.transaction).toMatchObject({ status: 'pending-capture', captured_amount: '0.00' })

    const transaction = await story.becomes(invoiceId, { status: 'completed' })

    expect(transaction).toMatchObject({ captured_amount: '29.00' })
    const capture = (await stack.gatewayRequests(invoiceId)).find(({ type }) => type === 'capture')
    expect(capture?.timesAsked).toBe(1)
    const ends = transaction.operations.filter(
      ({ type, is_attempt, outcome }: Record<string, unknown>) =>
        type === 'capture' && !is_attempt && outcome === 'succeeded',
    )
    expect(ends).toHaveLength(1)
    // Look-ups tell with the second one. Where they were faster, the notification has changed nothing.
    const isReported = ends[0].actor === 'gateway_webhook'
    expect([isReported, Number(capture?.lookedUp) < 2]).toEqual([isReported, isReported])
  })
})
