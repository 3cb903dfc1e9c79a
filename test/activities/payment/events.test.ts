import { expect, test } from '@jest/globals'
import type { EventName } from '../../../domain/webhook-event.ts'
import { CustomerEntity } from '../../../src/persistence/entities/customer.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { makePaymentActor } from '../../support/payment-actor.ts'
import type { Receiver } from '../../support/receiver.ts'
import { seedEndpoint } from '../../webhooks/endpoint-seed.ts'
import { deliveryStageForFile } from '../webhooks/delivery-stage.ts'

const stage = deliveryStageForFile()

const receivedBy = ({ received }: Receiver) =>
  received.map(({ body }) => JSON.parse(body) as { event_type: EventName; event_id: string })
const typesAt = (receiver: Receiver) => receivedBy(receiver).map(({ event_type }) => event_type)

test('events that one change fires reach the URL of the invoice, and an endpoint those of them that it takes', async () => {
  const { orm } = stage.database
  const { projectId, announced, build, ...actor } = await makePaymentActor(stage.database)
  const [own, chosen, other] = [await stage.receiver(), await stage.receiver(), await stage.receiver()]
  await seedEndpoint(orm, { projectId, url: chosen.url, eventsWhitelist: ['invoice.completed'] })
  await seedEndpoint(orm, { projectId, url: other.url, eventsWhitelist: ['customer.created'] })
  const invoiceId = await actor.makeInvoice({ webhookUrl: own.url })
  await actor.step(invoiceId, build.authorize(await actor.makeCard()))
  announced.length = 0
  await actor.step(invoiceId, build.capture())
  expect(announced.map(({ eventName }) => eventName)).toEqual(['transaction.captured', 'invoice.completed'])

  for (const { eventId } of announced) {
    const event = { projectId, environment: 'sandbox' as const, eventId, run: 0, deliveryIds: [] }
    // What a target accepted before lets an event be sent at once, where it is the only one.
    for (const { deliveryId, first } of await stage.begin(event))
      if (first === undefined) await stage.attempt({ ...event, deliveryIds: [deliveryId] })
  }
  expect(typesAt(own).sort()).toEqual(['invoice.completed', 'transaction.captured'])
  expect(typesAt(chosen)).toEqual(['invoice.completed'])
  expect(typesAt(other)).toEqual([])
  const sent = [...receivedBy(own), ...receivedBy(chosen)].map(({ event_id }) => event_id)
  expect([...new Set(sent)].sort()).toEqual(announced.map(({ eventId }) => eventId).sort())
})

test('an event of an invoice that got its customer after the last try of its payment is an event of that customer', async () => {
  const { projectId, build, deps, ...actor } = await makePaymentActor(stage.database)
  const em = stage.database.orm.em.fork()
  const invoiceId = await actor.makeInvoice()
  await actor.step(invoiceId, build.authorize(await actor.makeCard()))
  const now = deps.clock.now()
  const times = { registeredAt: now, createdAt: now, updatedAt: now }
  const customer = { id: 'cust_later', projectId, sandbox: true, isBusiness: false, balanceMinor: 0, metadata: {} }
  await em.insert(CustomerEntity, { ...customer, ...times })
  await em.nativeUpdate(InvoiceEntity, { id: invoiceId }, { customerId: customer.id })
  await actor.step(invoiceId, build.capture())
  const events = await em.find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })
  expect(events.map(({ name, customerId }) => [name, customerId ?? null])).toEqual([
    ['transaction.requested', null],
    ['transaction.authorized', null],
    ['transaction.captured', customer.id],
    ['invoice.completed', customer.id],
  ])
})
