import { afterEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import type { PayCommand } from '../../../domain/command.ts'
import type { Gateway } from '../../../src/gateways/gateway.ts'
import { OperationEntity } from '../../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { makeWithdrawal, withdrawCommand } from '../../../src/persistence/queries/payments/commands.ts'
import { type HeldLock, holdLock } from '../../support/held-lock.ts'
import { databaseForFile, fixtureForFile } from '../../support/payment-for-file.ts'
import { createSignedActivities } from '../../support/signed-activities.ts'
import { waitFor } from '../../support/wait-for.ts'
import { TEST_WAITS } from '../../support/waits.ts'

describe('a step of a payment that another session has locked', () => {
  const database = databaseForFile(TEST_WAITS)
  let calls: string[] = []
  let lock: HeldLock | null = null

  const fixture = fixtureForFile(database, counted)
  afterEach(async () => {
    await lock?.release()
    lock = null
    calls = []
  })

  /** Notes the calls that reach the gateway, by their references. */
  function counted(gateway: Gateway): Gateway {
    return {
      ...gateway,
      authorize: (request, signal) => {
        calls.push(`authorize ${request.reference}`)
        return gateway.authorize(request, signal)
      },
      capture: (request, signal) => {
        calls.push(`capture ${request.reference}`)
        return gateway.capture(request, signal)
      },
    }
  }

  const activities = () => createSignedActivities(fixture.deps)
  const hold = async (invoiceId: string) => {
    lock = await holdLock(database, 'select from invoice where id = ? for update', [invoiceId])
  }
  const release = async () => {
    await lock?.release()
    lock = null
  }
  const authorization = async (values: Partial<PayCommand> = {}) => {
    const invoiceId = await fixture.makeInvoice()
    return { invoiceId, step: fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard(), values)) }
  }
  const authorized = async (values: Partial<PayCommand> = {}) => {
    const { invoiceId, step } = await authorization(values)
    await activities().authorize(step)
    calls = []
    return invoiceId
  }
  const transactionOf = (invoiceId: string) => database.orm.em.fork().findOne(TransactionEntity, { invoiceId })
  const attemptsOf = (id: string) => database.orm.em.fork().count(OperationEntity, { id })
  const NOT_STARTED = { kind: 'refused', code: 'request.not-started' }

  test('is refused where it is a command of a merchant, and is not done later', async () => {
    const invoiceId = await authorized()
    const step = fixture.step(invoiceId, fixture.captureCommand(1_000))
    await hold(invoiceId)
    expect(await activities().capture(step)).toMatchObject({
      answer: NOT_STARTED,
      payment: { status: 'authorized', capturedMinor: 0 },
    })
    expect(fixture.answered.at(-1)).toEqual({ operationId: step.command.operationId, kind: 'refused' })
    await release()
    // Temporal runs a step again whose end it has not heard of.
    expect((await activities().capture(step)).answer).toMatchObject(NOT_STARTED)
    expect(calls).toEqual([])
    expect(await attemptsOf(step.command.operationId)).toBe(0)
    expect(await transactionOf(invoiceId)).toMatchObject({ capturedMinor: 0, capturingMinor: 0 })
  })

  test('does not move the scheduled capture, now or later, and leaves it where it was moved before', async () => {
    const invoiceId = await authorized()
    const schedule = (autoCaptureAt: number) => fixture.step(invoiceId, fixture.captureCommand(null, { autoCaptureAt }))
    const inAnHour = Date.now() + 3_600_000
    const moved = schedule(inAnHour)
    await activities().scheduleCapture(moved)
    const later = schedule(inAnHour + 1_000)
    await hold(invoiceId)
    expect((await activities().scheduleCapture(later)).answer).toMatchObject(NOT_STARTED)
    await expect(activities().scheduleCapture(moved)).rejects.toThrow(/55P03/)
    await release()
    expect((await activities().scheduleCapture(later)).answer).toMatchObject(NOT_STARTED)
    expect((await activities().scheduleCapture(moved)).answer).toEqual({ kind: 'done' })
    expect((await transactionOf(invoiceId))?.autoCaptureAt?.getTime()).toBe(inAnHour)
  })

  test('is tried again until it is done, where it is a scheduled capture or the capture of a sale', async () => {
    const { operationId, deadline } = fixture.captureCommand()
    const own = {
      ...({ kind: 'capture', operationId, actor: 'scheduler', deadline, idempotency: null } as const),
      ...{ amountMinor: 500, detailIds: null, isFinal: true },
    }
    const scheduled = await authorized({ autoCaptureAt: Date.now() + 3_600_000, amountMinor: 500 })
    const sale = await authorization({ authorizeOnly: false, amountMinor: 700, captureType: 'non-final' })
    await activities().authorize(sale.step)
    calls = []
    const steps = [
      [sale.invoiceId, { ...sale.step, isSecondStep: true as const }],
      [scheduled, fixture.step(scheduled, own)],
    ] as const
    for (const [invoiceId, step] of steps) {
      await hold(invoiceId)
      await expect(activities().capture(step)).rejects.toThrow(/55P03/)
      await release()
      expect((await activities().capture(step)).answer).toEqual({ kind: 'done' })
    }
    expect(await transactionOf(sale.invoiceId)).toMatchObject({ capturedMinor: 700 })
    expect(await transactionOf(scheduled)).toMatchObject({ capturedMinor: 500 })
    expect(calls).toEqual([`capture ${sale.step.command.captureOperationId}`, `capture ${own.operationId}`])
  })

  test('is tried again until it has ended, where it has begun, and is sent to the gateway once', async () => {
    const invoiceId = await authorized()
    const step = fixture.step(invoiceId, fixture.captureCommand())
    await beginAttempt(fixture.deps, step)
    await hold(invoiceId)
    await expect(activities().capture(step)).rejects.toThrow(/55P03/)
    expect(await withdraw(invoiceId, step.command)).toMatchObject({ kind: 'begun', result: null })
    await release()
    expect((await activities().capture(step)).answer).toEqual({ kind: 'done' })
    expect(await transactionOf(invoiceId)).toMatchObject({ status: 'completed', capturedMinor: 2_900 })
    expect(calls).toEqual([`capture ${step.command.operationId}`])
  })

  const ownerOf = (invoiceId: string) => ({ projectId: fixture.projectId, sandbox: true, invoiceId })
  const withdraw = (invoiceId: string, command: Parameters<typeof makeWithdrawal>[1]) =>
    withdrawCommand(
      database.orm.em.fork(),
      makeWithdrawal(ownerOf(invoiceId), command, fixture.deps.clock.now()),
      async () => {},
    )

  test('can be withdrawn while the payment is locked, and never begins', async () => {
    const { invoiceId, step } = await authorization()
    await hold(invoiceId)
    expect(await withdraw(invoiceId, step.command)).toEqual({ kind: 'withdrawn' })
    await release()
    expect((await activities().authorize(step)).answer).toMatchObject(NOT_STARTED)
    expect(await transactionOf(invoiceId)).toBeNull()
    expect(calls).toEqual([])
  })

  test('that is just beginning is withdrawn only where it does not begin after all', async () => {
    const { invoiceId, step } = await authorization()
    lock = await holdLock(database, 'select open_payment(?, true, ?, array[?], null, true, null, now())', [
      fixture.projectId,
      invoiceId,
      step.command.operationId,
    ])
    const withdrawal = withdraw(invoiceId, step.command)
    await waitFor(async () => (await lock?.countWaiting()) === 1)
    await release()
    expect(await withdrawal).toEqual({ kind: 'withdrawn' })
  })
})
