import { describe, expect, test } from '@jest/globals'
import type { Command } from '../../../domain/command.ts'
import { RefundEntity } from '../../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../../src/persistence/entities/velocity-record.ts'
import { DAY_MS, MINUTE_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

/** The first step of a run, which knows the wall clock only. */
const firstStep = <C extends Command>(invoiceId: string, command: C) => ({
  ...payments.stepOf(invoiceId, command),
  lacksOffset: true as const,
})
const putForward = (invoiceId: string, days: number) =>
  payments.em().nativeUpdate(TransactionEntity, { invoiceId }, { clockOffsetMs: days * DAY_MS })
const expectDaysAhead = (instant: Date | null | undefined, days: number) =>
  expect(Math.abs((instant?.getTime() ?? 0) - Date.now() - days * DAY_MS)).toBeLessThan(MINUTE_MS)

/** A payment whose first card was declined, three days ahead. */
const declined = async () => {
  const { invoiceId, result } = await payments.authorize({ card: '4000000000000002' })
  expect(result.answer).toMatchObject({ kind: 'declined' })
  await putForward(invoiceId, 3)
  return invoiceId
}

describe('a payment whose clock is ahead', () => {
  test('has its steps recorded at its own time, also the first one of a run', async () => {
    const { invoiceId } = await payments.authorized()
    await putForward(invoiceId, 3)
    const capture = payments.build.capture()
    const { answer, payment } = await payments.activities.capture(firstStep(invoiceId, capture))
    expect([answer, payment.clockOffsetMs]).toEqual([{ kind: 'done' }, 3 * DAY_MS])
    expectDaysAhead((await payments.transactionOf(invoiceId)).capturedAt, 3)
    const attempt = (await payments.operationsOf(invoiceId)).find(({ id }) => id === capture.operationId)
    expectDaysAhead(attempt?.begunAt, 3)
    // Lists are in the order in which things were done.
    expectDaysAhead(attempt?.createdAt, 0)
  })

  test('has a refund fail at its own time', async () => {
    const { invoiceId } = await payments.authorized({ card: '4000000000000077' })
    await payments.step(invoiceId, payments.build.capture())
    await putForward(invoiceId, 3)
    const refund = payments.build.refund(500)
    const { answer } = await payments.activities.refund(firstStep(invoiceId, refund))
    expect(answer).toMatchObject({ kind: 'declined' })
    expectDaysAhead((await payments.em().findOneOrFail(RefundEntity, { id: refund.refundId })).failedAt, 3)
  })

  test('counts for velocity rules by the wall clock, which it shares with other payments of its card', async () => {
    const invoiceId = await declined()
    const again = payments.build.authorize(await payments.makeCard())
    expect((await payments.activities.authorize(firstStep(invoiceId, again))).answer).toEqual({ kind: 'done' })
    const { operationId } = again
    expectDaysAhead((await payments.em().findOneOrFail(VelocityRecordEntity, { operationId })).at, 0)
  })

  test('is found by the sweep when a look-up is due by its own clock, not days later', async () => {
    const invoiceId = await declined()
    const unanswered = payments.build.authorize(await payments.makeCard('4000000000007007'))
    const { answer } = await payments.activities.authorize(firstStep(invoiceId, unanswered))
    expect(answer).toEqual({ kind: 'pending' })
    const { nextLookUpAt, attemptsInFlight } = await payments.transactionOf(invoiceId)
    expectDaysAhead(new Date(attemptsInFlight[0]?.nextLookUpAt ?? 0), 3)
    expectDaysAhead(nextLookUpAt, 0)
  })

  test('is not captured, and not scheduled, after the end of its authorization', async () => {
    const { invoiceId } = await payments.authorized()
    await putForward(invoiceId, 8)
    const expired = { kind: 'refused', code: 'gateway.expired' }
    const capture = await payments.activities.capture(firstStep(invoiceId, payments.build.capture()))
    expect(capture.answer).toMatchObject(expired)
    const schedule = firstStep(invoiceId, payments.build.schedule(Date.now() + 6 * DAY_MS))
    expect((await payments.activities.scheduleCapture(schedule)).answer).toMatchObject(expired)
  })
})
