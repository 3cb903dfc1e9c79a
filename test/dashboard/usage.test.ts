import { describe, expect, test } from '@jest/globals'
import { gatewaysAnswer, rateLimitsAnswer, statisticsAnswer } from '../../src/dashboard/contract.ts'
import { interfaceForFile } from '../http/interface.ts'
import { rowWriter } from '../http/row-writer.ts'
import { forFile } from '../support/for-file.ts'
import { signedInAs } from './browser.ts'
import { countAllOperations } from './count-operations.ts'

const api = interfaceForFile()
const person = forFile(async () => signedInAs(api, 'support'))

describe('statistics', () => {
  const get = async (query: string) => person.get(`/dashboard/statistics${query}`)

  test('of a project without payments are empty', async () => {
    const { statistics } = statisticsAnswer.parse((await get('')).body)
    expect(statistics).toMatchObject({ currencies: [], currency: null, declines: [] })
    expect([statistics.days.length, statistics.days.at(-1)]).toEqual([30, '2026-11-21'])
    expect(statistics.captured_amount).toEqual(Array(30).fill('0'))
  })

  test('have an entry for each day, of the most used currency or the one asked for', async () => {
    const rows = await rowWriter(api, api.merchant)
    await rows.invoice('iv_1')
    await rows.transaction('tr_1', 'iv_1')
    let made = 0
    const result = (fields: object, createdAt: string) => {
      made += 1
      const { gatewayConfigurationId } = rows
      const base = { isAttempt: false, outcome: 'succeeded', gatewayConfigurationId, createdAt: new Date(createdAt) }
      return rows.operation(`tr_op_${made}`, 'tr_1', { ...base, ...fields })
    }
    await result({}, '2026-11-18T10:00:00Z')
    await result({}, '2026-11-20T10:00:00Z')
    await result({ type: 'capture', amountMinor: 1999 }, '2026-11-20T10:00:00Z')
    await result({ type: 'refund', amountMinor: 1 }, '2026-11-20T10:00:00Z')
    // A capture and a refund of the week before that have failed after all.
    const failedLater = { outcome: 'failed', reason: 'failed_later' }
    await result({ type: 'capture', amountMinor: 500, ...failedLater }, '2026-11-19T10:00:00Z')
    await result({ type: 'refund', amountMinor: 20, ...failedLater }, '2026-11-18T10:00:00Z')
    // A dispute that is told twice, and won in part: another one of 4.00 stays.
    for (const disputedMinor of [1000, 0, 400, -1000])
      await result({ type: 'chargeback', disputedMinor }, '2026-11-20T11:00:00Z')
    for (const errorCode of ['card.expired', 'card.expired', 'card.expired', 'made.up'])
      await result({ outcome: 'failed', errorCode }, '2026-11-19T10:00:00Z')
    await result({ currency: 'JPY', amountMinor: 7 }, '2026-11-19T10:00:00Z')
    await countAllOperations(api.database)

    const { statistics } = statisticsAnswer.parse((await get('?from=2026-11-18&to=2026-11-20')).body)
    expect(statistics).toEqual({
      currencies: ['EUR', 'JPY'],
      currency: 'EUR',
      days: ['2026-11-18', '2026-11-19', '2026-11-20'],
      approved: [1, 0, 1],
      declined: [0, 4, 0],
      authorized_amount: ['29.00', '0.00', '29.00'],
      captured_amount: ['0.00', '-5.00', '19.99'],
      refunded_amount: ['-0.20', '0.00', '0.01'],
      disputed_amount: ['0.00', '0.00', '14.00'],
      recovered_amount: ['0.00', '0.00', '10.00'],
      declines: [
        { error_code: 'card.expired', message: 'The card has expired.', counts: [0, 3, 0] },
        { error_code: 'made.up', message: expect.stringMatching(/unknown code/), counts: [0, 1, 0] },
      ],
      counted_to: expect.any(String),
    })
    const yen = statisticsAnswer.parse((await get('?from=2026-11-18&to=2026-11-20&currency=jpy')).body)
    expect(yen.statistics).toMatchObject({ currency: 'JPY', approved: [0, 1, 0], authorized_amount: ['0', '7', '0'] })
    const elsewhere = await get('?from=2026-11-18&to=2026-11-20&gateway_configuration_id=gway_conf_none')
    expect(statisticsAnswer.parse(elsewhere.body).statistics.currencies).toEqual([])
  })
})

describe('rate limits', () => {
  test('have what is left now and what was used in each minute, without what people of the dashboard use', async () => {
    const merchant = await api.makeMerchant({ sandbox: true })
    const owner = await signedInAs(api, 'owner', merchant.projectId)
    const setLimit = (limit: number) =>
      api.database.orm.em
        .fork()
        .execute('update project set sandbox_limit = ? where id = ?', [limit, merchant.projectId])
    await setLimit(3)
    for (let calls = 0; calls < 5; calls += 1) await merchant.client.get('/invoices')
    await owner.post('/invoices')
    await api.flushRequestLog()
    const kinds = 'select distinct kind from limit_minute where project_id = ?'
    expect(await api.database.orm.em.fork().execute(kinds, [merchant.projectId])).toEqual([{ kind: 'sandbox' }])
    api.clock.advance(60_000)
    await merchant.client.get('/invoices')
    await api.flushRequestLog()

    const { steps, limits } = rateLimitsAnswer.parse((await owner.get('/dashboard/rate-limits')).body)
    expect([steps.length, steps.at(-1)]).toEqual([60, '2026-11-21T09:01:00.000Z'])
    expect(limits.map(({ kind }) => kind)).toEqual(['sandbox', 'client_address', 'client_invoice'])
    expect(limits[0]).toEqual({
      kind: 'sandbox',
      limit: 3,
      remaining: 0,
      requests: [...Array(58).fill(0), 5, 1],
      refused: [...Array(58).fill(0), 2, 1],
      lowest_remaining: [...Array(58).fill(3), 0, 0],
    })
    const last = rateLimitsAnswer.parse((await owner.get('/dashboard/rate-limits?minutes=1')).body)
    expect([last.steps, last.limits[0]?.requests]).toEqual([['2026-11-21T09:01:00.000Z'], [1]])
    owner.project = merchant.projectId
    const live = rateLimitsAnswer.parse((await owner.get('/dashboard/rate-limits')).body)
    expect(live.limits.map(({ kind }) => kind)).toEqual(['primary', 'secondary', 'client_address', 'client_invoice'])
    expect(live.limits.flatMap(({ requests, refused }) => [...requests, ...refused]).every((one) => one === 0)).toBe(
      true,
    )
    expect(live.limits[0]?.remaining).toBe(live.limits[0]?.limit)
  })

  test('of a day come in 120 steps of 12 minutes, in which requests are added up and the least that was left counts', async () => {
    const merchant = await api.makeMerchant({ sandbox: true })
    const owner = await signedInAs(api, 'owner', merchant.projectId)
    const now = api.clock.now().getTime()
    const present = Math.floor(now / 60_000) * 60_000
    const used: readonly (readonly [minutesAgo: number, requests: number, refused: number, left: number])[] = [
      [1440, 100, 100, 0],
      [1439, 7, 0, 50],
      [12, 5, 1, 30],
      [11, 2, 0, 40],
      [3, 3, 2, 20],
      [0, 4, 0, 60],
    ]
    for (const [minutesAgo, requests, refused, left] of used)
      await api.database.orm.em.fork().execute(
        `insert into limit_minute (project_id, sandbox, kind, minute, requests, refused, lowest_remaining)
         values (?, true, 'sandbox', ?, ?, ?, ?)`,
        [merchant.projectId, new Date(present - minutesAgo * 60_000), requests, refused, left],
      )
    const day = rateLimitsAnswer.parse((await owner.get('/dashboard/rate-limits?minutes=1440')).body)
    const [sandbox] = day.limits
    const none = Array(117).fill(0)
    expect([day.steps.length, day.steps[0]]).toEqual([120, new Date(present - 1439 * 60_000).toISOString()])
    expect(sandbox?.requests).toEqual([7, ...none, 5, 9])
    expect(sandbox?.refused).toEqual([0, ...none, 1, 2])
    expect([sandbox?.lowest_remaining[0], ...(sandbox?.lowest_remaining.slice(-3) ?? [])]).toEqual([
      50,
      sandbox?.limit,
      30,
      20,
    ])
  })
})

test('gateways are named, the simulator in the sandbox only', async () => {
  const names = async () =>
    gatewaysAnswer.parse((await person.get('/dashboard/gateways')).body).gateways.map(({ name }) => name)
  expect(await names()).toEqual(['simulator', 'stripe', 'adyen'])
  const owner = await signedInAs(api, 'owner')
  owner.project = api.merchant.projectId
  const { gateways } = gatewaysAnswer.parse((await owner.get('/dashboard/gateways')).body)
  expect(gateways.map(({ name }) => name)).toEqual(['stripe', 'adyen'])
})
