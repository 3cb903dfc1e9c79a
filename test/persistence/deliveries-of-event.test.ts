import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { DeliveryEntity, type DeliveryRow, type DeliveryStatus } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import { findDeliveriesOfEvent } from '../../src/persistence/queries/webhooks/deliveries-of-event.ts'
import { recordAttempt } from '../../src/persistence/queries/webhooks/delivery-attempts.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedEventFor, seedProject } from '../webhooks/endpoint-seed.ts'
import { type SeededEvent, seedEvent } from '../webhooks/seed.ts'

const URL = 'https://shop.example/webhooks'
const NOW = new Date('2026-11-21T09:00:00.000Z')
const MINUTE_MS = 60_000

const database = databaseForFile()
let endpoint: WebhookEndpointRow
let event: SeededEvent

beforeEach(async () => {
  endpoint = await seedEndpoint(database.orm, { projectId: await seedProject(database.orm), url: URL })
  event = await seedEventFor(database.orm, [endpoint])
})

function find({ run = 0, ...scope }: Partial<{ run: number; projectId: string; sandbox: boolean }> = {}) {
  const { projectId, eventId } = event
  return findDeliveriesOfEvent(database.orm, { projectId, sandbox: true, eventId, run, now: NOW, ...scope })
}

/** Leaves the delivery of an event as it would stand after some time. */
function leave({ deliveryIds: [id = ''] }: SeededEvent, columns: Partial<DeliveryRow>) {
  return database.orm.em.fork().nativeUpdate(DeliveryEntity, { id }, columns)
}

function record(run: number, attempt: number) {
  const { projectId, deliveryIds } = event
  return recordAttempt(database.orm, {
    id: makeIdentifier('deliveryAttempt', randomBytes),
    projectId,
    sandbox: true,
    deliveryId: deliveryIds[0] ?? '',
    run,
    attempt,
    requestUrl: URL,
    responseCode: 500,
    failureReason: 'http_status',
    responseTimeMs: 12,
    responseBody: null,
    responseHeaders: null,
    startedAt: NOW,
    status: 'pending',
    releaseAt: NOW,
    endedAt: null,
  })
}

describe('a run of an event', () => {
  test('has no delivery that is of another run, project or environment', async () => {
    await leave(event, { run: 1 })
    expect(await find({ run: 0 })).toEqual([])
    expect(await find({ run: 2 })).toEqual([])
    expect(await find({ run: 1, projectId: 'proj_other' })).toEqual([])
    expect(await find({ run: 1, sandbox: false })).toEqual([])
    expect(await find({ run: 1 })).toMatchObject([{ deliveryId: event.deliveryIds[0], delivery: { run: 1 } }])
  })

  test('has made none of the attempts of the runs before it', async () => {
    for (const attempt of [0, 1, 2]) await record(0, attempt)
    expect(await find()).toMatchObject([{ attemptsMade: 3 }])
    await leave(event, { run: 1 })
    expect(await find({ run: 1 })).toMatchObject([{ attemptsMade: 0 }])
    await record(1, 0)
    expect(await find({ run: 1 })).toMatchObject([{ attemptsMade: 1 }])
  })
})

describe('a target is known by', () => {
  const previousStatus = async () => (await find()).map((found) => found.previousStatus)

  /** Another delivery to the endpoint, begun so many minutes ago. */
  async function begun(status: DeliveryStatus, minutesAgo: number, to = endpoint): Promise<void> {
    const firstAttemptAt = new Date(NOW.getTime() - minutesAgo * MINUTE_MS)
    await leave(await seedEventFor(database.orm, [to]), { status, firstAttemptAt })
  }

  test('nothing, where nothing was begun to it yet', async () => {
    await seedEventFor(database.orm, [endpoint])
    expect(await previousStatus()).toEqual([null])
  })

  test.each([
    ['delivered', 'failed'],
    ['failed', 'delivered'],
    ['delivered', 'pending'],
  ] as const)('what was begun last: it was %s before and is %s', async (before, last) => {
    await begun(before, 3)
    await begun(last, 1)
    await begun(before, 2)
    expect(await previousStatus()).toEqual([last])
  })

  test('nothing that was begun to another endpoint, project or host', async () => {
    await begun('delivered', 1, await seedEndpoint(database.orm, { projectId: endpoint.projectId, url: URL }))
    const projectId = await seedProject(database.orm)
    await begun('delivered', 1, await seedEndpoint(database.orm, { projectId, url: URL }))
    await leave(await seedEvent(database.orm, [URL], endpoint.projectId), { status: 'delivered', firstAttemptAt: NOW })
    const elsewhere = await seedEventFor(database.orm, [{ ...endpoint, url: 'https://shop.example:8443/webhooks' }])
    await leave(elsewhere, { status: 'delivered', firstAttemptAt: NOW })
    expect(await previousStatus()).toEqual([null])
  })

  test('nothing that was begun to the same address in the other environment of its project', async () => {
    event = await seedEvent(database.orm, [URL])
    const live = { projectId: event.projectId, sandbox: false }
    const [eventId, id] = [makeIdentifier('event', randomBytes), makeIdentifier('delivery', randomBytes)]
    const em = database.orm.em.fork()
    await em.insert(EventEntity, { ...live, id: eventId, name: 'customer.created', data: {}, firedAt: NOW })
    const begunAt = { queuedAt: NOW, createdAt: NOW, firstAttemptAt: NOW }
    await em.insert(DeliveryEntity, { ...live, ...begunAt, id, eventId, targetUrl: URL, status: 'failed' })
    expect(await previousStatus()).toEqual([null])
  })
})
