import { beforeEach, describe, expect, test } from '@jest/globals'
import { DeliveryEntity, type DeliveryRow } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { lockKept } from '../../src/persistence/queries/kept-rows.ts'
import { recoverEvents } from '../../src/persistence/queries/webhooks/recover-events.ts'
import { resendEvent } from '../../src/persistence/queries/webhooks/resend-event.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'
import type { SeededEvent } from '../webhooks/seed.ts'

const BEGUN_AT = new Date('2026-11-21T09:00:00.000Z')
const LATER = new Date('2026-11-21T10:00:00.000Z')

/** How a delivery may stand. */
const UNBEGUN = { status: 'pending', firstAttemptAt: null, releaseAt: null, endedAt: null } as const
const BETWEEN_RETRIES = { ...UNBEGUN, firstAttemptAt: BEGUN_AT, releaseAt: LATER } as const
const FAILED = { ...UNBEGUN, status: 'failed', firstAttemptAt: BEGUN_AT, endedAt: BEGUN_AT } as const
const DELIVERED = { ...FAILED, status: 'delivered' } as const

const database = databaseForFile()
let endpoint: WebhookEndpointRow
let event: SeededEvent
const em = () => database.orm.em.fork()

beforeEach(async () => {
  const projectId = await seedProject(database.orm)
  endpoint = await seedEndpoint(database.orm, { projectId, url: 'https://shop.example/webhooks' })
  event = await seedEventFor(database.orm, [endpoint])
})

const leave = (columns: Partial<DeliveryRow>) => em().nativeUpdate(DeliveryEntity, { eventId: event.eventId }, columns)
const delivery = (of = event) => em().findOneOrFail(DeliveryEntity, { eventId: of.eventId })
const resends = async (of = event) => (await em().findOneOrFail(EventEntity, { id: of.eventId })).resends

const resend = () =>
  em().transactional((inner) => resendEvent(inner, endpoint, { eventId: event.eventId, endpointId: null, now: LATER }))

/** Has the endpoint sent what it did not get, and tells the events and runs that that has begun. */
const recover = () =>
  em().transactional(async (inner) => {
    await lockKept(inner, WebhookEndpointEntity, endpoint, endpoint.id)
    const since = new Date(0)
    const until = new Date(Date.now() + 60_000)
    const { events } = await recoverEvents(inner, endpoint, { since, until, limit: 100, now: LATER })
    return events.map(({ eventId, run }) => [eventId, run])
  })

describe('an event that is sent again', () => {
  test.each([
    ['was delivered', DELIVERED],
    ['has failed', FAILED],
    ['is between two retries', BETWEEN_RETRIES],
    ['waits for its first attempt', UNBEGUN],
  ])('begins anew in a run of its own where it %s', async (_, columns) => {
    await leave(columns)
    expect(await resend()).toMatchObject([{ id: event.deliveryIds[0], run: 1, ...UNBEGUN }])
    expect(await delivery()).toMatchObject({ run: 1, queuedAt: LATER, ...UNBEGUN })
  })

  test('has a new run each time, and no other event has one', async () => {
    const other = await seedEventFor(database.orm, [endpoint])
    for (const run of [1, 2, 3]) {
      expect(await resend()).toMatchObject([{ run }])
      expect(await delivery()).toMatchObject({ run })
      expect(await resends()).toBe(run)
    }
    expect(await delivery(other)).toMatchObject({ run: 0, ...UNBEGUN })
    expect(await resends(other)).toBe(0)
  })
})

describe('the recovery of an endpoint', () => {
  test.each([
    ['was delivered', DELIVERED],
    ['waits for its first attempt', UNBEGUN],
  ])('leaves an event as it is that %s', async (_, columns) => {
    await leave(columns)
    const before = await delivery()
    expect(await recover()).toEqual([])
    expect(await delivery()).toEqual(before)
    expect(await resends()).toBe(0)
  })

  test.each([
    ['has failed', FAILED],
    ['is between two retries', BETWEEN_RETRIES],
  ])('begins an event anew that %s, in a new run each time', async (_, columns) => {
    for (const run of [1, 2]) {
      await leave(columns)
      expect(await recover()).toEqual([[event.eventId, run]])
      expect(await delivery()).toMatchObject({ run, queuedAt: LATER, ...UNBEGUN })
      expect(await resends()).toBe(run)
    }
  })
})
