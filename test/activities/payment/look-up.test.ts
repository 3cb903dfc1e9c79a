import { describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { notSent } from '../../../domain/operation.ts'
import { lostAnswer, paymentsForFile, SECOND_MS, toEveryCall } from '../payments.ts'

const payments = paymentsForFile()

/** An attempt that the gateway has carried out, and of which we know nothing. */
const loseAnswer = async (kind: 'capture' | 'increment' | 'void', invoice: object = {}) => {
  const { invoiceId } = await payments.authorized({ incremental: kind === 'increment' }, invoice)
  const command = kind === 'increment' ? payments.build.increment(500) : payments.build[kind]()
  payments.gateway.answers(toEveryCall(lostAnswer))
  expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'pending' })
  const { operationId } = command
  return { invoiceId, operationId, lookUp: () => payments.lookUp(invoiceId, operationId) }
}
/** A capture whose process ended before it called. */
const beginCapture = async () => {
  const { invoiceId } = await payments.authorized()
  const capture = payments.build.capture()
  await beginAttempt(payments.deps, payments.stepOf(invoiceId, capture))
  return { invoiceId, operationId: capture.operationId }
}

describe('the look-up of an unknown outcome', () => {
  test('announces what it has booked also when it ended between the two and is run again', async () => {
    const { invoiceId, operationId, lookUp } = await loseAnswer('capture', {
      webhookUrl: 'https://merchant.example/webhooks',
    })
    const away = { start: () => Promise.reject(new Error('Temporal is away')) }
    const input = { payment: payments.referenceOf(invoiceId), operationId, at: payments.now() }
    await expect(payments.activitiesWith({ webhookStarter: away }).lookUp(input)).rejects.toThrow('Temporal is away')
    payments.announced.length = 0
    expect(await lookUp()).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed' } })
    const announced = payments.announced.map(({ eventName }) => eventName)
    expect(announced).toContain('transaction.captured')
    expect(announced).toContain('invoice.completed')
  })

  test.each(['increment', 'capture'] as const)(
    'of a lost %s is booked once, also by a machine whose clock is behind',
    async (kind) => {
      const { invoiceId, operationId } = await loseAnswer(kind)
      const slow = payments.activitiesWith({ clock: payments.clockAhead(-5 * SECOND_MS) })
      const input = { payment: payments.referenceOf(invoiceId), operationId, at: payments.now() }
      const first = await slow.lookUp(input)
      const second = await slow.lookUp(input)
      expect(first.answer).toEqual({ kind: 'done' })
      expect(second).toEqual(first)
      const results = await payments.resultsOf(operationId)
      expect(results.filter(({ outcome }) => outcome === 'succeeded')).toHaveLength(1)
    },
  )

  test('that goes on finding an approval of another amount is no news, and tells nobody twice', async () => {
    const { invoiceId, operationId, lookUp } = await loseAnswer('void')
    payments.gateway.answers({
      async lookUp(ask) {
        const found = await ask()
        if (found.kind !== 'found' || found.outcome.kind !== 'approved') return found
        return { kind: 'found', outcome: { ...found.outcome, amountMinor: 1 } }
      },
    })
    for (let round = 0; round < 3; round += 1)
      expect(await lookUp()).toMatchObject({ answer: { kind: 'pending' }, payment: { voidedMinor: 0 } })
    const pending = { kind: 'pending', gatewayOperationId: 'void_1' } as const
    payments.gateway.answers({ lookUp: { kind: 'found', outcome: pending } })
    await lookUp()
    expect(await payments.resultsOf(operationId)).toHaveLength(2)
    const events = await payments.eventsOf(invoiceId)
    expect(events.filter((name) => name === 'transaction.operation.void.pending')).toHaveLength(1)

    payments.gateway.reset()
    expect(await lookUp()).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'voided' } })
  })

  test('of a gateway that does not take the call up again leaves open what became of the first one', async () => {
    const { invoiceId, operationId } = await beginCapture()
    payments.gateway.answers({ capture: notSent('ECONNREFUSED') })
    expect(await payments.lookUp(invoiceId, operationId)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { capturedMinor: 0 },
    })
  })

  test('of a gateway that never saw the reference sends nothing again unless references are idempotent there', async () => {
    const { invoiceId, operationId } = await beginCapture()
    const forgetful = { ...payments.deps.gateways.find('simulator'), referencesKeptForMs: 0 }
    const { lookUp } = payments.activitiesWith({ gateways: { has: () => true, find: () => forgetful } })
    expect(await lookUp({ payment: payments.referenceOf(invoiceId), operationId, at: payments.now() })).toMatchObject({
      answer: { kind: 'pending' },
      payment: { capturedMinor: 0, attemptsInFlight: [{ operationId }] },
    })
  })
})
