import { describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { makeAnew } from '../../../activities/payment/make-anew.ts'
import { recordOutcome } from '../../../activities/payment/record-outcome.ts'
import type { Command } from '../../../domain/command.ts'
import type { Outcome } from '../../../domain/operation.ts'
import { InvoiceDetailEntity } from '../../../src/persistence/entities/invoice-detail.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, NO_ANSWER, paymentsForFile, SECOND_MS } from '../payments.ts'

const payments = paymentsForFile()

const NOT_FOUND: Outcome = { kind: 'declined', code: 'gateway.transaction-not-found', gatewayCode: 'NO_SUCH_PAYMENT' }

/** The references of what was sent, but for look-ups, since the payment was authorized. */
const sent = () =>
  payments.gateway.asked.filter(({ call }) => call !== 'lookUp').map(({ request }) => request.reference as string)
/** The process ends between the attempt and the call. */
const dieBeforeCall = async (invoiceId: string, command: Command) => {
  const step = payments.stepOf(invoiceId, command)
  await beginAttempt(payments.deps, step as never)
  payments.gateway.asked.length = 0
  const { operationId } = command
  return {
    ...{ invoiceId, command, step, operationId },
    lookUp: (laterMs: number, id = operationId) => payments.lookUp(invoiceId, id, laterMs),
    makeAnew: (laterMs: number) =>
      makeAnew(payments.deps, step.payment, { attemptId: operationId, at: step.at + laterMs }),
  }
}
const beginAuthorization = async () =>
  dieBeforeCall(await payments.makeInvoice(), payments.build.authorize(await payments.makeCard()))
const beginCapture = async () => dieBeforeCall((await payments.authorized()).invoiceId, payments.build.capture())

describe('while a call is on its way, a test clock that is moved', () => {
  const advance = (invoiceId: string, clockOffsetMs: number) =>
    payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { clockOffsetMs })
  const lookUpByWallClock = ({ invoiceId, operationId }: { invoiceId: string; operationId: string }, laterMs: number) =>
    payments.activitiesWith({ clock: payments.clockAhead(laterMs) }).lookUp({
      ...{ payment: payments.referenceOf(invoiceId), operationId, at: payments.now() + HOUR_MS + laterMs },
    })

  test('has no capture made under another reference before the first call has ended', async () => {
    const begun = await beginCapture()
    await advance(begun.invoiceId, HOUR_MS)
    // The gateway sees none of it yet, and may still do each of them.
    payments.gateway.answers({ capture: NO_ANSWER })
    for (const laterMs of [0, 4 * MINUTE_MS, 9 * MINUTE_MS]) await lookUpByWallClock(begun, laterMs)
    expect(new Set(sent())).toEqual(new Set([begun.operationId]))
    expect(await payments.transactionOf(begun.invoiceId)).toMatchObject({
      attemptsInFlight: [{ operationId: begun.operationId }],
    })
    payments.gateway.answers({ capture: (ask) => ask() })
    expect(await lookUpByWallClock(begun, 10 * MINUTE_MS)).toMatchObject({
      payment: { status: 'completed', capturedMinor: 2900 },
    })
  })

  test('has no authorization fail before its call has ended, so that no other card is asked beside it', async () => {
    const begun = await beginAuthorization()
    await advance(begun.invoiceId, HOUR_MS)
    for (const laterMs of [0, 4 * MINUTE_MS])
      expect(await lookUpByWallClock(begun, laterMs)).toMatchObject({ payment: { status: 'pending' } })
    expect(sent()).toEqual([])
    expect(await lookUpByWallClock(begun, 5 * MINUTE_MS)).toMatchObject({ payment: { status: 'failed' } })
  })
})

describe('an authorization that never arrived', () => {
  test('is sent again while the customer waits for it', async () => {
    const { operationId, lookUp } = await beginAuthorization()
    expect(await lookUp(4 * MINUTE_MS)).toMatchObject({ payment: { status: 'authorized' } })
    expect(sent()).toEqual([operationId])
  })

  test.each([
    ['five minutes', 5 * MINUTE_MS],
    ['ten days', 10 * DAY_MS],
  ])('fails after %s without being sent, and the invoice can be paid again', async (_, laterMs) => {
    const { invoiceId, operationId, lookUp } = await beginAuthorization()
    expect(await lookUp(laterMs)).toMatchObject({
      answer: { kind: 'declined', code: 'gateway.network-error' },
      payment: { status: 'failed', authorizedMinor: 0, attemptsInFlight: [] },
    })
    expect(sent()).toEqual([])
    expect(await payments.resultsOf(operationId)).toMatchObject([
      { outcome: 'failed', gatewayCode: 'NEVER_ARRIVED', isNotSent: true },
    ])
    const again = payments.build.authorize(await payments.makeCard())
    expect((await payments.step(invoiceId, again)).answer).toEqual({ kind: 'done' })
  })

  test('is not sent by its own step either that is run again days later, nor at the next gateway', async () => {
    const { invoiceId, command } = await beginAuthorization()
    const { authorize } = payments.activitiesWith({ clock: payments.clockAhead(10 * DAY_MS) })
    expect(await authorize(payments.stepOf(invoiceId, command) as never)).toMatchObject({
      answer: { kind: 'declined', code: 'gateway.network-error' },
      payment: { status: 'failed', attemptsInFlight: [] },
    })
    expect(sent()).toEqual([])
  })

  test('that is approved after it was taken for failed is given back', async () => {
    const { invoiceId, operationId, step, lookUp } = await beginAuthorization()
    await lookUp(HOUR_MS)
    // The process that was to send it was only asleep.
    const outcome: Outcome = { kind: 'approved', gatewayOperationId: 'late', amountMinor: 2900, currency: 'EUR' }
    const ending = { attemptId: operationId, outcome, at: step.at, actor: 'merchant' } as const
    await recordOutcome(payments.deps, step.payment, { ...ending, step: { ...step, answersTo: operationId } as never })
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      ...{ status: 'failed', authorizedMinor: 0, orphans: [{ operationId, reason: 'late_approval' }] },
    })
  })
})

test('an increment that never arrived is sent again within minutes, and fails later on', async () => {
  for (const [laterMs, incrementedMinor] of [
    [4 * MINUTE_MS, 500],
    [5 * MINUTE_MS, 0],
  ] as const) {
    const { invoiceId } = await payments.authorized({ incremental: true })
    const { lookUp } = await dieBeforeCall(invoiceId, payments.build.increment(500))
    expect(await lookUp(laterMs)).toMatchObject({
      payment: { status: 'authorized', incrementedMinor, attemptsInFlight: [] },
    })
  }
})

describe('a capture that was not made', () => {
  const attemptsOf = async (invoiceId: string) =>
    (await payments.operationsOf(invoiceId)).filter(({ type, isAttempt }) => type === 'capture' && isAttempt)
  const eventsNamed = async (invoiceId: string, wanted: string) =>
    (await payments.eventsOf(invoiceId)).filter((name) => name === wanted)

  test('is made under another reference where its gateway repeats a failure, and once', async () => {
    const { invoiceId } = await payments.authorized()
    payments.gateway.asked.length = 0
    const command = payments.build.capture(2000, { captureType: 'non-final' })
    const { operationId } = command
    // The gateway has failed, and answers the reference so for a day.
    payments.gateway.answers({ capture: (ask, { reference }) => (reference === operationId ? NO_ANSWER : ask()) })
    expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'pending' })
    for (const laterMs of [SECOND_MS, 4 * MINUTE_MS, 5 * MINUTE_MS, 9 * MINUTE_MS]) {
      const { payment } = await payments.lookUp(invoiceId, operationId, laterMs)
      expect(payment.status).toBe('pending-capture')
    }
    expect(sent()).toEqual([operationId, operationId, operationId])

    expect(await payments.lookUp(invoiceId, operationId, 10 * MINUTE_MS)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 2000, capturesCount: 1, attemptsInFlight: [] },
    })
    const [, second] = await attemptsOf(invoiceId)
    expect(second).toMatchObject({ fallbackOf: operationId, isFinal: false, amountMinor: 2000, actor: 'merchant' })
    expect(sent().slice(3)).toEqual([second?.id])
    expect(await payments.resultsOf(operationId)).toMatchObject([
      { outcome: 'unknown' },
      { outcome: 'failed', gatewayCode: 'MADE_ANEW', isNotSent: true },
    ])
    const captures = (await payments.requestsOf(invoiceId)).filter(({ type }) => type === 'capture')
    expect(captures).toMatchObject([{ reference: second?.id, amountMinor: 2000 }])
    expect(await eventsNamed(invoiceId, 'transaction.operation.capture.failed')).toEqual([])
  })

  test('and goes on being lost is told as pending once, and is not made anew for ever', async () => {
    const { invoiceId, lookUp } = await beginCapture()
    payments.gateway.answers({ capture: NO_ANSWER })
    for (let round = 1; round <= 6; round += 1)
      await lookUp(round * HOUR_MS, (await attemptsOf(invoiceId)).at(-1)?.id ?? '')
    expect(await attemptsOf(invoiceId)).toHaveLength(4)
    expect(sent()).toHaveLength(3)
    const pending = { status: 'pending-capture', capturingMinor: 2900 }
    expect(await payments.transactionOf(invoiceId)).toMatchObject(pending)
    expect(await eventsNamed(invoiceId, 'transaction.operation.capture.pending')).toHaveLength(1)
  })

  test('is sent by the next look-up where the process ended before it was sent under its new reference', async () => {
    const { invoiceId, command, step, lookUp, makeAnew: again } = await beginCapture()
    const { operation } = (await again(HOUR_MS)) ?? {}
    expect(await payments.transactionOf(invoiceId)).toMatchObject({
      status: 'authorized',
      attemptsInFlight: [{ operationId: operation?.id, begunAt: step.at + HOUR_MS }],
    })
    // Twice at once it is made anew once.
    expect(await again(HOUR_MS)).toBeNull()
    await lookUp(HOUR_MS)
    expect(sent()).toEqual([])
    expect(await lookUp(HOUR_MS, operation?.id)).toMatchObject({
      payment: { status: 'completed', capturedMinor: 2900 },
    })
    expect(sent()).toEqual([operation?.id])
    // Its caller hears of it under the command.
    expect((await payments.step(invoiceId, command)).answer).toEqual({ kind: 'done' })
    expect(sent()).toHaveLength(1)
  })

  test('keeps its lines of the invoice when it is made anew, and they are captured once', async () => {
    const { invoiceId } = await payments.authorized()
    const [line = ''] = await payments.makeLines(invoiceId, [1_000, 1_900])
    const byLine = () => payments.build.capture(1_000, { detailIds: [line], captureType: 'non-final' })
    const { lookUp, makeAnew: again } = await dieBeforeCall(invoiceId, byLine())
    const { operation } = (await again(HOUR_MS)) ?? {}
    await lookUp(HOUR_MS, operation?.id)
    expect(await payments.em().findOneOrFail(InvoiceDetailEntity, { id: line })).toMatchObject({
      ...{ captureOperationId: operation?.id, capturedMinor: 1_000 },
    })
    expect((await payments.step(invoiceId, byLine())).answer).toMatchObject({ kind: 'refused' })
    expect((await payments.transactionOf(invoiceId)).capturedMinor).toBe(1_000)
  })

  test('is not made anew once staff have closed it, who told the merchant so', async () => {
    const { invoiceId, operationId, makeAnew: again } = await beginCapture()
    await payments.closeAttempt(invoiceId, operationId)
    expect(await again(HOUR_MS)).toBeNull()
    expect(await attemptsOf(invoiceId)).toHaveLength(1)
    expect(await payments.transactionOf(invoiceId)).toMatchObject({ status: 'authorized', capturingMinor: 0 })
  })

  test('is not made anew while its project is suspended, even where that happens after the look-up', async () => {
    const { invoiceId, lookUp, makeAnew: again } = await beginCapture()
    await payments.suspend()
    try {
      await lookUp(HOUR_MS)
      expect(await again(HOUR_MS)).toBeNull()
    } finally {
      await payments.resume()
    }
    expect(sent()).toEqual([])
    expect(await attemptsOf(invoiceId)).toHaveLength(1)
  })

  test('says nothing of the first call where the authorization is not found when it is sent again', async () => {
    const { operationId, lookUp } = await beginCapture()
    payments.gateway.answers({ capture: NOT_FOUND })
    expect(await lookUp(SECOND_MS)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { attemptsInFlight: [{ operationId }] },
    })
    expect(sent()).toEqual([operationId])
  })
})

test.each([
  ['authorization', beginAuthorization, 10 * DAY_MS],
  ['capture', beginCapture, HOUR_MS],
])(
  'a call to an account that is another one now is not sent again nor taken for failed because that never saw it: %s',
  async (_, begin, laterMs) => {
    const { operationId, lookUp } = await begin()
    const exchange = 'update gateway_configuration set account_version = account_version + 1 where project_id = ?'
    await payments.em().execute(exchange, [payments.projectId])
    expect(await lookUp(laterMs)).toMatchObject({
      answer: { kind: 'pending' },
      payment: { attemptsInFlight: [{ operationId }] },
    })
    expect(sent()).toEqual([])
  },
)
