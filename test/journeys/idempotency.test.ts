import { describe, expect, test } from '@jest/globals'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { createClientWithKeys, type PostWithKey, type RawAnswer, replayed } from '../http/client-with-keys.ts'
import { stackForFile } from '../support/stack-for-file.ts'

/** As many as the merchant of the worst day sends at once. */
const MANY = 100

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
  })

  test('leaves no key open', async () => {
    expect(await stack.database.orm.em.fork().count(IdempotencyKeyEntity, { completedAt: null })).toBe(0)
  })
})
