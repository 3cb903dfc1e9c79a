import { describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('a capture whose schedule is moved', () => {
  const database = databaseForFile()

  const actor = actorForFile(database)

  /** By what the sweep finds payments whose run was lost. */
  const dueAtOf = async (invoiceId: string) =>
    (await database.orm.em.fork().findOneOrFail(TransactionEntity, { invoiceId })).nextDueAt?.getTime()

  test('is due then, also for the sweep that finds a payment whose run was lost', async () => {
    const invoiceId = await actor.makeInvoice()
    const at = actor.deps.clock.now().getTime()
    const autoCaptureAt = at + 3 * DAY_MS
    await actor.step(invoiceId, actor.build.authorize(await actor.makeSource(), { autoCaptureAt }), { at })
    expect(await dueAtOf(invoiceId)).toBe(autoCaptureAt)
    const sooner = at + DAY_MS
    expect((await actor.step(invoiceId, actor.build.schedule(sooner))).answer).toEqual({ kind: 'done' })
    expect(await dueAtOf(invoiceId)).toBe(sooner)
    expect((await actor.step(invoiceId, actor.build.schedule(null))).answer).toEqual({ kind: 'done' })
    // The notice that the authorization is about to end.
    expect(await dueAtOf(invoiceId)).toBe(at + 6 * DAY_MS)
  })
})
