import { expect, test } from '@jest/globals'
import type { Answer, HttpClient } from '../support/http-client.ts'
import type { CommittedEvent } from './books.ts'
import { findUnfetchable, type Shop } from './shops.ts'

const answer = (status: number, body: object): Answer => ({
  status,
  body,
  headers: new Headers({ 'retry-after': '0' }),
})
const EVENT: CommittedEvent = {
  id: 'ev_1',
  projectId: 'proj_1',
  name: 'customer.created',
  invoiceName: null,
  firedAt: 0,
}

test.each([
  ['is there', [answer(200, { event: EVENT })], 0],
  ['is there when its merchant comes again, as he was told', [answer(429, {}), answer(200, { event: EVENT })], 0],
  ['is not there', [answer(404, {})], 1],
  ['is another one', [answer(200, { event: { ...EVENT, name: 'card.updated' } })], 1],
])('An event that %s', async (_, answers, faults) => {
  const left = [...answers]
  const client = { get: async () => left.shift() } as unknown as HttpClient
  const shop: Shop = {
    projectId: EVENT.projectId,
    gateway: 'simulator',
    standIn: null,
    clients: [client],
    endpoints: [],
  }
  expect(await findUnfetchable([shop], [EVENT], new AbortController().signal)).toHaveLength(faults)
  expect(left).toEqual([])
})
