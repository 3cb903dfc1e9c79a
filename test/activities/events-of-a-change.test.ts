import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { EventName } from '../../domain/webhook-event.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { makePaymentFixture } from '../support/payment-fixture.ts'
import type { Receiver } from '../support/receiver.ts'
import { createSignedActivities } from '../support/signed-activities.ts'
import { seedEndpoint } from '../webhooks/endpoint-seed.ts'
import { type DeliveryStage, makeDeliveryStage } from './delivery-stage.ts'

let stage: DeliveryStage

beforeAll(async () => {
  stage = await makeDeliveryStage()
})
afterAll(async () => {
  await stage.stopReceivers()
  await stage.close()
})

const typesIn = ({ received }: Receiver) =>
  received.map(({ body }) => (JSON.parse(body) as { event_type: EventName }).event_type).sort()

test('events that one change fires reach the URL of the invoice, and an endpoint those of them that it takes', async () => {
  const fixture = await makePaymentFixture(stage.database)
  const { projectId } = fixture
  const [own, chosen, other] = [await stage.receiver(), await stage.receiver(), await stage.receiver()]
  await seedEndpoint(stage.database.orm, { projectId, url: chosen.url, eventsWhitelist: ['invoice.completed'] })
  await seedEndpoint(stage.database.orm, { projectId, url: other.url, eventsWhitelist: ['customer.created'] })
  const invoiceId = await fixture.makeInvoice({ webhookUrl: own.url })
  const activities = createSignedActivities(fixture.deps)
  await activities.authorize(fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard())))
  const before = fixture.announced.length
  await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
  const announced = fixture.announced.slice(before)
  expect(announced.map(({ eventName }) => eventName)).toEqual(['transaction.captured', 'invoice.completed'])

  for (const { eventId } of announced) {
    const event = { projectId, environment: 'sandbox' as const, eventId, run: 0, deliveryIds: [] }
    // What a target accepted before lets an event be sent at once, where it is the only one.
    for (const { deliveryId, first } of await stage.begin(event))
      if (first === undefined) await stage.attempt({ ...event, deliveryIds: [deliveryId] })
  }
  expect(typesIn(own)).toEqual(['invoice.completed', 'transaction.captured'])
  expect(typesIn(chosen)).toEqual(['invoice.completed'])
  expect(typesIn(other)).toEqual([])
  const sent = [...own.received, ...chosen.received].map(
    ({ body }) => (JSON.parse(body) as { event_id: string }).event_id,
  )
  const rows = await stage.database.orm.em.fork().find(EventEntity, { id: sent })
  expect(rows.map(({ id }) => id).sort()).toEqual(announced.map(({ eventId }) => eventId).sort())
})

test('an event of an invoice that got its customer after the last try of its payment is an event of that customer', async () => {
  const fixture = await makePaymentFixture(stage.database)
  const { projectId, deps } = fixture
  const em = stage.database.orm.em.fork()
  const invoiceId = await fixture.makeInvoice()
  const activities = createSignedActivities(deps)
  await activities.authorize(fixture.step(invoiceId, fixture.authorizeCommand(await fixture.makeCard())))
  const now = deps.clock.now()
  const times = { registeredAt: now, createdAt: now, updatedAt: now }
  const customer = { id: 'cust_later', projectId, sandbox: true, isBusiness: false, balanceMinor: 0, metadata: {} }
  await em.insert(CustomerEntity, { ...customer, ...times })
  await em.nativeUpdate(InvoiceEntity, { id: invoiceId }, { customerId: customer.id })
  await activities.capture(fixture.step(invoiceId, fixture.captureCommand()))
  const events = await em.find(EventEntity, { invoiceId }, { orderBy: { sequence: 'asc' } })
  expect(events.map(({ name, customerId }) => [name, customerId ?? null])).toEqual([
    ['transaction.requested', null],
    ['transaction.authorized', null],
    ['transaction.captured', customer.id],
    ['invoice.completed', customer.id],
  ])
})
