import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { exampleEvent } from '../../src/http/openapi/examples/events.ts'
import { waitFor } from '../support/wait-for.ts'
import { type Interface, startInterface } from './interface.ts'
import { rowWriter } from './listed-rows.ts'

let api: Interface
const EVENTS = 12
const { data: DATA } = exampleEvent('transaction.captured')

beforeAll(async () => {
  api = await startInterface()
  const rows = await rowWriter(api, api.merchant)
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
  await waitFor(async () => (await api.merchant.client.get('/events')).body.total_count === EVENTS)
})
afterAll(() => api.stop())

const list = async (query = '') => (await api.merchant.client.get(`/events${query}`)).body
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

  test.each([
    ['?limit=0', { limit: 10, count: 10 }],
    ['?limit=', { limit: 10, count: 10 }],
    ['?limit=100', { limit: 100, count: EVENTS, has_more: false }],
    ['?limit=1&order=asc', { limit: 1, count: 1, order: 'asc', has_more: true }],
    ['?limit=5&start_after=&end_before=&expand=&filter=&order=', { limit: 5, count: 5, order: 'desc' }],
  ])('takes %s', async (query, expected) => {
    expect(await list(query)).toMatchObject({ success: true, ...expected })
  })

  test('can be read to its end, each event once', async () => {
    const seen: string[] = []
    for (let query = '?limit=5&order=asc'; ; query = `?limit=5&order=asc&start_after=${seen.at(-1)}`) {
      const body = await list(query)
      seen.push(...idsOf(body))
      if (!body.has_more) break
    }
    expect(seen).toHaveLength(EVENTS)
    expect(new Set(seen).size).toBe(EVENTS)
  })

  test('can be read backwards', async () => {
    expect(idsOf(await list('?limit=2&end_before=ev_10'))).toEqual(['ev_12', 'ev_11'])
  })

  test.each([
    ['?limit=101', 'limit', 'request.pagination.invalid'],
    ['?limit=-1', 'limit', 'request.pagination.invalid'],
    ['?limit=ten', 'limit', 'request.pagination.invalid'],
    ['?limit=1&limit=2', 'limit', 'request.pagination.invalid'],
    ['?order=up', 'order', 'request.pagination.invalid'],
    ['?start_after=ev_none', 'start_after', 'request.pagination.invalid'],
    ['?end_before=iv_1', 'end_before', 'request.pagination.invalid'],
    ['?start_after=ev_%00', 'start_after', 'request.pagination.invalid'],
    ['?start_after=ev_2&end_before=ev_5', 'end_before', 'request.pagination.invalid'],
    ['?filter=name:transaction.paid', 'filter', 'request.filter.invalid'],
    ['?expand=transaction', 'expand', 'request.expand.invalid'],
  ])('refuses %s', async (query, name, errorType) => {
    const answer = await api.merchant.client.get(`/events${query}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { success: false, error_type: errorType, invalid_fields: [{ name }] },
    })
  })

  test('can be narrowed to a name, and read in that to its end', async () => {
    const failed = '?filter=name:transaction.failed'
    expect(await list(`${failed}&limit=4`)).toMatchObject({ has_more: true, count: 4, total_count: 6 })
    expect(idsOf(await list(failed))).toEqual(['ev_12', 'ev_10', 'ev_8', 'ev_6', 'ev_4', 'ev_2'])
    expect(idsOf(await list(`${failed}&start_after=ev_5`))).toEqual(['ev_4', 'ev_2'])
    expect(idsOf(await list(`${failed}&end_before=ev_9`))).toEqual(['ev_12', 'ev_10'])
  })

  test('of another project is its own', async () => {
    const stranger = await api.makeMerchant({ sandbox: true })
    expect((await stranger.client.get('/events')).body).toMatchObject({
      count: 0,
      total_count: 0,
      has_more: false,
      events: [],
    })
    const answer = await stranger.client.get('/events?start_after=ev_2')
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.pagination.invalid' } })
  })
})

describe('an event', () => {
  test('is read by its id, with its data as it was', async () => {
    const { status, body } = await api.merchant.client.get('/events/ev_1')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      event: {
        id: 'ev_1',
        project_id: api.merchant.projectId,
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
