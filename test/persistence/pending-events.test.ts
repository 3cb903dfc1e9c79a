import { expect, test } from '@jest/globals'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { findPendingEvents } from '../../src/persistence/queries/webhooks/pending-events.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEvent } from '../webhooks/seed.ts'

const database = databaseForFile()

test('an event is not between two attempts before each of its targets had its first one', async () => {
  const em = database.orm.em.fork()
  const { projectId, eventId, deliveryIds } = await seedEvent(database.orm, [
    'https://a.example/',
    'https://b.example/',
  ])
  const { invoiceId } = await em.findOneOrFail(EventEntity, { id: eventId })
  const pending = () => findPendingEvents(database.orm.em.fork(), { projectId, sandbox: true }, String(invoiceId))
  const [begun, again] = [new Date('2026-11-21T09:00:00Z'), new Date('2026-11-21T10:00:00Z')]
  for (const [index, nextAt] of [null, again].entries()) {
    const between = { firstAttemptAt: begun, releaseAt: again }
    await em.nativeUpdate(DeliveryEntity, { id: deliveryIds[index] ?? '' }, between)
    expect(await pending()).toEqual([{ eventId, run: 0, nextAt }])
  }
})
