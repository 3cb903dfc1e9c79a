import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { StepInput } from '../../activities/payment/attempt.ts'
import type { Command } from '../../domain/command.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { storeNotifications } from '../../src/persistence/queries/payments/gateway-notifications.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { disputeNotification } from '../support/gateway-notifications.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'
import { type DeliveryStage, makeDeliveryStage } from './delivery-stage.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Of doNotHonor in the list of test cards. */
const DECLINED = '4000000000002180'

describe('a payment whose clock is ahead', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>
  let activities: ReturnType<typeof createSignedActivities>

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database)
    activities = createSignedActivities(fixture.deps)
  })
  afterAll(() => database.drop())

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

  test('takes notifications at its own time', async () => {
    const invoiceId = await authorized()
    await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
    await putForward(invoiceId, 30)
    const { gatewayConfigurationId, gatewayAuthorizationId = null } = await row(invoiceId)
    const { projectId } = fixture
    const account = { projectId, sandbox: true, gatewayConfigurationId: gatewayConfigurationId ?? '' }
    const notification = disputeNotification('chargeback-created', { invoiceId, gatewayAuthorizationId })
    await storeNotifications(em(), account, [notification], new Date())
    const payment = { projectId, environment: 'sandbox', invoiceId } as const
    await activities.applyNotifications({ payment, at: Date.now(), lacksOffset: true })
    expectDaysAhead((await row(invoiceId)).chargedbackAt, 30)
  })

  test('counts for the velocity of its card at the time at which it was tried', async () => {
    const invoiceId = await fixture.makeInvoice()
    const authorize = async (number?: string) => {
      const command = fixture.authorizeCommand(await fixture.makeCard(number))
      await activities.authorize(firstStep(invoiceId, command))
      return command.operationId
    }
    await authorize(DECLINED)
    await putForward(invoiceId, 5)
    const operationId = await authorize()
    const { authorizedAt } = await row(invoiceId)
    expectDaysAhead(authorizedAt, 5)
    const record = await em().findOneOrFail(VelocityRecordEntity, { operationId })
    expectDaysAhead(record.at, 0)
  })
})

describe('a webhook whose time is ahead', () => {
  let stage: DeliveryStage

  beforeAll(async () => {
    stage = await makeDeliveryStage()
  })
  afterAll(async () => {
    await stage.stopReceivers()
    await stage.close()
  })

  const seeded = async () => {
    const target = await stage.receiver()
    const { orm } = stage.database
    const endpoint = await seedEndpoint(orm, { projectId: await seedProject(orm), url: target.url })
    return { target, endpoint, event: await seedEventFor(orm, [endpoint]) }
  }

  test('is sent again when its receiver asks for that, counted from the attempt', async () => {
    const { target, event } = await seeded()
    target.answerWith(500)
    const at = stage.clock.now().getTime() + 2 * DAY_MS
    const first = await stage.attempt(event, { at })
    expect(first.nextAt).toBe(at + 2_500)
    target.answerWith((response) => response.writeHead(503, { 'retry-after': '9' }).end())
    // The second retry, 8 to 10 s after the first attempt.
    const retry = await stage.attempt(event, { attempt: 1, at: at + 2_500, nextOffsetMs: 8_000 })
    expect(retry.nextAt).toBeGreaterThan(at + 8_500)
    expect(retry.nextAt).toBeLessThanOrEqual(at + 10_000)
  })

  test('says of its endpoint only when it has failed by the wall clock', async () => {
    const { target, event, endpoint } = await seeded()
    target.answerWith(500)
    const at = stage.clock.now().getTime()
    await stage.attempt(event, { at })
    for (const [attempt, days] of [1, 3, 6].entries())
      await stage.attempt(event, { attempt: attempt + 1, at: at + days * DAY_MS })
    const { enabled, failingSince, lastFailureAt } = await stage.endpoint(endpoint.id)
    expect(enabled).toBe(true)
    for (const instant of [failingSince, lastFailureAt])
      expect(instant?.getTime()).toBeLessThanOrEqual(stage.clock.now().getTime())
  })
})
