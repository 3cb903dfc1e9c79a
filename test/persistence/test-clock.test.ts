import { beforeEach, describe, expect, test } from '@jest/globals'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { beginMove, type ClockOwner, endMove, putForward } from '../../src/persistence/queries/payments/test-clock.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const SECOND_MS = 1_000
const HOUR_MS = 60 * 60 * SECOND_MS

const database = databaseForFile()
const actor = actorForFile(database)
let owner: ClockOwner
const now = new Date()
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
const em = () => database.orm.em.fork()
const row = () => em().findOneOrFail(TransactionEntity, { invoiceId: owner.invoiceId })

beforeEach(async () => {
  const invoiceId = await actor.makeInvoice()
  await actor.step(invoiceId, actor.build.authorize(await actor.makeCard()))
  owner = { projectId: actor.projectId, sandbox: true, invoiceId }
})

describe('the clock of a payment', () => {
  test('is not put back by an advance to an instant that has passed meanwhile', async () => {
    await putForward(em(), owner, later(2 * HOUR_MS).getTime(), now)
    await putForward(em(), owner, later(HOUR_MS).getTime(), now)
    expect((await row()).clockOffsetMs).toBe(2 * HOUR_MS)
  })

  test('is kept by the advance that moves it, where one ends late that it has taken the place of', async () => {
    const begin = (at: Date) => {
      const times = { now: at, heldUntil: new Date(at.getTime() + SECOND_MS), key: null }
      return beginMove(em(), owner, times, (time) => time + HOUR_MS)
    }
    const first = await begin(now)
    const second = await begin(later(SECOND_MS))
    if (first === 'busy' || second === 'busy') throw new Error('An advance did not begin.')
    await endMove(em(), owner, first, true)
    expect((await row()).clockMove).toEqual(second)
    expect(await begin(later(2 * SECOND_MS - 1))).toBe('busy')
  })
})
