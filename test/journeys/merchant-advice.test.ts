import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { ProjectEntity, type ProjectRow } from '../../src/persistence/entities/project.ts'
import { makeStack, type Stack } from '../support/stack.ts'
import { createStory, DAY_MS } from '../support/story.ts'

const HOUR_MS = DAY_MS / 24
const DO_NOT_TRY_AGAIN = '5200000000000031'
const STOP_RECURRING = '5200000000000213'
const APPROVED = '5555555555554444'
const BLOCKED = { status: 410, body: { success: false, error_type: 'request.transaction-blocked' } }

let stack: Stack
let story: ReturnType<typeof createStory>

beforeAll(async () => {
  stack = await makeStack({ mode: 'together' })
  story = createStory(stack)
})
afterAll(() => stack.stop())
beforeEach(() => em().execute('delete from advice_block'))

const em = () => stack.database.orm.em.fork()
const callsFor = async (invoiceId: string) => (await stack.gatewayRequests(invoiceId)).length
const setOptions = (options: Partial<ProjectRow>) => em().nativeUpdate(ProjectEntity, { id: stack.project.id }, options)
const merchantInitiated = { merchant_initiator_type: 'recurring' }

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

describe('advice against what the merchant charges by itself', () => {
  test('stops nothing until the project wants it', async () => {
    for (const number of [STOP_RECURRING, '5200000000000304']) {
      await story.pay({ number, invoice: merchantInitiated })
      const again = await story.pay({ number, invoice: merchantInitiated })
      expect(again.answer.body.error_type).not.toBe('request.transaction-blocked')
      expect(await callsFor(again.invoiceId)).toBe(1)
    }
  })

  test('21 stops every amount on the card, but never what the customer pays', async () => {
    await setOptions({ blocksStoppedPayments: true })
    try {
      await story.pay({ number: STOP_RECURRING, invoice: merchantInitiated })
      const again = await story.pay({ number: STOP_RECURRING, invoice: { ...merchantInitiated, amount: '5.00' } })
      expect(again.answer).toMatchObject(BLOCKED)
      expect(await callsFor(again.invoiceId)).toBe(0)
      const customers = await story.pay({ number: STOP_RECURRING })
      expect(customers.answer.body.error_type).toBe('card.revoked')
      const overridden = { ...merchantInitiated, amount: '6.00' }
      expect(
        (await story.pay({ number: STOP_RECURRING, invoice: overridden, override_mac_blocking: true })).answer.body,
      ).toMatchObject({ error_type: 'card.revoked' })
    } finally {
      await setOptions({ blocksStoppedPayments: false })
    }
  })

  test('24 to 30 stop the same amount until their time, and tell it', async () => {
    await setOptions({ enforcesRetryAfter: true })
    try {
      const number = '5200000000000247'
      const first = await story.pay({ number, invoice: merchantInitiated })
      const { retry_after: retryAfter } = await story.transactionOf(first.invoiceId)
      const again = await story.pay({ number, invoice: merchantInitiated })
      expect(again.answer).toMatchObject(BLOCKED)
      expect(await story.transactionOf(again.invoiceId)).toMatchObject({
        merchant_advice_code: '24',
        recommendation_code: 'retry-after',
        retry_after: retryAfter,
      })
      expect((await story.pay({ number })).answer.body.error_type).toBe('card.no-money')
      const other = { ...merchantInitiated, amount: '3.00' }
      expect((await story.pay({ number, invoice: other })).answer.body.error_type).toBe('card.no-money')
    } finally {
      await setOptions({ enforcesRetryAfter: false })
    }
  })
})

describe('what the networks count', () => {
  const enforced = { enforcesNetworkLimits: true, visaReattempts: 2, mastercardDeclinesPerDay: 3 }
  const tooOften = { status: 410, body: { error_type: 'card.maximum-attempts' } }

  test('stops nothing until the project wants it', async () => {
    await setOptions({ ...enforced, enforcesNetworkLimits: false })
    for (let tries = 0; tries < 5; tries += 1)
      expect((await story.pay({ number: '4000000000002255' })).answer.body.error_type).toBe('card.not-authorized')
  })

  test('is three declines of a Mastercard in a day here, whatever the amount; the next day it is sent again', async () => {
    await setOptions(enforced)
    try {
      const number = '5200000000000437'
      for (const amount of ['0.50', '1.00', '2.00'])
        expect((await story.pay({ number, invoice: { amount } })).answer.body.error_type).toBe('card.declined')
      const refused = await story.pay({ number, invoice: { amount: '3.00' } })
      expect(refused.answer).toMatchObject(tooOften)
      expect(await callsFor(refused.invoiceId)).toBe(0)
      stack.clock.advance(DAY_MS + HOUR_MS)
      expect((await story.pay({ number, invoice: { amount: '4.00' } })).answer.body.error_type).toBe('card.declined')
      await setOptions({ mastercardDeclinesPerAmount: 1 })
      expect((await story.pay({ number, invoice: { amount: '1.00' } })).answer).toMatchObject(tooOften)
      expect((await story.pay({ number, invoice: { amount: '5.00' } })).answer.body.error_type).toBe('card.declined')
    } finally {
      await setOptions({ enforcesNetworkLimits: false, mastercardDeclinesPerAmount: 35 })
    }
  })
})
