import { describe, expect, test } from '@jest/globals'
import type { Command, IdempotencyClaim, PayCommand } from '../../../domain/command.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { findKnownOperations } from '../../../src/persistence/queries/payments/operations.ts'
import { HOUR_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

const NOT_STARTED = { answer: { kind: 'refused', code: 'request.not-started' } }
/** The deadline of a command is 60 s after it was given. */
const TOO_LATE_MS = 60_001

/** A worker whose clock is ahead of that of the host that set the deadline. */
const worker = (aheadMs: number) => payments.activitiesWith({ clock: payments.clockAhead(aheadMs) })
const authorization = async () => {
  const invoiceId = await payments.makeInvoice()
  const command = payments.build.authorize(await payments.makeCard())
  return { invoiceId, command }
}
const makeSale = (source: string, idempotency: IdempotencyClaim | null = null): PayCommand => {
  const { build } = payments
  return build.authorize(source, { authorizeOnly: false, idempotency })
}

describe('a command whose caller stopped waiting', () => {
  test('never begins once it is withdrawn, and moves no money', async () => {
    const { invoiceId, command } = await authorization()
    expect(await payments.withdraw(invoiceId, command)).toEqual({ kind: 'withdrawn' })
    expect(await payments.step(invoiceId, command)).toMatchObject(NOT_STARTED)
    expect(await payments.em().count(TransactionEntity, { invoiceId })).toBe(0)
    expect(await payments.withdraw(invoiceId, command)).toEqual({ kind: 'withdrawn' })
  })

  test('is not withdrawn once it has begun: its result is told instead', async () => {
    const { invoiceId, command } = await authorization()
    const { command: other } = await authorization()
    await payments.step(invoiceId, command)
    const begun = await findKnownOperations(payments.database.orm, [other.operationId, command.operationId])
    expect(begun).toEqual([command.operationId])
    const withdrawal = await payments.withdraw(invoiceId, command)
    expect(withdrawal).toMatchObject({ kind: 'begun', result: { outcome: 'succeeded' } })
  })

  test('either begins or is withdrawn, when both are tried at once', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { invoiceId, command } = await authorization()
      const [{ answer }, withdrawal] = await Promise.all([
        payments.step(invoiceId, command),
        payments.withdraw(invoiceId, command),
      ])
      expect([answer.kind, withdrawal.kind]).toEqual(
        withdrawal.kind === 'withdrawn' ? ['refused', 'withdrawn'] : ['done', 'begun'],
      )
    }
  })

  test('does not move a scheduled capture any more', async () => {
    const { invoiceId } = await payments.authorized()
    const schedule = payments.build.schedule(payments.now() + HOUR_MS)
    await payments.withdraw(invoiceId, schedule)
    const result = await payments.step(invoiceId, schedule)
    expect(result).toMatchObject({ ...NOT_STARTED, payment: { autoCaptureAt: null } })
  })

  describe.each(['withdrawn', 'too late', 'withdrawn and too late'] as const)(
    'leaves its key free for the same request: %s,',
    (way) => {
      /** The worker that finds out that the command does not begin. */
      const workerFor = async (invoiceId: string, command: Command) => {
        if (way !== 'too late') expect(await payments.withdraw(invoiceId, command)).toEqual({ kind: 'withdrawn' })
        return worker(way === 'withdrawn' ? 0 : TOO_LATE_MS)
      }

      test('an authorization', async () => {
        const [idempotency, invoiceId, source] = [
          payments.newKey(),
          await payments.makeInvoice(),
          await payments.makeCard(),
        ]
        const late = payments.build.authorize(source, { idempotency })
        const { authorize } = await workerFor(invoiceId, late)
        for (let run = 0; run < 2; run += 1) {
          expect(await authorize(payments.stepOf(invoiceId, late))).toMatchObject(NOT_STARTED)
          expect(await payments.keyOf(idempotency)).toBeNull()
        }
        const again = payments.build.authorize(source, { idempotency })
        expect((await payments.step(invoiceId, again)).answer).toEqual({ kind: 'done' })
        expect(await payments.keyOf(idempotency)).toMatchObject({ status: 200 })
      })

      test('a sale', async () => {
        const [idempotency, invoiceId, source] = [
          payments.newKey(),
          await payments.makeInvoice(),
          await payments.makeCard(),
        ]
        const late = makeSale(source, idempotency)
        const { authorize } = await workerFor(invoiceId, late)
        expect(await authorize(payments.stepsOfSale(invoiceId, late).authorization)).toMatchObject(NOT_STARTED)
        expect(await payments.keyOf(idempotency)).toBeNull()
        const again = payments.stepsOfSale(invoiceId, makeSale(source, idempotency))
        expect((await payments.activities.authorize(again.authorization)).answer).toEqual({ kind: 'done' })
        expect((await payments.activities.capture(again.capture)).payment.status).toBe('completed')
        expect(await payments.keyOf(idempotency)).toMatchObject({ status: 200 })
      })

      test('a scheduled capture', async () => {
        const { invoiceId } = await payments.authorized()
        const [idempotency, autoCaptureAt] = [payments.newKey(), payments.now() + HOUR_MS]
        const late = payments.build.schedule(autoCaptureAt, { idempotency })
        const { scheduleCapture } = await workerFor(invoiceId, late)
        expect(await scheduleCapture(payments.stepOf(invoiceId, late))).toMatchObject(NOT_STARTED)
        expect(await payments.keyOf(idempotency)).toBeNull()
        const again = await payments.step(invoiceId, payments.build.schedule(autoCaptureAt, { idempotency }))
        expect(again).toMatchObject({ answer: { kind: 'done' }, payment: { autoCaptureAt } })
        expect(await payments.keyOf(idempotency)).toMatchObject({ status: 200 })
      })
    },
  )
})

describe('the capture of a sale', () => {
  test('whose authorization was made is made as well, however far the clock of its worker is ahead', async () => {
    const invoiceId = await payments.makeInvoice()
    const { authorization, capture } = payments.stepsOfSale(invoiceId, makeSale(await payments.makeCard()))
    expect((await worker(40_000).authorize(authorization)).answer).toEqual({ kind: 'done' })
    expect(await worker(TOO_LATE_MS).capture(capture)).toMatchObject({
      answer: { kind: 'done' },
      payment: { status: 'completed', capturedMinor: 2900 },
    })
  })

  test('that finds the payment authorized by another request is its first step, and too late after the deadline', async () => {
    const { invoiceId } = await payments.authorized()
    const [idempotency, source] = [payments.newKey(), await payments.makeCard()]
    const late = payments.stepsOfSale(invoiceId, makeSale(source, idempotency)).authorization
    expect(await worker(TOO_LATE_MS).authorize(late)).toMatchObject({
      ...NOT_STARTED,
      payment: { status: 'authorized', capturedMinor: 0 },
    })
    expect(await payments.keyOf(idempotency)).toBeNull()
    const again = await payments.step(invoiceId, makeSale(source, idempotency))
    expect(again).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed', capturedMinor: 2900 } })
    expect(await payments.keyOf(idempotency)).toMatchObject({ status: 200 })
  })

  test('that finds the payment authorized by another request is not begun once its sale is withdrawn', async () => {
    const { invoiceId } = await payments.authorized()
    const idempotency = payments.newKey()
    const sale = makeSale(await payments.makeCard(), idempotency)
    await payments.withdraw(invoiceId, sale)
    expect(await payments.step(invoiceId, sale)).toMatchObject({
      ...NOT_STARTED,
      payment: { capturedMinor: 0, attemptsInFlight: [] },
    })
    expect(await payments.keyOf(idempotency)).toBeNull()
  })
})
