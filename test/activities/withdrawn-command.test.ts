import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/withdraw-command.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('a command whose caller stopped waiting', () => {
  let database: TestDatabase
  let fixture: Awaited<ReturnType<typeof makePaymentFixture>>

  beforeAll(async () => {
    database = await makeDatabase()
    fixture = await makePaymentFixture(database)
  })
  afterAll(() => database.drop())

  const activities = () => createSignedActivities(fixture.deps)
  const withdraw = (invoiceId: string, operationId: string) =>
    withdrawCommand(database.orm.em.fork(), {
      projectId: fixture.projectId,
      sandbox: true,
      invoiceId,
      operationId,
      now: fixture.deps.clock.now(),
    })
  const authorization = async () => {
    const invoiceId = await fixture.makeInvoice()
    return { invoiceId, step: fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard())) }
  }

  test('never begins once it is withdrawn, and moves no money', async () => {
    const { invoiceId, step } = await authorization()
    expect(await withdraw(invoiceId, step.command.operationId)).toEqual({ kind: 'withdrawn' })
    expect(await activities().authorize(step)).toMatchObject({
      answer: { kind: 'refused', code: 'request.not-started' },
    })
    expect(await database.orm.em.fork().count(TransactionEntity, { invoiceId })).toBe(0)
    expect(await withdraw(invoiceId, step.command.operationId)).toEqual({ kind: 'withdrawn' })
  })

  test('is not withdrawn once it has begun: its result is told instead', async () => {
    const { invoiceId, step } = await authorization()
    await activities().authorize(step)
    expect(await withdraw(invoiceId, step.command.operationId)).toMatchObject({
      kind: 'begun',
      result: { outcome: 'succeeded' },
    })
  })

  test('either begins or is withdrawn, when both are tried at once', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { invoiceId, step } = await authorization()
      const [{ answer }, withdrawal] = await Promise.all([
        activities().authorize(step),
        withdraw(invoiceId, step.command.operationId),
      ])
      expect([answer.kind, withdrawal.kind]).toEqual(
        withdrawal.kind === 'withdrawn' ? ['refused', 'withdrawn'] : ['done', 'begun'],
      )
    }
  })

  test('does not move a scheduled capture any more', async () => {
    const { invoiceId, step } = await authorization()
    await activities().authorize(step)
    const schedule = fixture.step(invoiceId, {
      ...fixture.captureCommand(),
      kind: 'schedule-capture' as const,
      autoCaptureAt: Date.now() + 3_600_000,
      autoCaptureAmountMinor: null,
      autoCaptureDetailIds: null,
    })
    await withdraw(invoiceId, schedule.command.operationId)
    expect(await activities().scheduleCapture(schedule)).toMatchObject({
      answer: { kind: 'refused', code: 'request.not-started' },
      payment: { autoCaptureAt: null },
    })
  })
})
