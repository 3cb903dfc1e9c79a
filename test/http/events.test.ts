import { beforeAll, describe, expect, test } from '@jest/globals'
import { exampleEvent } from '../../src/http/openapi/examples/events.ts'
import { waitFor } from '../support/wait-for.ts'
import { interfaceForFile } from './interface.ts'
import { rowWriter } from './listed-rows.ts'

const api = interfaceForFile()
const EVENTS = 12
const { data: DATA } = exampleEvent('transaction.captured')

beforeAll(async () => {
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
