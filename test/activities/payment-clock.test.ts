import { beforeAll, describe, expect, test } from '@jest/globals'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { Command } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
describe('a payment whose clock is ahead', () => {
  const database = databaseForFile()
  let activities: ReturnType<typeof createSignedActivities>

  const fixture = fixtureForFile(database)
  beforeAll(async () => {
    activities = createSignedActivities(fixture.deps)
  })

  const em = () => database.orm.em.fork()
  const row = (invoiceId: string) => em().findOneOrFail(TransactionEntity, { invoiceId })
  /** The first step of a run, which knows the wall clock only. */
  const firstStep = <C extends Command>(invoiceId: string, command: C): StepInput<C> => ({
    ...fixture.step(invoiceId, command),
    lacksOffset: true,
  })
  const authorized = async () => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard())
    expect((await activities.authorize(fixture.step(invoiceId, command))).answer).toEqual({ kind: 'done' })
    return invoiceId
  }
  const declined = async () => {
    const invoiceId = await fixture.makeInvoice()
    const command = fixture.authorizeCommand(await fixture.makeCard('4000000000000002'))
    expect((await activities.authorize(fixture.step(invoiceId, command))).answer).toMatchObject({ kind: 'declined' })
    return invoiceId
  }
  const putForward = async (invoiceId: string, days: number) => {
    await em().nativeUpdate(TransactionEntity, { invoiceId }, { clockOffsetMs: days * DAY_MS })
  }
  const expectDaysAhead = (instant: Date | null | undefined, days: number) => {
    const differenceMs = (instant?.getTime() ?? 0) - Date.now() - days * DAY_MS
    expect(Math.abs(differenceMs)).toBeLessThan(MINUTE_MS)
  }

  test('has its steps recorded at its own time, also the first one of a run', async () => {
    const invoiceId = await authorized()
    await putForward(invoiceId, 3)
    const { answer, payment } = await activities.capture(firstStep(invoiceId, fixture.captureCommand()))
    expect([answer, payment.clockOffsetMs]).toEqual([{ kind: 'done' }, 3 * DAY_MS])
    const { capturedAt, id } = await row(invoiceId)
    expectDaysAhead(capturedAt, 3)
    const attempt = await em().findOneOrFail(OperationEntity, { transactionId: id, type: 'capture', isAttempt: true })
    expectDaysAhead(attempt.begunAt, 3)
    // Lists are in the order in which things were done.
    expectDaysAhead(attempt.createdAt, 0)
  })

  test('has a refund fail at its own time', async () => {
    const invoiceId = await fixture.makeInvoice()
    const authorize = fixture.authorizeCommand(await fixture.makeCard('4000000000000077'))
    await activities.authorize(fixture.step(invoiceId, authorize))
    await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
    await putForward(invoiceId, 3)
    const refundId = makeIdentifier('refund', fixture.deps.randomBytes)
    const refund = { ...fixture.captureCommand(500), kind: 'refund', reason: 'other', refundId } as const
    expect((await activities.refund(firstStep(invoiceId, refund as never))).answer).toMatchObject({ kind: 'declined' })
    expectDaysAhead((await em().findOneOrFail(RefundEntity, { id: refundId })).failedAt, 3)
  })

  test('counts for velocity rules by the wall clock, which it shares with other payments of its card', async () => {
    const invoiceId = await declined()
    await putForward(invoiceId, 3)
    const again = fixture.authorizeCommand(await fixture.makeCard())
    expect((await activities.authorize(firstStep(invoiceId, again))).answer).toEqual({ kind: 'done' })
    const { at } = await em().findOneOrFail(VelocityRecordEntity, { operationId: again.operationId })
    expectDaysAhead(at, 0)
  })

  test('is found by the sweep when a look-up is due by its own clock, not days later', async () => {
    const invoiceId = await declined()
    await putForward(invoiceId, 3)
    const unanswered = fixture.authorizeCommand(await fixture.makeCard('4000000000007007'))
    expect((await activities.authorize(firstStep(invoiceId, unanswered))).answer).toEqual({ kind: 'pending' })
    const { nextLookUpAt, attemptsInFlight } = await row(invoiceId)
    expectDaysAhead(new Date(attemptsInFlight[0]?.nextLookUpAt ?? 0), 3)
    expectDaysAhead(nextLookUpAt, 0)
  })

  test('is not captured, and not scheduled, after the end of its authorization', async () => {
    const invoiceId = await authorized()
    await putForward(invoiceId, 8)
    const expired = { kind: 'refused', code: 'gateway.expired' }
    const capture = await activities.capture(firstStep(invoiceId, fixture.captureCommand()))
    expect(capture.answer).toMatchObject(expired)
    const { amountMinor: _, detailIds: __, isFinal: ___, wantsRest: ____, ...base } = fixture.captureCommand()
    const schedule = {
      ...base,
      kind: 'schedule-capture',
      autoCaptureAt: Date.now() + 6 * DAY_MS,
      autoCaptureAmountMinor: null,
      autoCaptureDetailIds: null,
    } as const
    expect((await activities.scheduleCapture(firstStep(invoiceId, schedule))).answer).toMatchObject(expired)
  })
})
