import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { Holdfast } from '../src/index.ts'
import { rejection } from './fake-service.ts'

/** The ids of a list, the newest first, as the service shows it. */
const IDS = ['ev_5', 'ev_4', 'ev_3', 'ev_2', 'ev_1']
const queries: string[] = []

/** Pages as the service makes them, of three objects where no limit is given. */
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://service')
  queries.push(searchParams.toString())
  const limit = Number(searchParams.get('limit') ?? 3)
  const after = searchParams.get('start_after')
  const before = searchParams.get('end_before')
  const from = after === null ? 0 : IDS.indexOf(after) + 1
  const to = before === null ? IDS.length : IDS.indexOf(before)
  const rest = IDS.slice(from, to)
  const events = (before === null ? rest.slice(0, limit) : rest.slice(-limit)).map((id) => ({ id }))
  const page = { success: true, has_more: rest.length > events.length, count: events.length, total_count: 5 }
  response.writeHead(200, { 'x-ratelimit': '3000', 'x-ratelimit-remaining': '12' })
  response.end(JSON.stringify({ ...page, total_count_capped: false, limit, order: 'desc', events }))
})

let client: Holdfast

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  client = new Holdfast({ projectId: 'proj_1', secretKey: 'key_live_1', apiUrl, maxRetries: 0 })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  queries.length = 0
})

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  return ids
}

test('await reads one page, with what the service says of it', async () => {
  const page = await client.events.list({ limit: 2 })
  expect(page).toEqual({
    data: [{ id: 'ev_5' }, { id: 'ev_4' }],
    has_more: true,
    count: 2,
    total_count: 5,
    total_count_capped: false,
    limit: 2,
    order: 'desc',
  })
  expect(page.lastResponse.rateLimit).toMatchObject({ remaining: 12 })
  expect(queries).toEqual(['limit=2'])
})

test('a list is read once, however often its page is asked for, and not before', async () => {
  const list = client.events.list()
  expect(queries).toEqual([])
  expect(await list).toBe(await list)
  expect(queries).toEqual([''])
})

test('a list is a promise as any other, and its chain another', async () => {
  const list = client.events.list({ limit: 2 })
  expect(list).toBeInstanceOf(Promise)
  const size = async (pages: Promise<{ data: object[] }>) => (await pages).data.length
  const done: string[] = []
  const chained = list.then(({ data }) => data.length).finally(() => done.push('finally'))
  expect(chained.constructor).toBe(Promise)
  expect(await Promise.all([size(list), size(Promise.race([list])), size(Promise.resolve(list)), chained])).toEqual([
    2, 2, 2, 2,
  ])
  expect(await list.catch(() => undefined)).toBe(await list)
  expect([done, queries]).toEqual([['finally'], ['limit=2']])
})

test('for await reads every object, each page from the last id of the one before', async () => {
  expect(await idsOf(client.events.list({ limit: 2, filter: ['name:a', 'sandbox:b'] }))).toEqual(IDS)
  const filter = 'filter=name%3Aa&filter=sandbox%3Ab'
  expect(queries).toEqual([
    `limit=2&${filter}`,
    `limit=2&${filter}&start_after=ev_4`,
    `limit=2&${filter}&start_after=ev_2`,
  ])
})

test('for await asks for large pages where no limit is given, and begins where it is told', async () => {
  expect(await idsOf(client.events.list({ start_after: 'ev_4' }))).toEqual(['ev_3', 'ev_2', 'ev_1'])
  expect(queries).toEqual(['limit=100&start_after=ev_4'])
})

test('for await goes the other way with end_before, in that order', async () => {
  expect(await idsOf(client.events.list({ end_before: 'ev_1', limit: 3 }))).toEqual(['ev_2', 'ev_3', 'ev_4', 'ev_5'])
  expect(queries).toEqual(['limit=3&end_before=ev_1', 'limit=3&end_before=ev_4'])
})

test('an error of the list rejects, wherever it is read', async () => {
  const closed = new Holdfast({
    projectId: 'proj_1',
    secretKey: 'key_live_1',
    apiUrl: 'http://127.0.0.1:1',
    maxRetries: 0,
  })
  const expected = { name: 'ConnectionError', message: expect.stringContaining('GET /events') }
  expect(await rejection(closed.events.list())).toMatchObject(expected)
  expect(await closed.events.list().catch((error: unknown) => error)).toMatchObject(expected)
  expect(await rejection(idsOf(closed.events.list()))).toMatchObject(expected)
})
