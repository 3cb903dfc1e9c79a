import { describe, expect, test } from '@jest/globals'
import { about, auditWebhooks, type Evidence } from './audit-webhooks.ts'

const SHOP = 'proj_shop'
const OTHER = 'proj_other'
const ALL = 'http://127.0.0.1:1/all'
const CAPTURES = 'http://127.0.0.1:2/captures'
const OWN = 'http://127.0.0.1:3/invoices/1'

const endpoint = (id: string, url: string, differs: object = {}) => {
  return { id, projectId: SHOP, url, whitelist: null, receives: true, ...differs }
}
const delivery = (endpointId: string | null, url: string, differs: object = {}) => {
  return { eventId: 'ev_1', endpointId, url, status: 'delivered', attempts: 1, ...differs }
}
const arrival = (messageId: string, url: string, differs: object = {}) => {
  return {
    at: 1_500,
    method: 'POST',
    url,
    messageId,
    contentType: 'application/json',
    body: '{"event_id":"ev_1","event_type":"transaction.authorized"}',
    signature: messageId === 'ev_1' ? 'absent' : 'valid',
    answer: 200,
    ...differs,
  }
}

const deliveryToAll = delivery('whe_all', ALL)
const deliveryToOwn = delivery(null, OWN)
const toAll = arrival('ev_1-whe_all', ALL)
const toOwn = arrival('ev_1', OWN, { at: 1_200 })

/** One authorization, which goes to the endpoint that takes all and to the URL of the invoice. */
const SOUND = {
  events: [
    { id: 'ev_1', projectId: SHOP, name: 'transaction.authorized', invoiceName: 'Order 1', firedAt: 1_000 } as const,
  ],
  endpoints: [
    endpoint('whe_all', ALL),
    endpoint('whe_captures', CAPTURES, { whitelist: ['transaction.captured'] }),
    endpoint('whe_off', 'http://127.0.0.1:1/off', { receives: false }),
    endpoint('whe_other', 'http://127.0.0.1:1/other', { projectId: OTHER }),
  ],
  ownUrlOf: (name: string): string | null => (name === 'Order 1' ? OWN : null),
  deliveries: [deliveryToAll, deliveryToOwn],
  arrivals: [toAll, toOwn],
} satisfies Evidence

const faultsOf = (differs: Partial<Evidence>) => auditWebhooks({ ...SOUND, ...differs }).faults

describe('the comparison of what was committed with what arrived', () => {
  test('finds an event that never arrived, whatever the record says', () => {
    expect(faultsOf({ arrivals: [toOwn] })).toEqual([`transaction.authorized ev_1 has never been accepted at ${ALL}`])
  })

  test.each([500, 302, null])('does not take a webhook for accepted that was answered with %s', (answer) => {
    expect(faultsOf({ arrivals: [toOwn, { ...toAll, answer }] })).toHaveLength(1)
  })

  test.each([
    ['endpoint that does not take it', 'ev_1-whe_captures', CAPTURES],
    ['endpoint that is off', 'ev_1-whe_off', 'http://127.0.0.1:1/off'],
    ['endpoint of another project', 'ev_1-whe_other', 'http://127.0.0.1:1/other'],
    ['place that redirects lead to', 'ev_1-whe_all', 'http://127.0.0.1:2/redirected'],
    ['URL of another invoice', 'ev_1', 'http://127.0.0.1:3/invoices/2'],
    ['endpoint under the id of another', 'ev_1-whe_captures', ALL],
  ])('finds a webhook that went to the %s', (_, messageId, url) => {
    const stray = arrival(messageId, url)
    expect(faultsOf({ arrivals: [...SOUND.arrivals, stray] })).toEqual([
      expect.stringContaining(`${messageId} at ${url} was not meant for there`),
    ])
  })

  test.each([
    ['body', { body: '{"event_id":"ev_1","event_type":"transaction.authorized","amount":"20.00"}' }],
    ['body', { body: '{"event_id":"ev_1","event_type":"transaction.captured"}' }],
    ['signature', { signature: 'absent' }],
    ['signature', { signature: 'invalid: No matching signature found' }],
    ['content type', { contentType: 'text/plain' }],
    ['came as', { method: 'PUT' }],
  ])('finds a wrong %s', (what, differs) => {
    expect(faultsOf({ arrivals: [{ ...toAll, ...differs }, toOwn] })).toEqual([expect.stringContaining(what)])
  })

  test('does not mind a webhook that its receiver refused for its time, once it was accepted', () => {
    const refused = { ...toAll, signature: 'of another time', answer: 400 }
    expect(faultsOf({ arrivals: [refused, toOwn] })).toHaveLength(1)
    expect(faultsOf({ arrivals: [refused, ...SOUND.arrivals] })).toEqual([])
  })

  test('is made of some events alone, and of what arrived then without one', () => {
    const stray = arrival('ev_2', OWN, { at: 5_000 })
    const evidence = { ...SOUND, arrivals: [{ ...toAll, at: 5_000 }, toOwn, stray] }
    expect(about(evidence, (at) => at < 1_100)).toEqual({ ...evidence, arrivals: evidence.arrivals.slice(0, 2) })
    expect(about(evidence, (at) => at > 1_100)).toEqual({ ...SOUND, events: [], deliveries: [], arrivals: [stray] })
  })

  test('finds a signature where nobody knows a secret', () => {
    expect(faultsOf({ arrivals: [toAll, { ...toOwn, signature: 'valid' }] })).toHaveLength(1)
  })

  test.each(['pending', 'failed'])('finds a delivery that is %s in the end', (status) => {
    expect(faultsOf({ deliveries: [{ ...deliveryToAll, status }, deliveryToOwn] })).toEqual([
      `The delivery of ev_1 to ${ALL} is ${status}`,
    ])
  })

  test('finds a delivery that the record lacks, and one that it should not have', () => {
    expect(faultsOf({ deliveries: [deliveryToOwn, delivery('whe_captures', CAPTURES)] })).toEqual([
      expect.stringContaining(`of ev_1 to ${CAPTURES}, which is none of its targets`),
      `The record has no delivery ev_1-whe_all ${ALL}`,
    ])
  })

  test('wants nothing at the URL of an invoice that is an endpoint which takes the event', () => {
    const ownUrlOf = () => ALL
    expect(faultsOf({ ownUrlOf, deliveries: [deliveryToAll], arrivals: [toAll] })).toEqual([])
    expect(faultsOf({ ownUrlOf, deliveries: [deliveryToAll], arrivals: [toAll, arrival('ev_1', ALL)] })).toHaveLength(1)
  })

  test('finds nothing where all is well, and counts what came twice and how long it took', () => {
    const arrivals = [{ ...toAll, at: 1_300, answer: 500 }, { ...toAll, at: 9_000 }, ...SOUND.arrivals]
    expect(auditWebhooks({ ...SOUND, arrivals })).toEqual({
      faults: [],
      expected: 2,
      arrived: 4,
      accepted: 3,
      duplicates: 1,
      attempts: 2,
      delaysMs: [200, 500],
      slowest: 'transaction.authorized ev_1-whe_all: 1 attempts on record, 3 arrivals',
    })
  })
})
