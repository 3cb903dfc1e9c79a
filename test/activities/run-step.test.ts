import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import type { Gateway } from '../../src/gateways/gateway.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('a step that is run again', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  /** Set to make the next call of the gateway end like a process that dies: after it did its work, before it said so. */
  let dieAfterCall = false

  const mortal = (gateway: Gateway): Gateway => {
    const dying =
      <Request>(call: (request: Request, signal: AbortSignal) => Promise<unknown>) =>
      async (request: Request, signal: AbortSignal): Promise<never> => {
        const outcome = await call(request, signal)
        if (!dieAfterCall) return outcome as never
        dieAfterCall = false
        // A dead process does nothing more: it neither answers nor books.
        return new Promise<never>(() => {})
      }
    return { ...gateway, authorize: dying(gateway.authorize), capture: dying(gateway.capture) }
  }

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database, mortal)
  })
  afterAll(() => database.drop())

  const activities = () => createSignedActivities(fixture.deps)
  const booksOf = async (invoiceId: string) => {
    const em = database.orm.em.fork()
    const transaction = await em.findOneOrFail(TransactionEntity, { invoiceId })
    const operations = await em.find(OperationEntity, { transactionId: transaction.id })
    return {
      transaction,
      attempts: operations.filter((row) => row.isAttempt),
      results: operations.filter((row) => row.attemptOperationId != null),
    }
  }
  const asked = async (reference: string) => (await readSimulatorLog(fixture.execute, { reference })).requests

  test('before its attempt was written begins it', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    expect(await activities().authorize(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'authorized', authorizedMinor: 2900 },
    })
  })

  test('after its attempt was written, but before the gateway heard of it, asks the gateway once', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    await beginAttempt(fixture.deps, step)
    expect(await activities().authorize(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900 },
    })
    const { attempts, results } = await booksOf(invoiceId)
    expect([attempts.length, results.length]).toEqual([1, 1])
    expect(await asked(step.command.operationId)).toMatchObject([{ timesAsked: 1 }])
  })

  test('after the gateway did it, but before that was booked, books what the gateway did and does not ask again', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    dieAfterCall = true
    void activities().authorize(step)
    while (dieAfterCall) await new Promise((resolve) => setTimeout(resolve, 10))
    expect((await booksOf(invoiceId)).transaction).toMatchObject({ status: 'waiting', authorizedMinor: 0 })

    expect(await activities().authorize(step)).toMatchObject({
      answer: { kind: 'done' },
      payment: { authorizedMinor: 2900 },
    })
    expect(await asked(step.command.operationId)).toMatchObject([{ timesAsked: 1 }])

    const capture = fixture.step(invoiceId, fixture.captureCommand())
    dieAfterCall = true
    void activities().capture(capture)
    while (dieAfterCall) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await activities().capture(capture)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 2900 },
    })
    expect(await asked(capture.command.operationId)).toMatchObject([{ timesAsked: 1 }])
  })

  test('after it was booked gives the same answer and changes nothing', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard('4000000000002180')))
    const first = await activities().authorize(step)
    const before = await booksOf(invoiceId)
    const second = await activities().authorize(step)
    expect(first.answer).toEqual({ kind: 'declined', code: 'card.do-not-honor' })
    expect(second.answer).toEqual(first.answer)
    expect(JSON.stringify(await booksOf(invoiceId))).toBe(JSON.stringify(before))
    expect(await asked(step.command.operationId)).toMatchObject([{ timesAsked: 1 }])
  })

  test('by twenty workers at once is done once', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    const results = await Promise.all(Array.from({ length: 20 }, () => activities().authorize(step)))
    expect(new Set(results.map(({ payment }) => payment.authorizedMinor))).toEqual(new Set([2900]))
    const { attempts, results: booked } = await booksOf(invoiceId)
    expect([attempts.length, booked.length]).toEqual([1, 1])
  })

  test('announces the events that nobody has begun to deliver', async () => {
    const invoiceId = await fixture.makeInvoice({ webhookUrl: 'https://merchant.example/webhooks' })
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    const failing = { ...fixture.deps, webhookStarter: { start: () => Promise.reject(new Error('Temporal is away')) } }
    await expect(createSignedActivities(failing).authorize(step)).rejects.toThrow('Temporal is away')
    fixture.announced.length = 0
    expect(await activities().authorize(step)).toMatchObject({ answer: { kind: 'done' } })
    expect(fixture.announced.map(({ eventName }) => eventName).sort()).toEqual([
      'transaction.authorized',
      'transaction.requested',
    ])
  })

  test('tells whoever waits only after the outcome is committed', async () => {
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    const seen: (string | undefined)[] = []
    const { deps } = fixture
    const watching = createSignedActivities({
      ...deps,
      pendingAnswers: {
        ...deps.pendingAnswers,
        answer: () => void booksOf(invoiceId).then(({ transaction }) => seen.push(transaction.status)),
      },
    })
    await watching.authorize(step)
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(seen).toEqual(['authorized'])
  })
})

describe('what a gateway says', () => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeDatabase()
  })
  afterAll(() => database.drop())

  test('of a greater amount than was asked for is not an approval', async () => {
    const fixture = await makePaymentFixture(database, (gateway) => ({
      ...gateway,
      authorize: async (request, signal) => {
        const outcome = await gateway.authorize(request, signal)
        return outcome.kind === 'approved' ? { ...outcome, amountMinor: outcome.amountMinor + 1 } : outcome
      },
    }))
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    expect(await createSignedActivities(fixture.deps).authorize(step)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending', authorizedMinor: 0, attemptsInFlight: [{ operationId: step.command.operationId }] },
    })
  })

  test('by throwing leaves the outcome unknown', async () => {
    const fixture = await makePaymentFixture(database, (gateway) => ({
      ...gateway,
      authorize: () => Promise.reject(new Error('socket hang up')),
    }))
    const invoiceId = await fixture.makeInvoice()
    const step = fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard()))
    expect(await createSignedActivities(fixture.deps).authorize(step)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { status: 'pending' },
    })
    // Merchants read the message of the operation: it tells nothing of what failed inside.
    const operations = await database.orm.em.fork().find(OperationEntity, { errorMessage: { $ne: null } })
    expect(operations.map(({ errorMessage }) => errorMessage)).toContain('The call ended without an answer.')
    expect(JSON.stringify(operations)).not.toMatch(/hang up|"Error"/)
  })
})
