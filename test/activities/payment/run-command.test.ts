import { describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { waitFor } from '../../support/wait-for.ts'
import { paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

const prepare = async (card?: string, invoice: object = {}) => ({
  invoiceId: await payments.makeInvoice(invoice),
  command: payments.build.authorize(await payments.makeCard(card)),
})
/** How often each reference has reached the gateway. */
const timesAsked = async (invoiceId: string) =>
  (await payments.requestsOf(invoiceId)).map((request) => [request.type, request.timesAsked])

describe('a step that is run again', () => {
  test('before its attempt was written begins it', async () => {
    const { invoiceId, command } = await prepare()
    expect(await payments.step(invoiceId, command)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized', authorizedMinor: 2900 },
    })
  })

  test('after its attempt was written, but before the gateway heard of it, asks the gateway once', async () => {
    const { invoiceId, command } = await prepare()
    await beginAttempt(payments.deps, payments.stepOf(invoiceId, command))
    expect(await payments.step(invoiceId, command)).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900 },
    })
    const operations = await payments.operationsOf(invoiceId)
    expect(operations.filter(({ isAttempt }) => isAttempt)).toHaveLength(1)
    expect(await payments.resultsOf(command.operationId)).toHaveLength(1)
    expect(await timesAsked(invoiceId)).toEqual([['authorization', 1]])
  })

  test('after the gateway did it, but before that was booked, books what the gateway did and does not ask again', async () => {
    const { invoiceId, command: authorize } = await prepare()
    for (const [command, before, after] of [
      [authorize, { status: 'waiting', authorizedMinor: 0 }, { status: 'authorized', authorizedMinor: 2900 }],
      [payments.build.capture(), { status: 'authorized' }, { status: 'completed', capturedMinor: 2900 }],
    ] as const) {
      let isDone = false
      /** The process dies after the gateway has done its work: it neither answers nor books. */
      const dies = async (ask: () => Promise<unknown>) => {
        await ask()
        isDone = true
        return new Promise<never>(() => {})
      }
      payments.gateway.answers({ [command.call as 'authorize' | 'capture']: dies })
      void payments.step(invoiceId, command)
      await waitFor(async () => isDone)
      payments.gateway.reset()
      expect(await payments.transactionOf(invoiceId)).toMatchObject(before)
      expect(await payments.step(invoiceId, command)).toMatchObject({ answer: { kind: 'done' }, payment: after })
    }
    expect(await timesAsked(invoiceId)).toEqual([
      ['authorization', 1],
      ['capture', 1],
    ])
  })

  test('after it was booked gives the same answer and changes nothing', async () => {
    const { invoiceId, command } = await prepare('4000000000002180')
    const first = await payments.step(invoiceId, command)
    const read = async () =>
      JSON.stringify([await payments.transactionOf(invoiceId), await payments.operationsOf(invoiceId)])
    const before = await read()
    const second = await payments.step(invoiceId, command)
    expect(first.answer).toEqual({ kind: 'declined', code: 'card.do-not-honor' })
    expect(second.answer).toEqual(first.answer)
    expect(await read()).toBe(before)
    expect(await timesAsked(invoiceId)).toEqual([['authorization', 1]])
  })

  test('by twenty workers at once is done once', async () => {
    const { invoiceId, command } = await prepare()
    const results = await Promise.all(Array.from({ length: 20 }, () => payments.step(invoiceId, command)))
    expect(new Set(results.map(({ payment }) => payment.authorizedMinor))).toEqual(new Set([2900]))
    const operations = await payments.operationsOf(invoiceId)
    expect(operations.filter(({ isAttempt }) => isAttempt)).toHaveLength(1)
    expect(await payments.resultsOf(command.operationId)).toHaveLength(1)
  })

  test('announces the events that nobody has begun to deliver', async () => {
    const { invoiceId, command } = await prepare(undefined, { webhookUrl: 'https://merchant.example/webhooks' })
    const away = { start: () => Promise.reject(new Error('Temporal is away')) }
    const step = payments.stepOf(invoiceId, command)
    await expect(payments.activitiesWith({ webhookStarter: away }).authorize(step)).rejects.toThrow('Temporal is away')
    payments.announced.length = 0
    expect((await payments.activities.authorize(step)).answer).toEqual({ kind: 'done' })
    expect(payments.announced.map(({ eventName }) => eventName).sort()).toEqual([
      'transaction.authorized',
      'transaction.requested',
    ])
  })

  test('tells whoever waits only after the outcome is committed', async () => {
    const { invoiceId, command } = await prepare()
    const seen: (string | undefined)[] = []
    const answer = () => void payments.transactionOf(invoiceId).then(({ status }) => seen.push(status))
    const watching = payments.activitiesWith({ pendingAnswers: { ...payments.deps.pendingAnswers, answer } })
    await watching.authorize(payments.stepOf(invoiceId, command))
    await waitFor(async () => seen.length > 0)
    expect(seen).toEqual(['authorized'])
  })
})

describe('what a gateway says', () => {
  test('of a greater amount than was asked for is not an approval', async () => {
    payments.gateway.answers({
      async authorize(ask) {
        const outcome = await ask()
        return outcome.kind === 'approved' ? { ...outcome, amountMinor: outcome.amountMinor + 1 } : outcome
      },
    })
    const { operationId, result } = await payments.authorize()
    expect(result).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending', authorizedMinor: 0, attemptsInFlight: [{ operationId }] },
    })
  })

  test('by throwing leaves the outcome unknown', async () => {
    payments.gateway.answers({ authorize: () => Promise.reject(new Error('socket hang up')) })
    const { result } = await payments.authorize()
    expect(result).toMatchObject({ answer: { kind: 'pending' }, payment: { status: 'pending' } })
    // Merchants read the message of the operation: it tells nothing of what failed inside.
    const operations = await payments.em().find(OperationEntity, { errorMessage: { $ne: null } })
    expect(operations.map(({ errorMessage }) => errorMessage)).toContain('The call ended without an answer.')
    expect(JSON.stringify(operations)).not.toMatch(/hang up|"Error"/)
  })
})
