import { beforeEach, describe, expect, test } from '@jest/globals'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import type { WebhookEndpointRow } from '../../../src/persistence/entities/webhook-endpoint.ts'
import type { Receiver } from '../../support/receiver.ts'
import { seedEndpoint, seedEventFor, seedProject, seedSecret } from '../../webhooks/endpoint-seed.ts'
import { type SeededEvent, seedEvent } from '../../webhooks/seed.ts'
import { deliveryStageForFile } from './delivery-stage.ts'

const DAY_MS = 86_400_000

const stage = deliveryStageForFile()
let target: Receiver
let endpoint: WebhookEndpointRow

beforeEach(async () => {
  const { orm } = stage.database
  target = await stage.receiver()
  target.answerWith(410)
  stage.started.length = 0
  endpoint = await seedEndpoint(orm, { projectId: await seedProject(orm), url: target.url })
})

const newEvent = () => seedEventFor(stage.database.orm, [endpoint])
const other = (given: Partial<WebhookEndpointRow> = {}) =>
  seedEndpoint(stage.database.orm, { projectId: endpoint.projectId, url: 'https://other.example/', ...given })

/** An attempt of an event of its own. */
async function send(status?: number): Promise<SeededEvent> {
  if (status !== undefined) target.answerWith(status)
  const event = await newEvent()
  await stage.attempt(event)
  return event
}

const toldOf = (projectId = endpoint.projectId) =>
  stage.database.orm.em.fork().find(EventEntity, { projectId, name: 'webhook-endpoint.disabled' })
const isOn = async () => (await stage.endpoint(endpoint.id)).enabled

describe('an endpoint that goes on failing', () => {
  test('fails since its first failure, whatever is written side by side, and has failed last at the latest', async () => {
    await send(500)
    const { failingSince } = await stage.endpoint(endpoint.id)
    stage.clock.advance(DAY_MS)
    const last = stage.clock.now()
    const events = [await newEvent(), await newEvent(), await newEvent(), await newEvent()]
    await Promise.all(events.map((event) => stage.attempt(event)))
    const health = await stage.endpoint(endpoint.id)
    expect(health).toMatchObject({ failingSince, goneCount: 0, enabled: true })
    expect(health.lastFailureAt?.getTime()).toBeGreaterThanOrEqual(last.getTime())
    for (const event of events) expect(await stage.attempts(event)).toMatchObject([{ attempt: 0, responseCode: 500 }])
  })
})

test('the URL of an invoice is never switched off, whatever it answers', async () => {
  const event = await seedEvent(stage.database.orm, [target.url])
  for (let attempt = 0; attempt < 12; attempt += 1) await stage.attempt(event, { attempt })
  expect(target.received).toHaveLength(12)
  expect(await stage.delivery(event)).toMatchObject({ status: 'pending' })
  expect(await toldOf(event.projectId)).toEqual([])
})

describe('an endpoint that answers 410', () => {
  test('is switched off at the third time in a row, and the others are told, but not itself', async () => {
    const [told, uninterested] = [await other(), await other({ eventsWhitelist: ['customer.created'] })]
    await stage.change(endpoint.id, { signWithEd25519: true })
    await seedSecret(stage.database.orm, endpoint)
    await seedSecret(stage.database.orm, endpoint, { scheme: 'ed25519' })
    await send()
    await send()
    expect(await isOn()).toBe(true)
    await send()
    const row = await stage.endpoint(endpoint.id)
    expect(row).toMatchObject({ enabled: false, disabledReason: 'gone', disabledAt: expect.any(Date), goneCount: 3 })

    const [event, ...more] = await toldOf()
    expect(more).toEqual([])
    expect(event).toMatchObject({ sandbox: true, invoiceId: null, transactionId: null, sequence: null })
    expect(event?.data).toMatchObject({
      name: 'webhook-endpoint.disabled',
      sandbox: true,
      webhook_endpoint: {
        id: endpoint.id,
        enabled: false,
        disabled_reason: 'gone',
        disabled_at: row.disabledAt?.toISOString(),
        public_key: expect.stringMatching(/^whpk_/),
      },
    })
    expect(JSON.stringify(event?.data)).not.toMatch(/wh(sec|sk)_/)
    const deliveries = await stage.database.orm.em.fork().find(DeliveryEntity, { eventId: event?.id ?? '' })
    expect(deliveries.map(({ endpointId }) => endpointId)).toEqual([told.id])
    expect(uninterested.enabled).toBe(true)
    expect(stage.started.map(({ eventId }) => eventId)).toEqual([event?.id])
  })

  test('is switched off once, where many answers come at the same moment, and one event tells so', async () => {
    const events = await Promise.all(Array.from({ length: 10 }, newEvent))
    await other()
    await Promise.all(events.map((event) => stage.attempt(event)))
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ disabledReason: 'gone', goneCount: 10 })
    expect(await toldOf()).toHaveLength(1)
    expect(stage.started).toHaveLength(1)
    expect(target.received).toHaveLength(10)
  })

  test('is switched off in one database transaction with the attempt and the event, or not at all', async () => {
    await send()
    await send()
    const event = await newEvent()
    const { em } = stage.database.orm
    await em.fork().execute(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'no room'; end $$`)
    await em
      .fork()
      .execute(
        `create trigger refused before insert on event for each row when (new.name = 'webhook-endpoint.disabled') execute function refuse()`,
      )
    await expect(stage.attempt(event)).rejects.toThrow('refused or did not answer')
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ enabled: true, goneCount: 2 })
    expect(await stage.attempts(event)).toEqual([])

    await em.fork().execute('drop function refuse cascade')
    await stage.attempt(event)
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ enabled: false, goneCount: 3 })
    expect(await stage.attempts(event)).toHaveLength(1)
    expect(await toldOf()).toHaveLength(1)
  })
})

describe('an endpoint that has accepted nothing for five days', () => {
  test('is switched off as failing, with an event to the others', async () => {
    await other()
    for (let day = 0; day < 5; day += 1) {
      await send(day % 2 === 0 ? 500 : 404)
      expect(await isOn()).toBe(true)
      stage.clock.advance(DAY_MS)
    }
    await send(500)
    expect(await stage.endpoint(endpoint.id)).toMatchObject({ enabled: false, disabledReason: 'failing' })
    expect(await toldOf()).toMatchObject([{ data: { webhook_endpoint: { disabled_reason: 'failing' } } }])
  })
})
