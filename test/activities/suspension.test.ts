import { afterEach, describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../activities/payment/begin-attempt.ts'
import type { CaptureCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { databaseForFile, fixtureForFile } from '../support/payment-for-file.ts'
import { createSignedActivities } from '../support/signed-activities.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const REFUSED = { kind: 'refused', code: 'request.project-suspended' }

describe('a command that begins while its project is suspended', () => {
  const database = databaseForFile()

  const fixture = fixtureForFile(database)
  afterEach(() => resume())

  const setSuspended = (suspendedAt: Date | null) =>
    database.orm.em.fork().nativeUpdate(ProjectEntity, { id: fixture.projectId }, { suspendedAt })
  const suspend = () => setSuspended(fixture.deps.clock.now())
  const resume = () => setSuspended(null)
  const activities = () => createSignedActivities(fixture.deps)
  const transactionOf = (invoiceId: string) => database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })
  const operationsOf = async (invoiceId: string) => {
    const { id: transactionId } = await transactionOf(invoiceId)
    return database.orm.em.fork().count(OperationEntity, { transactionId })
  }
  const authorized = async (values: Parameters<typeof fixture.authorizeCommand>[1] = {}) => {
    const invoiceId = await fixture.makeInvoice({ incremental: true })
    const command = fixture.authorizeCommand(await fixture.makeCard(), { incremental: true, ...values })
    await activities().authorize(fixture.step(invoiceId, command))
    return invoiceId
  }
  /** As our own clock asks for it, at an instant of workflow time. */
  const scheduledCapture = (invoiceId: string, at = fixture.deps.clock.now().getTime()) => {
    const values = { actor: 'scheduler', deadline: Number.MAX_SAFE_INTEGER, wantsRest: true } as const
    const command: CaptureCommand = fixture.captureCommand(2_900, values)
    return activities().capture({ ...fixture.step(invoiceId, command), at, asOf: at })
  }

  test('is refused before it leaves a row, whatever money it would move', async () => {
    const [fresh, held, paid] = [await fixture.makeInvoice(), await authorized(), await authorized()]
    await activities().capture(fixture.step(paid, fixture.captureCommand()))
    const card = await fixture.makeCard()
    await suspend()
    const before = await database.dump()
    const { kind: _, detailIds, ...base } = fixture.captureCommand()
    const answers = [
      await activities().authorize(fixture.step(fresh, fixture.authorizeCommand(card))),
      await activities().capture(fixture.step(held, fixture.captureCommand())),
      await activities().incrementAuthorization(
        fixture.step(held, { ...base, kind: 'increment' as const, amountMinor: 100 }),
      ),
      await activities().refund(
        fixture.step(paid, {
          ...base,
          kind: 'refund' as const,
          refundId: makeIdentifier('refund', fixture.deps.randomBytes),
          detailIds,
          reason: 'other',
        }),
      ),
    ]
    for (const { answer } of answers) expect(answer).toMatchObject(REFUSED)
    expect(await database.dump()).toBe(before)
    await resume()
    const { answer } = await activities().authorize(fixture.step(fresh, fixture.authorizeCommand(card)))
    expect(answer).toEqual({ kind: 'done' })
  })

  test('is held where the clock asks, keeps its place in the record, and is made afterwards', async () => {
    const now = fixture.deps.clock.now().getTime()
    const invoiceId = await authorized({ autoCaptureAt: now + DAY_MS })
    const operations = await operationsOf(invoiceId)
    await suspend()
    const at = now + DAY_MS
    const held = await scheduledCapture(invoiceId, at)
    expect(held).toMatchObject({ answer: REFUSED, payment: { status: 'authorized', autoCaptureRetryAt: at + 10_000 } })
    const again = await scheduledCapture(invoiceId, at + 10_000)
    expect(again.payment).toMatchObject({ autoCaptureRetryAt: at + 70_000, autoCaptureFailures: 2 })
    expect(await operationsOf(invoiceId)).toBe(operations)
    expect(await transactionOf(invoiceId)).toMatchObject({
      autoCaptureAt: new Date(now + DAY_MS),
      autoCaptureRetryAt: new Date(at + 70_000),
      capturedMinor: 0,
    })

    await resume()
    const made = await scheduledCapture(invoiceId, at + 70_000)
    expect(made).toMatchObject({ answer: { kind: 'done' }, payment: { status: 'completed', capturedMinor: 2_900 } })
  })

  test('is not sent by a look-up where it never arrived at its gateway, and is sent by one afterwards', async () => {
    const invoiceId = await authorized()
    const capture = fixture.step(invoiceId, fixture.captureCommand())
    await beginAttempt(fixture.deps, capture)
    await suspend()
    const { payment, command } = capture
    const lookUp = () =>
      activities().lookUp({ payment, operationId: command.operationId, at: fixture.deps.clock.now().getTime() })
    for (const ask of [lookUp, () => activities().capture(capture)])
      expect(await ask()).toMatchObject({ answer: { kind: 'pending' }, payment: { capturedMinor: 0 } })
    await resume()
    expect(await lookUp()).toMatchObject({ answer: { kind: 'done' }, payment: { capturedMinor: 2_900 } })
  })
})
