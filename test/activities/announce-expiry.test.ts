import { describe, expect, test } from '@jest/globals'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('the notice that an authorization is about to end', () => {
  const database = databaseForFile()

  const actor = actorForFile(database)

  const authorized = async () => {
    const invoiceId = await actor.makeInvoice()
    await actor.step(invoiceId, actor.build.authorize(await actor.makeSource()))
    return invoiceId
  }
  const tell = (invoiceId: string, inDays: number) =>
    actor.activities.announceExpiry({ payment: actor.referenceOf(invoiceId), at: Date.now() + inDays * DAY_MS })
  const noticesOf = (invoiceId: string) =>
    database.orm.em.fork().count(EventEntity, { invoiceId, name: 'transaction.authorization.expiring' })

  test('is told once, however often its step is run', async () => {
    const invoiceId = await authorized()
    const [{ payment: first }, ...others] = await Promise.all([
      tell(invoiceId, 6),
      tell(invoiceId, 6),
      tell(invoiceId, 6),
    ])
    const { payment: last } = await tell(invoiceId, 6.5)
    expect(await noticesOf(invoiceId)).toBe(1)
    expect(first.expiryAnnounced).toBe(true)
    expect([...others.map(({ payment }) => payment), last]).toEqual([first, first, first])
  })

  test('is not told once the authorization has ended, and asked for no more', async () => {
    const invoiceId = await authorized()
    const { payment } = await tell(invoiceId, 7.5)
    expect(payment.expiryAnnounced).toBe(true)
    await tell(invoiceId, 6)
    expect(await noticesOf(invoiceId)).toBe(0)
  })
})
