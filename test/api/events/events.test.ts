import { beforeAll, describe, expect, test } from '@jest/globals'
import { exampleEvent } from '../../../src/api/examples/events.ts'
import { DeliveryEntity } from '../../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../../src/persistence/entities/event.ts'
import type { Merchant } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { webhookFixtureForFile } from '../../http/webhook-fixture.ts'
import { forFile } from '../../support/for-file.ts'
import { waitFor } from '../../support/wait-for.ts'

const URL = 'https://shop.example/webhooks'
const OWN_URL = 'https://shop.example/orders/1'

const api = webhookFixtureForFile()
const stranger = forFile(async () => api.makeMerchant({ sandbox: true }))

const EVENTS = 12
const { data: DATA } = exampleEvent('transaction.captured')

/** Of a project of their own. */
let listed: Merchant

beforeAll(async () => {
  listed = await api.makeMerchant({ sandbox: true })
  const rows = await rowWriter(api, listed)
  await rows.invoice('iv_events')
  await rows.transaction('tr_events', 'iv_events')
  for (let sequence = 1; sequence <= EVENTS; sequence += 1) {
    await rows.event(`ev_${sequence}`, {
      name: sequence % 2 === 1 ? 'transaction.captured' : 'transaction.failed',
      invoiceId: 'iv_events',
      transactionId: 'tr_events',
      sequence,
      data: DATA,
    })
  }
  // Transactions of other tests on the same server may hold the list back for a moment.
  await waitFor(async () => (await listed.client.get('/events')).body.total_count === EVENTS)
})

const list = async (query = '') => (await listed.client.get(`/events${query}`)).body
const idsOf = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id)

describe('the list of events', () => {
  test('has the ten latest', async () => {
    const body = await list()
    expect(body).toMatchObject({
      success: true,
      has_more: true,
      count: 10,
      total_count: EVENTS,
      limit: 10,
      order: 'desc',
    })
    expect(idsOf(body)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3].map((sequence) => `ev_${sequence}`))
  })

  test('can be narrowed to a name, and read in that to its end', async () => {
    const failed = '?filter=name:transaction.failed'
    expect(await list(`${failed}&limit=4`)).toMatchObject({ has_more: true, count: 4, total_count: 6 })
    expect(idsOf(await list(failed))).toEqual(['ev_12', 'ev_10', 'ev_8', 'ev_6', 'ev_4', 'ev_2'])
    expect(idsOf(await list(`${failed}&start_after=ev_5`))).toEqual(['ev_4', 'ev_2'])
    expect(idsOf(await list(`${failed}&end_before=ev_9`))).toEqual(['ev_12', 'ev_10'])
  })
})

describe('an event', () => {
  test('is read by its id, with its data as it was', async () => {
    const { status, body } = await listed.client.get('/events/ev_1')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      event: {
        id: 'ev_1',
        project_id: listed.projectId,
        name: 'transaction.captured',
        sandbox: true,
        fired_at: '2026-11-21T01:17:10.123Z',
        sequence: 1,
        transaction_id: 'tr_events',
        invoice_id: 'iv_events',
        webhooks: null,
        data: DATA,
      },
    })
  })
})

const resend = (eventId: string, fields: object = {}, merchant = api.merchant) =>
  merchant.client.post(`/events/${eventId}/resend`, fields)
const eventRow = (id: string) => api.database.orm.em.fork().findOneOrFail(EventEntity, { id })
const REFUSED = { success: false, error_type: 'request.validation.invalid-state' }

/** An event of an invoice with a URL of its own, which was told of it. */
async function ownUrlEvent(id: string): Promise<string> {
  const rows = await rowWriter(api, api.merchant)
  await rows.event(`ev_${id}`, { name: 'invoice.expired' })
  await rows.delivery(`whd_${id}`, `ev_${id}`, { targetUrl: OWN_URL, status: 'delivered' })
  return `ev_${id}`
}

describe('an event is not sent again', () => {
  test('to an endpoint that is disabled, by whomever', async () => {
    const { id } = await api.endpoint()
    const eventId = await api.fire()
    for (const disabledReason of ['merchant', 'gone', 'failing'] as const) {
      await api.change(id, { enabled: false, disabledReason, disabledAt: api.clock.now() })
      expect(await resend(eventId, { endpoint_id: id })).toMatchObject({
        status: 400,
        body: { ...REFUSED, invalid_fields: [{ name: 'endpoint_id', message: 'is disabled; enable it first' }] },
      })
    }
    expect((await eventRow(eventId)).resends).toBe(0)
  })

  test('where there is nobody to send it to', async () => {
    const disabled = await api.endpoint()
    const eventId = await api.fire()
    await api.merchant.client.put(`/webhook-endpoints/${disabled.id}`, { enabled: false })
    await api.endpoint({ events_whitelist: ['card.updated'] })
    const before = await api.deliveries(eventId)
    api.announced.length = 0
    expect(await resend(eventId)).toMatchObject({
      status: 400,
      body: { ...REFUSED, message: expect.stringContaining('nobody to send this event to') },
    })
    expect(await api.deliveries(eventId)).toEqual(before)
    expect((await eventRow(eventId)).resends).toBe(0)
    expect(api.announced).toEqual([])
  })
})

describe('an event that is sent again', () => {
  test('begins anew at all that take it, and keeps what was tried before', async () => {
    const takes = await api.endpoint({ url: `${URL}/1` })
    const eventId = await api.fire()
    await api.end(eventId, 'failed')
    const [delivery] = await api.deliveries(eventId)
    const rows = await rowWriter(api, api.merchant)
    const tried = {
      responseCode: 500,
      responseBody: 'No',
      responseHeaders: { server: 'x' },
      failureReason: 'http_status',
    }
    await rows.deliveryAttempt(delivery?.id ?? '', 0, { ...tried, requestUrl: `${URL}/1` })
    const later = await api.endpoint({ url: `${URL}/2`, events_whitelist: ['customer.created'] })
    await api.endpoint({ url: `${URL}/3`, events_whitelist: ['card.updated'] })
    await api.endpoint({ url: `${URL}/4`, enabled: false })
    await api.endpoint({ url: `${URL}/5` }, stranger)
    await api.endpoint({ url: `${URL}/6` }, api.live)
    api.announced.length = 0
    api.clock.advance(60_000)

    const { status, body } = await resend(eventId)
    expect(status).toBe(200)
    const again = {
      event_id: eventId,
      status: 'pending',
      run: 1,
      attempt: null,
      response_code: null,
      response_body: null,
      response_headers: null,
      first_attempt_at: null,
      release_at: null,
      attempts: null,
    }
    expect(body).toMatchObject({ success: true })
    expect(body.webhooks.toSorted(byUrl)).toMatchObject([
      { ...again, id: delivery?.id, endpoint_id: takes.id, request_url: `${URL}/1` },
      { ...again, endpoint_id: later.id, request_url: `${URL}/2` },
    ])
    expect(await api.deliveries(eventId)).toMatchObject([
      { run: 1, queuedAt: api.clock.now(), endedAt: null, createdAt: delivery?.createdAt },
      { run: 1, queuedAt: api.clock.now(), endedAt: null },
    ])
    expect(api.announced).toEqual([
      {
        projectId: api.merchant.projectId,
        sandbox: true,
        eventId,
        eventName: 'customer.created',
        invoiceId: null,
        run: 1,
      },
    ])

    const { webhooks } = (await api.merchant.client.get(`/events/${eventId}/webhooks?expand=attempts`)).body
    expect(webhooks.find(({ id }: { id: string }) => id === delivery?.id)).toMatchObject({
      run: 1,
      response_code: null,
      attempts: [
        {
          id: expect.stringMatching(/^wha_/),
          run: 0,
          attempt: 0,
          request_url: `${URL}/1`,
          response_code: '500',
          response_body: 'No',
          response_headers: 'server: x',
          response_time_ms: 12,
          failure_reason: 'http_status',
          started_at: '2026-11-21T01:17:10.123Z',
        },
      ],
    })
  })

  test('to one endpoint goes to no other, whatever that one takes, and wherever it is by now', async () => {
    const other = await api.endpoint({ url: `${URL}/1` })
    const { id } = await api.endpoint({ url: `${URL}/2`, events_whitelist: ['card.updated'] })
    const eventId = await api.fire()
    await api.end(eventId, 'delivered')
    for (const [run, url] of [
      [1, `${URL}/2`],
      [2, `${URL}/moved`],
    ] as const) {
      await api.merchant.client.put(`/webhook-endpoints/${id}`, { url })
      const { body } = await resend(eventId, { endpoint_id: id })
      expect(body.webhooks).toMatchObject([{ endpoint_id: id, run, request_url: url, status: 'pending' }])
    }
    expect(await api.deliveries(eventId)).toMatchObject([
      { endpointId: other.id, run: 0, status: 'delivered' },
      { endpointId: id, run: 2, status: 'pending' },
    ])
  })

  test('goes to the URL of its own as well, once', async () => {
    const eventId = await ownUrlEvent('own')
    expect((await resend(eventId)).body.webhooks).toMatchObject([
      { id: 'whd_own', endpoint_id: null, request_url: OWN_URL, run: 1, status: 'pending' },
    ])
    const { id } = await api.endpoint()
    const { body } = await resend(eventId)
    expect(body.webhooks.toSorted(byUrl)).toMatchObject([
      { id: 'whd_own', endpoint_id: null, run: 2 },
      { endpoint_id: id, run: 2 },
    ])
    const { id: one } = await api.endpoint({ url: `${URL}/one` })
    expect((await resend(eventId, { endpoint_id: one })).body.webhooks).toMatchObject([{ endpoint_id: one, run: 3 }])
  })

  test('is not sent twice to the URL of its own, where that is an endpoint by now', async () => {
    const eventId = await ownUrlEvent('both')
    const { id } = await api.endpoint({ url: OWN_URL })
    expect((await resend(eventId)).body.webhooks).toMatchObject([{ endpoint_id: id, request_url: OWN_URL }])
    expect((await api.deliveries(eventId)).find(({ endpointId }) => endpointId === null)?.status).toBe('delivered')
  })

  test('by two at once has a run for each, and a delivery for each target', async () => {
    await api.endpoint({ url: `${URL}/1` })
    await api.endpoint({ url: `${URL}/2` })
    const eventId = await api.fire()
    await api.endpoint({ url: `${URL}/3` })
    api.announced.length = 0
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(eventId)))
    const runs = answers.map(({ body }) => body.webhooks.map(({ run }: { run: number }) => run))
    const expected = [1, 2, 3, 4, 5, 6, 7, 8].map((run) => [run, run, run])
    expect(runs.toSorted(([a], [b]) => a - b)).toEqual(expected)
    expect(api.announced.map(({ run }) => run).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect((await api.deliveries(eventId)).map(({ run }) => run)).toEqual([8, 8, 8])
    expect(await api.database.orm.em.fork().count(DeliveryEntity, { eventId })).toBe(3)
  })

  test('as a test of an endpoint goes to that endpoint alone', async () => {
    const tried = await api.endpoint({ url: `${URL}/1` })
    await api.endpoint({ url: `${URL}/2` })
    const { body } = await api.merchant.client.post(`/webhook-endpoints/${tried.id}/test`)
    const again = await resend(body.event.id)
    expect(again.body.webhooks).toMatchObject([{ endpoint_id: tried.id, run: 1 }])
  })
})

const byUrl = (a: { request_url: string }, b: { request_url: string }) => (a.request_url < b.request_url ? -1 : 1)
