import { describe, expect, test } from '@jest/globals'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { createClientWithKeys, type PostWithKey, type RawAnswer, replayed } from '../http/client-with-keys.ts'
import { stackForFile } from '../support/stack-for-file.ts'

const DECLINED = '4000000000002180'

/** As many as the merchant of the worst day sends at once. */
const MANY = 100
/** More than Temporal is sent at once of one payment. */
const SOME = 10

describe('requests with one idempotency key, with API and worker apart', () => {
  const stack = stackForFile({ mode: 'apart' })
  const post: PostWithKey = (...asked) =>
    createClientWithKeys(stack.baseUrl, { projectId: stack.project.id, secretKey: stack.project.secretKey })(...asked)
  let count = 0

  const newKey = () => {
    count += 1
    return `journey-${count}`
  }
  const asked = async (invoiceId: string) =>
    (await stack.gatewayRequests(invoiceId)).map(({ type, timesAsked }) => `${type} ${timesAsked}`)

  /**
   * All the same to the byte, and all but one said to be a repetition; gives this answer. A busy machine may let some wait
   * for longer than they may, who are then told to come back, and told the same when they do.
   */
  const expectOneAnswer = async (times: number, request: () => Promise<RawAnswer>, status: number) => {
    const answers = await Promise.all(Array.from({ length: times }, request))
    const isToldToComeBack = (answer: RawAnswer) =>
      answer.status === 409 && answer.body.error_type === 'request.still-processing'
    const given = answers.filter((answer) => !isToldToComeBack(answer))
    const again = await stack.waitFor(async () => {
      const answer = await request()
      return isToldToComeBack(answer) ? null : answer
    })
    expect(new Set([...given, again].map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1)
    expect([again.status, replayed(again)]).toEqual([status, 'true'])
    expect(given.filter((answer) => replayed(answer) === null).length).toBeLessThanOrEqual(1)
    return again
  }

  test('a hundred equal authorizations at once are one call of the gateway and one answer', async () => {
    const [{ id: invoiceId }, { id: source }] = [await stack.createInvoice(), await stack.createCard()]
    const key = newKey()
    const answer = await expectOneAnswer(MANY, () => post(`/invoices/${invoiceId}/authorize`, key, { source }), 200)
    expect(answer.body).toMatchObject({ outcome: 'success', transaction: { status: 'authorized' } })
    expect(await asked(invoiceId)).toEqual(['authorization 1'])
  }, 60_000)

  test('equal refunds of a part are one call of the gateway and one refund', async () => {
    const { invoiceId, transaction } = await stack.payInvoice({ authorize: { authorize_only: false } })
    const key = newKey()
    const refund = { amount: '4.00', reason: 'customer_request', information: 'broken' }
    const answer = await expectOneAnswer(SOME, () => post(`/transactions/${transaction.id}/refunds`, key, refund), 200)
    expect(answer.body).toMatchObject({
      refund: { amount: '4.00', status: 'succeeded', information: 'broken' },
      transaction: { refunded_amount: '4.00' },
    })
    expect(await asked(invoiceId)).toEqual(['authorization 1', 'capture 1', 'refund 1'])
    // With another key it is another refund, although nothing else differs.
    const second = await post(`/transactions/${transaction.id}/refunds`, newKey(), refund)
    expect(second.body.transaction.refunded_amount).toBe('8.00')
  }, 60_000)

  test('a request that comes again much later gets the answer of then, and moves nothing', async () => {
    const { invoiceId } = await stack.payInvoice()
    const key = newKey()
    const body = { capture_amount: '10.00' }
    const first = await post(`/invoices/${invoiceId}/capture`, key, body)
    expect(first).toMatchObject({ status: 200, body: { transaction: { captured_amount: '10.00' } } })
    await stack.waitFor(() => stack.isClosed(invoiceId))
    await post(`/invoices/${invoiceId}/refunds`, undefined, { amount: '3.00' })

    const again = await post(`/invoices/${invoiceId}/capture`, key, body)
    expect(again.text).toBe(first.text)
    expect(replayed(again)).toBe('true')
    expect(await asked(invoiceId)).toEqual(['authorization 1', 'capture 1', 'refund 1'])
  })

  test('a decline comes again without asking the bank again; another card needs another key', async () => {
    const [{ id: invoiceId }, { id: source }] = [
      await stack.createInvoice(),
      await stack.createCard({ number: DECLINED }),
    ]
    const key = newKey()
    const answer = await expectOneAnswer(SOME, () => post(`/invoices/${invoiceId}/authorize`, key, { source }), 410)
    expect((await post(`/invoices/${invoiceId}/authorize`, key, { source })).text).toBe(answer.text)
    expect(await asked(invoiceId)).toEqual(['authorization 1'])

    const { id: other } = await stack.createCard()
    expect(await post(`/invoices/${invoiceId}/authorize`, key, { source: other })).toMatchObject({
      status: 400,
      body: { error_type: 'request.idempotency-key.invalid' },
    })
    expect(await post(`/invoices/${invoiceId}/authorize`, newKey(), { source: other })).toMatchObject({ status: 200 })
    expect(await asked(invoiceId)).toEqual(['authorization 1', 'authorization 1'])
  }, 60_000)

  test('leaves no key open', async () => {
    expect(await stack.database.orm.em.fork().count(IdempotencyKeyEntity, { completedAt: null })).toBe(0)
  })
})
