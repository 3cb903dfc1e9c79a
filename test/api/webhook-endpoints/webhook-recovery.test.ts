import { beforeEach, describe, expect, test } from '@jest/globals'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { recoverEvents } from '../../../src/persistence/queries/webhooks/recover-events.ts'
import type { Merchant } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { webhookFixtureForFile } from '../../http/webhook-fixture.ts'
import { countWaiting } from '../../support/held-lock.ts'
import { waitFor } from '../../support/wait-for.ts'

const URL = 'https://shop.example/webhooks'
const EVER = { since: '2020-01-01T00:00:00Z' }

const api = webhookFixtureForFile()
let merchant: Merchant
beforeEach(async () => {
  merchant = await api.makeMerchant({ sandbox: true })
  api.clock.advance(3_600_000)
})

const endpoint = (fields: object = {}, owner = merchant) => api.endpoint(fields, owner)
const recover = (id: string, fields: object = EVER, owner = merchant) =>
  owner.client.post(`/webhook-endpoints/${id}/recover`, fields)
/** Recovers, and sees to it that as many are begun at once as there are, up to a hundred. */
const recovered = async (id: string, fields: object = EVER) => {
  api.announced.length = 0
  const { status, body } = await recover(id, fields)
  expect(api.announced).toHaveLength(Math.min(body.count, 100))
  return { status, ...body }
}
const change = (eventId: string, endpointId: string, columns: object) =>
  api.database.orm.em.fork().nativeUpdate(DeliveryEntity, { eventId, endpointId }, columns)
const rowOf = async (eventId: string, endpointId: string) =>
  (await api.deliveries(eventId)).find((row) => row.endpointId === endpointId)

describe('a recovery', () => {
  test('of an endpoint that is disabled is refused, and nothing waits for it', async () => {
    const { id } = await endpoint({ enabled: false })
    const eventId = await api.fire(merchant)
    expect(await recover(id)).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.invalid-state', message: expect.stringContaining('disabled') },
    })
    expect(await api.deliveries(eventId)).toEqual([])
  })

  test('brings nothing of another project or of the other environment', async () => {
    const { projectId } = merchant
    for (const [sandbox, project] of [
      [true, (await api.makeMerchant({ sandbox: true })).projectId],
      [false, projectId],
    ] as const) {
      await api.database.orm.em
        .fork()
        .execute(
          `insert into event (id, project_id, sandbox, name, data, fired_at) values (?, ?, ?, 'card.updated', '{}', ?)`,
          [`ev_${projectId}${sandbox}`, project, sandbox, api.clock.now()],
        )
    }
    api.clock.advance(1)
    const { id } = await endpoint()
    expect(await recovered(id)).toEqual({ status: 200, success: true, count: 0, has_more: false })
  })

  test('brings what is between two retries, in a new run, and never what was accepted meanwhile', async () => {
    const { id } = await endpoint()
    const [retried, accepted] = [await api.fire(merchant), await api.fire(merchant)]
    const at = api.clock.now()
    const later = new Date(at.getTime() + 3_600_000)
    for (const eventId of [retried, accepted]) await change(eventId, id, { firstAttemptAt: at, releaseAt: later })
    api.clock.advance(1_000)
    const [answer] = await api.database.orm.em.fork().transactional(async (em) => {
      await em.nativeUpdate(
        DeliveryEntity,
        { eventId: accepted },
        { status: 'delivered', releaseAt: null, endedAt: at },
      )
      const asked = recovered(id)
      await waitFor(async () => (await countWaiting(api.database.orm)) === 1)
      // In a list, because the commit that it waits for must not wait for it.
      return [asked]
    })
    expect(await answer).toEqual({ status: 200, success: true, count: 1, has_more: false })
    expect(await rowOf(accepted, id)).toMatchObject({ run: 0, status: 'delivered', firstAttemptAt: at })
    expect(await rowOf(retried, id)).toMatchObject({
      run: 1,
      status: 'pending',
      queuedAt: api.clock.now(),
      firstAttemptAt: null,
      releaseAt: null,
    })
    expect(api.announced).toEqual([
      {
        projectId: merchant.projectId,
        sandbox: true,
        eventId: retried,
        eventName: 'customer.created',
        invoiceId: null,
        run: 1,
      },
    ])
    // Now it waits for its first attempt, and is left alone.
    expect(await recovered(id)).toMatchObject({ count: 0 })
  })

  test('begins the oldest hundred at once', async () => {
    const { id } = await endpoint()
    const rows = await rowWriter(api, merchant)
    await rows.invoice(`iv_${merchant.projectId}`)
    const ids = Array.from({ length: 102 }, (_, n) => `ev_${String(102 - n).padStart(3, '0')}${merchant.projectId}`)
    const oldest = api.clock.now().getTime() - 1_000_000
    for (const [n, eventId] of ids.entries()) {
      const fields = { name: 'invoice.expired' as const, invoiceId: `iv_${merchant.projectId}` }
      // Two of one instant each, as a change of a payment fires them.
      await rows.event(eventId, { ...fields, firedAt: new Date(oldest + Math.floor(n / 2)) })
    }
    expect(await recovered(id)).toMatchObject({ count: 102, has_more: false })
    expect(api.announced.map(({ eventId }) => eventId)).toEqual(ids.slice(0, 100))
    expect(api.announced[0]).toEqual({
      projectId: merchant.projectId,
      sandbox: true,
      eventId: ids[0],
      eventName: 'invoice.expired',
      invoiceId: `iv_${merchant.projectId}`,
      run: 1,
    })
    for (const eventId of ids) expect(await rowOf(eventId, id)).toMatchObject({ run: 1, status: 'pending' })
  })

  test('brings what was fired while the endpoint was disabled or not there, as far as it takes it', async () => {
    const early = await api.fire(merchant)
    const { id } = await endpoint({ events_whitelist: ['customer.created'] })
    await merchant.client.put(`/webhook-endpoints/${id}`, { enabled: false })
    const missed = await api.fire(merchant)
    await merchant.client.put(`/webhook-endpoints/${id}`, { enabled: true })
    const rows = await rowWriter(api, merchant)
    await rows.event(`ev_card${merchant.projectId}`, { name: 'card.updated' })
    api.clock.advance(1_000)
    expect(await recovered(id)).toMatchObject({ count: 2 })
    for (const eventId of [early, missed]) {
      expect(await api.deliveries(eventId)).toMatchObject([{ endpointId: id, run: 1, status: 'pending' }])
    }
    expect(await api.deliveries(`ev_card${merchant.projectId}`)).toEqual([])
  })

  test('begins with its first instant and ends before its last', async () => {
    const { id } = await endpoint()
    await merchant.client.put(`/webhook-endpoints/${id}`, { enabled: false })
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) {
      ids.push(await api.fire(merchant))
      api.clock.advance(1_000)
    }
    await merchant.client.put(`/webhook-endpoints/${id}`, { enabled: true })
    const at = (n: number) => new Date(api.clock.now().getTime() - (3 - n) * 1_000).toISOString()
    expect(await recovered(id, { since: at(1), until: at(2) })).toMatchObject({ count: 1 })
    expect(await Promise.all(ids.map(async (eventId) => (await rowOf(eventId, id))?.run))).toEqual([
      undefined,
      1,
      undefined,
    ])
  })

  test('leaves the other targets of an event as they are', async () => {
    const [one, other] = [await endpoint({ url: `${URL}/1` }), await endpoint({ url: `${URL}/2` })]
    const eventId = await api.fire(merchant)
    await api.end(eventId, 'failed')
    const before = await rowOf(eventId, other.id)
    api.clock.advance(1)
    expect(await recovered(one.id)).toMatchObject({ count: 1 })
    expect(await rowOf(eventId, other.id)).toEqual(before)
  })

  test('brings no test of another endpoint, nor one of its own', async () => {
    const [one, other] = [await endpoint({ url: `${URL}/1` }), await endpoint({ url: `${URL}/2` })]
    for (const { id } of [one, other]) {
      const { body } = await merchant.client.post(`/webhook-endpoints/${id}/test`)
      await api.end(body.event.id, 'failed')
    }
    api.clock.advance(1)
    expect(await recovered(one.id)).toMatchObject({ count: 0 })
  })

  test('by several at once brings each event once', async () => {
    const { id } = await endpoint()
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.fire(merchant)))
    for (const eventId of ids) await api.end(eventId, 'failed')
    api.clock.advance(1)
    const answers = await Promise.all(Array.from({ length: 6 }, () => recover(id)))
    expect(answers.map(({ body }) => body.count).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 20])
    for (const eventId of ids) expect(await rowOf(eventId, id)).toMatchObject({ run: 1 })
  })

  test('of several endpoints at once, and of single events meanwhile, ends for all', async () => {
    const endpoints = await Promise.all([1, 2, 3].map((n) => endpoint({ url: `${URL}/${n}` })))
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.fire(merchant)))
    for (const eventId of ids) await api.end(eventId, 'failed')
    api.clock.advance(1)
    const answers = await Promise.all([
      ...endpoints.map(({ id }) => recover(id)),
      ...ids.toReversed().map((eventId) => merchant.client.post(`/events/${eventId}/resend`)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    for (const eventId of ids) {
      expect((await api.deliveries(eventId)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
    }
  })

  test('of more than it may bring brings the oldest first, and says that there are more', async () => {
    const { id } = await endpoint()
    const em = () => api.database.orm.em.fork()
    await em().execute(
      `insert into event (id, project_id, sandbox, name, data, fired_at)
       select 'ev_' || ? || '_' || n, ?, true, 'card.updated', '{}', ?::timestamptz - n * interval '1 second'
         from generate_series(1, 15) n`,
      [merchant.projectId.slice(-8), merchant.projectId, api.clock.now()],
    )
    const [row, now] = [await api.row(id), api.clock.now()]
    const recoverTen = () =>
      em().transactional((inner) => recoverEvents(inner, row, { since: new Date(0), until: now, limit: 10, now }))
    const { events, hasMore } = await recoverTen()
    const secondsOld = events.map(({ eventId }) => Number(eventId.split('_').at(-1)))
    expect([secondsOld.toSorted((a, b) => b - a), hasMore]).toEqual([[15, 14, 13, 12, 11, 10, 9, 8, 7, 6], true])
    expect(await recoverTen()).toMatchObject({ events: { length: 5 }, hasMore: false })
  })
})
