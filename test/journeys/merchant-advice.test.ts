import { beforeEach, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const DO_NOT_TRY_AGAIN = '5200000000000031'
const APPROVED = '5555555555554444'
const BLOCKED = { status: 410, body: { success: false, error_type: 'request.transaction-blocked' } }

const stack = stackForFile()
const story = createStory(stack)
beforeEach(() => em().execute('delete from advice_block'))

const em = () => stack.database.orm.em.fork()
const callsFor = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).length
describe('a card that is declined with the advice of its scheme', () => {
  test('shows nothing of it any more once another card is approved', async () => {
    const { invoiceId } = await story.pay({ number: '5200000000000247' })
    const { id: source } = await stack.createCard({ number: APPROVED })
    expect((await story.post(invoiceId, 'authorize', { source })).status).toBe(200)
    expect(await story.transactionOf(invoiceId)).toMatchObject({
      merchant_advice_code: null,
      merchant_advice_reason: null,
      recommendation_code: null,
      recommendation_reason: null,
      retry_after: null,
      error_recommendations: null,
    })
  })
})

describe('after “do not try again”', () => {
  test('the same card over the same amount is refused with 410, and the gateway hears nothing of it', async () => {
    const first = await story.pay({ number: DO_NOT_TRY_AGAIN })
    const again = await story.post(first.invoiceId, 'authorize', { source: first.source })
    expect(again).toMatchObject(BLOCKED)
    expect(await callsFor(first.invoiceId)).toBe(1)

    const other = await story.pay({ number: DO_NOT_TRY_AGAIN })
    expect(other.answer).toMatchObject(BLOCKED)
    expect(await callsFor(other.invoiceId)).toBe(0)
    const transaction = await story.transactionOf(other.invoiceId)
    expect(transaction).toMatchObject({
      status: 'failed',
      error_code: 'request.transaction-blocked',
      merchant_advice_code: '03',
      recommendation_code: 'do-not-retry',
    })
    expect(transaction.operations).toMatchObject([
      { type: 'request' },
      { type: 'authorization', is_attempt: true },
      { type: 'authorization', is_attempt: false, has_failed: true, error_code: 'request.transaction-blocked' },
    ])
    const until = Date.parse(transaction.retry_after) - Date.parse(transaction.created_at)
    expect(Math.abs(until - 30 * DAY_MS)).toBeLessThan(60_000)
    await story.expectEvents(other.invoiceId, ['transaction.requested', 'transaction.failed'])
  })

  test('an override is sent, is noted on its operations, and its decline is recorded all the same', async () => {
    await story.pay({ number: DO_NOT_TRY_AGAIN })
    await em().execute("update advice_block set expires_at = expires_at - interval '20 days'")
    const { invoiceId, answer } = await story.pay({ number: DO_NOT_TRY_AGAIN, override_mac_blocking: true })
    expect(answer.body.error_type).toBe('card.dont-retry')
    expect(await callsFor(invoiceId)).toBe(1)
    const { operations } = await story.transactionOf(invoiceId)
    expect(operations.slice(1)).toMatchObject([
      { is_attempt: true, metadata: { mac_override: 'true' } },
      { is_attempt: false, metadata: { mac_override: 'true' } },
    ])
    const [left] = await em().execute("select expires_at > now() + interval '29 days' as extended from advice_block")
    expect(left).toEqual({ extended: true })
    expect((await story.pay({ number: DO_NOT_TRY_AGAIN })).answer).toMatchObject(BLOCKED)
  })
})
