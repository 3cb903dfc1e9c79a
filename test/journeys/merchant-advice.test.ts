import { beforeEach, describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

const DO_NOT_TRY_AGAIN = '5200000000000031'
const BLOCKED = { status: 410, body: { success: false, error_type: 'request.transaction-blocked' } }

const stack = stackForFile()
const story = createStory(stack)
beforeEach(() => em().execute('delete from advice_block'))

const em = () => stack.database.orm.em.fork()
const callsFor = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).length
describe('after “do not try again”', () => {
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
