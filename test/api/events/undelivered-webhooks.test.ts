import { beforeAll, expect, test } from '@jest/globals'
import type { Merchant } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { webhookFixtureForFile } from '../../http/webhook-fixture.ts'

const api = webhookFixtureForFile()
let stranger: Merchant
/** Of the same project in the live environment. */
let liveEvent: string

const AT = new Date('2026-11-21T01:17:10.000Z')
const LATER = new Date('2026-11-22T10:00:00.000Z')
const TRIED = { firstAttemptAt: AT }
const OWN = 'https://shop.example/orders/1'

/** A delivery that waits for another try, to the address of an invoice. */
async function waiting(id: string, merchant: Merchant) {
  const rows = await rowWriter(api, merchant)
  await rows.event(`ev_${id}`)
  await rows.delivery(`whd_${id}`, `ev_${id}`, { targetUrl: OWN, ...TRIED, releaseAt: LATER, createdAt: LATER })
  return rows
}

beforeAll(async () => {
  stranger = await api.makeMerchant({ sandbox: true })
  await waiting('stranger', stranger)
  await api.endpoint({}, api.live)
  liveEvent = await api.fire(api.live)
  await api.end(liveEvent, 'failed')
  const rows = await waiting('retrying', api.merchant)
  for (const attempt of [0, 1])
    await rows.deliveryAttempt('whd_retrying', attempt, { responseCode: 503, failureReason: 'http_status' })
  await rows.webhookEndpoint('whe_1')
  const others = {
    delivered: { status: 'delivered', ...TRIED, endedAt: AT },
    first: {},
    // A sweep has had to start it.
    swept: { releaseAt: AT },
    again: { run: 1 },
    failed: { status: 'failed', ...TRIED, endedAt: AT, endpointId: 'whe_1' },
    deleted: { status: 'failed', endedAt: AT, endpointId: 'whe_1' },
  }
  for (const [id, fields] of Object.entries(others)) {
    await rows.event(`ev_${id}`)
    await rows.delivery(`whd_${id}`, `ev_${id}`, fields)
  }
})

const list = async (query = '', { client }: Merchant = api.merchant) =>
  (await client.get(`/webhooks/undelivered${query}`)).body
const idsOf = ({ webhooks }: { webhooks: { id: string }[] }) => webhooks.map(({ id }) => id.replace('whd_', ''))

test('what has not arrived is listed whatever its address, the newest first, with its last try', async () => {
  const body = await list('?expand=event')
  expect(idsOf(body)).toEqual(['retrying', 'swept', 'failed', 'deleted', 'again'])
  expect(body).toMatchObject({ total_count: 5, has_more: false })
  expect(body.webhooks[0]).toMatchObject({
    status: 'pending',
    attempt: 1,
    response_code: '503',
    release_at: LATER.toISOString(),
    endpoint_id: null,
    request_url: OWN,
    event: { name: 'transaction.captured' },
  })
})

test.each([
  ['?filter=status:failed', ['failed', 'deleted']],
  ['?filter=status:pending', ['retrying', 'swept', 'again']],
  ['?filter=status:delivered', []],
  [`?filter=created_at>=${LATER.toISOString()}`, ['retrying']],
  ['?limit=2', ['retrying', 'swept']],
  ['?limit=2&start_after=whd_swept', ['failed', 'deleted']],
  // What has arrived since the page before was read is a place in the list still.
  ['?start_after=whd_delivered', ['deleted', 'again']],
])('it is narrowed and paged by %s', async (query, ids) => {
  expect(idsOf(await list(query))).toEqual(ids)
})

test('another project and the other environment are shown their own alone', async () => {
  expect(idsOf(await list('', stranger))).toEqual(['stranger'])
  expect((await list('', api.live)).webhooks).toMatchObject([{ event_id: liveEvent }])
})
