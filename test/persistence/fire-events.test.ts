import { createHash, randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import type { WebhookEndpointRow } from '../../src/persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { type NewEvent, type Targets, writeEvents } from '../../src/persistence/queries/webhooks/fire-events.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seedEndpoint, seedProject } from '../webhooks/endpoint-seed.ts'

const AT = new Date('2026-11-21T09:00:00.123Z')
const OWN_URL = 'https://shop.example/invoices/1'

const database = databaseForFile()
let projectId: string

beforeEach(async () => {
  projectId = await seedProject(database.orm)
})

function newEvent(name: EventName = 'customer.created', data: Record<string, unknown> = { name }): NewEvent {
  const about = { invoiceId: null, transactionId: null, sequence: null, customerId: null }
  return { id: makeIdentifier('event', randomBytes), name, ...about, data, firedAt: AT }
}

interface Firing {
  targets?: Targets
  sandbox?: boolean
  em?: EntityManager
}

function fire(events: readonly NewEvent[], { targets, sandbox = true, em }: Firing = {}) {
  const scope = { projectId, sandbox }
  return writeEvents(em ?? database.orm.em.fork(), scope, events, targets ?? { kind: 'all', ownUrl: null })
}

const endpoint = (given: Partial<WebhookEndpointRow> = {}) =>
  seedEndpoint(database.orm, { projectId, url: `https://shop.example/${randomBytes(4).toString('hex')}`, ...given })

const deliveriesOf = ({ id: eventId }: NewEvent) => database.orm.em.fork().find(DeliveryEntity, { eventId })

/** Where an event goes: ids of endpoints, and URLs where there is no endpoint. */
async function targetsOf(event: NewEvent): Promise<string[]> {
  return (await deliveriesOf(event)).map(({ endpointId, targetUrl }) => endpointId ?? targetUrl).sort()
}

const OFF = { enabled: false, disabledAt: AT } as const

describe('an event is not sent', () => {
  test.each<[string, Partial<WebhookEndpointRow>]>([
    ['that the merchant has switched off', { ...OFF, disabledReason: 'merchant' }],
    ['that was switched off because it was gone', { ...OFF, disabledReason: 'gone' }],
    ['that was switched off because it failed for days', { ...OFF, disabledReason: 'failing' }],
    ['that was deleted', { deletedAt: AT }],
    ['of the other environment', { sandbox: false }],
    ['that takes other events only', { eventsWhitelist: ['customer.updated', 'invoice.completed'] }],
    ['that takes none', { eventsWhitelist: [] }],
  ])('to an endpoint %s', async (_, given) => {
    await endpoint(given)
    const event = newEvent()
    expect(await fire([event])).toEqual([])
    expect(await targetsOf(event)).toEqual([])
    expect(await database.orm.em.fork().count(EventEntity, { id: event.id })).toBe(1)
  })

  test('to an endpoint of another project', async () => {
    await endpoint({ projectId: await seedProject(database.orm) })
    const event = newEvent()
    expect(await fire([event])).toEqual([])
    expect(await targetsOf(event)).toEqual([])
  })

  test('to the one endpoint that it is for, where that is switched off, deleted or of somebody else', async () => {
    const others = [
      await endpoint({ ...OFF, disabledReason: 'merchant' }),
      await endpoint({ deletedAt: AT }),
      await endpoint({ sandbox: false }),
      await endpoint({ projectId: await seedProject(database.orm) }),
    ]
    for (const { id: endpointId } of others) {
      const event = newEvent('webhook-endpoint.test')
      expect(await fire([event], { targets: { kind: 'endpoint', endpointId } })).toEqual([])
      expect(await targetsOf(event)).toEqual([])
    }
  })

  test('and is not there, where the change that it tells of was undone', async () => {
    await endpoint()
    const event = newEvent()
    const undone = database.orm.em.fork().transactional(async (em) => {
      expect(await fire([event], { em })).toHaveLength(1)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await deliveriesOf(event)).toEqual([])
    expect(await database.orm.em.fork().count(EventEntity, { id: event.id })).toBe(0)
  })

  test('twice to one address, where an endpoint has that of the invoice', async () => {
    const [same, other] = [await endpoint({ url: OWN_URL }), await endpoint()]
    const event = newEvent()
    await fire([event], { targets: { kind: 'all', ownUrl: OWN_URL } })
    expect(await targetsOf(event)).toEqual([same.id, other.id].sort())
  })
})

describe('an event is sent', () => {
  test('to every enabled endpoint that takes it, and to the address of the invoice', async () => {
    const endpoints = [
      await endpoint(),
      await endpoint({ eventsWhitelist: ['customer.updated', 'customer.created'] }),
      await endpoint({ eventsWhitelist: ['customer.created'] }),
    ]
    const event = newEvent()
    const fired = await fire([event], { targets: { kind: 'all', ownUrl: OWN_URL } })
    const told = { projectId, sandbox: true, eventId: event.id, eventName: 'customer.created', invoiceId: null, run: 0 }
    expect(fired).toEqual([{ ...told, isFailing: false }])
    expect(await targetsOf(event)).toEqual([OWN_URL, ...endpoints.map(({ id }) => id)].sort())
    for (const delivery of await deliveriesOf(event)) {
      expect(delivery).toMatchObject({
        projectId,
        sandbox: true,
        run: 0,
        status: 'pending',
        queuedAt: AT,
        createdAt: AT,
      })
      expect([delivery.firstAttemptAt, delivery.releaseAt, delivery.endedAt]).toEqual([null, null, null])
    }
  })

  test('each to the address of the invoice, but for those that an endpoint of that address takes', async () => {
    const same = await endpoint({ url: OWN_URL, eventsWhitelist: ['customer.deleted'] })
    const other = await endpoint({ eventsWhitelist: ['customer.created', 'customer.deleted'] })
    const events = [newEvent('customer.created'), newEvent('customer.deleted'), newEvent('customer.updated')]
    const [created, deleted, updated] = events as [NewEvent, NewEvent, NewEvent]
    const fired = await fire(events, { targets: { kind: 'all', ownUrl: OWN_URL } })
    expect(fired.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id))
    expect(await targetsOf(created)).toEqual([OWN_URL, other.id].sort())
    expect(await targetsOf(deleted)).toEqual([same.id, other.id].sort())
    expect(await targetsOf(updated)).toEqual([OWN_URL])
  })

  test('and only those that somebody waits for are announced', async () => {
    await endpoint({ eventsWhitelist: ['customer.deleted'] })
    const events = [newEvent('customer.created'), newEvent('customer.deleted')]
    expect((await fire(events)).map(({ eventName }) => eventName)).toEqual(['customer.deleted'])
  })
})

describe('a delivery', () => {
  test('has an id that follows from the event and the target, and is there once for each', async () => {
    const { id } = await endpoint()
    const event = newEvent()
    await fire([event], { targets: { kind: 'all', ownUrl: OWN_URL } })
    const expected = [id, ''].map(
      (target) => `whd_${createHash('sha256').update(`${event.id}:${target}`).digest('hex').slice(0, 32)}`,
    )
    expect((await deliveriesOf(event)).map((delivery) => delivery.id).sort()).toEqual(expected.sort())
    await expect(fire([event])).rejects.toThrow('event_pkey')
  })
})

describe('the snapshot of an event', () => {
  test.each([
    ['half of a character', { text: 'a\ud800b' }],
    ['a NUL', { text: 'a\0b' }],
    ['quotes and backslashes', { text: `O'Brien "\\" ?? $1 \\u0041` }],
    ['a name of its own prototype', JSON.parse('{"__proto__":{"a":1},"z":1,"a":2}')],
  ])('is kept as it is, with %s in it', async (_, data) => {
    const event = newEvent('customer.created', data)
    await fire([event])
    const [row] = await database.orm.em
      .fork()
      .execute<{ text: string }[]>('select data::text as text from event where id = ?', [event.id])
    expect(row?.text).toBe(JSON.stringify(data))
  })
})

describe('whether an event is failing', () => {
  const FAILS = { failingSince: AT, lastFailureAt: AT }
  const firedWith = async (ownUrl: string | null = null) => {
    const [event] = await fire([newEvent()], { targets: { kind: 'all', ownUrl } })
    return event?.isFailing
  }

  test('is told of one that only endpoints are to receive which accepted nothing lately', async () => {
    await endpoint(FAILS)
    await endpoint(FAILS)
    expect(await firedWith()).toBe(true)
  })

  test('is denied of one that goes to somebody who is well, or of whom it is not known', async () => {
    await endpoint(FAILS)
    expect(await firedWith(OWN_URL)).toBe(false)
    await endpoint()
    expect(await firedWith()).toBe(false)
  })
})
