import { describe, expect, test } from '@jest/globals'
import type { IdempotencyClaim } from '../../domain/command.ts'
import { IdempotencyKeyEntity } from '../../src/persistence/entities/idempotency-key.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

describe('a command whose caller stopped waiting', () => {
  const database = databaseForFile()

  const fixture = fixtureForFile(database)

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

  describe('leaves its idempotency key free, so that the same request is carried out', () => {
    const worker = (aheadMs: number) => {
      const { clock } = fixture.deps
      const ahead = { now: () => new Date(clock.now().getTime() + aheadMs) }
      return createSignedActivities({ ...fixture.deps, clock: ahead })
    }
    const NOT_STARTED = { answer: { kind: 'refused', code: 'request.not-started' } }
    const keyOf = ({ id }: IdempotencyClaim) => database.orm.em.fork().findOne(IdempotencyKeyEntity, { id })
    let keys = 0
    const newClaim = (): IdempotencyClaim => {
      keys += 1
      return { id: String(keys).padStart(64, '0'), requestHash: 'a'.repeat(64), requestId: `req_${keys}` }
    }
    /** The ways in which a command does not begin, each with the worker that finds it out. */
    const WAYS = ['withdrawn', 'too late', 'withdrawn and too late'] as const
    const workerWhere = async (way: (typeof WAYS)[number], invoiceId: string, operationId: string) => {
      if (way !== 'too late') expect(await withdraw(invoiceId, operationId)).toEqual({ kind: 'withdrawn' })
      // Its deadline is 60 s away.
      return worker(way === 'withdrawn' ? 0 : 60_001)
    }

    test.each(WAYS)('an authorization that is %s', async (way) => {
      const [idempotency, invoiceId] = [newClaim(), await fixture.makeInvoice()]
      const source = await fixture.makeCard()
      const authorization = () => fixture.step(invoiceId, fixture.authorizeCommand(source, { idempotency }))
      const late = authorization()
      const { authorize } = await workerWhere(way, invoiceId, late.command.operationId)
      for (let run = 0; run < 2; run += 1) {
        expect(await authorize(late)).toMatchObject(NOT_STARTED)
        expect(await keyOf(idempotency)).toBeNull()
      }
      expect(await activities().authorize(authorization())).toMatchObject({ answer: { kind: 'done' } })
      expect(await keyOf(idempotency)).toMatchObject({ status: 200 })
    })

    test.each(WAYS)('a sale that is %s', async (way) => {
      const [idempotency, invoiceId] = [newClaim(), await fixture.makeInvoice()]
      const source = await fixture.makeCard()
      const saleOf = () => {
        const capture = fixture.captureCommand(null, { idempotency })
        const { operationId, ...sale } = fixture.authorizeCommand(source, { capture, idempotency })
        const first = fixture.step(invoiceId, { ...sale, operationId })
        return {
          first: { ...first, answers: { operationId, unlessSaleGoesOn: true } },
          second: { ...fixture.step(invoiceId, capture), answers: { operationId, unlessSaleGoesOn: false } },
        }
      }
      const late = saleOf()
      const { authorize } = await workerWhere(way, invoiceId, late.first.command.operationId)
      expect(await authorize(late.first)).toMatchObject(NOT_STARTED)
      expect(await keyOf(idempotency)).toBeNull()
      const again = saleOf()
      expect(await activities().authorize(again.first)).toMatchObject({ answer: { kind: 'done' } })
      expect(await activities().capture(again.second)).toMatchObject({ payment: { status: 'completed' } })
      expect(await keyOf(idempotency)).toMatchObject({ status: 200 })
    })

    test.each(WAYS)('a scheduled capture that is %s', async (way) => {
      const { invoiceId, step } = await authorization()
      await activities().authorize(step)
      const idempotency = newClaim()
      const autoCaptureAt = fixture.deps.clock.now().getTime() + 3_600_000
      const schedule = () =>
        fixture.step(invoiceId, {
          ...fixture.captureCommand(null, { idempotency }),
          kind: 'schedule-capture' as const,
          autoCaptureAt,
          autoCaptureAmountMinor: null,
          autoCaptureDetailIds: null,
        })
      const late = schedule()
      const { scheduleCapture } = await workerWhere(way, invoiceId, late.command.operationId)
      expect(await scheduleCapture(late)).toMatchObject(NOT_STARTED)
      expect(await keyOf(idempotency)).toBeNull()
      expect(await activities().scheduleCapture(schedule())).toMatchObject({
        answer: { kind: 'done' },
        payment: { autoCaptureAt },
      })
      expect(await keyOf(idempotency)).toMatchObject({ status: 200 })
    })
  })
})
