import { beforeEach, describe, expect, test } from '@jest/globals'
import { Registry } from 'prom-client'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { createRequestMetrics } from '../../src/metrics/request-metrics.ts'
import { poolOf } from '../../src/persistence/statements.ts'
import { interfaceForFile } from '../http/interface.ts'
import { changeLimits, emptyBucket } from '../http/rate-limit-buckets.ts'
import { type CapturedLog, captureLog } from '../support/captured-log.ts'
import { TEST_CARD } from '../support/card-data.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { seedEvent } from '../webhooks/seed.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

const registry = new Registry()
const api = interfaceForFile({ measure: createRequestMetrics(registry) })

/** The lines of a metric, without its help. */
const linesOf = (text: string, name: string) => text.split('\n').filter((line) => line.startsWith(name))

describe('the metrics of requests', () => {
  const counts = async () => linesOf(await registry.metrics(), 'holdfast_http_request_duration_seconds_count')
  beforeEach(() => registry.resetMetrics())

  test('have the route and never the address, so that no id and no card number is in them', async () => {
    const { client, projectId, secretKey } = api.merchant
    await client.get('/invoices/iv_1')
    await client.get('/invoices/iv_2')
    await client.post('/cards', { number: TEST_CARD.number, exp_month: 12, exp_year: 2040 })
    await client.get(`/${TEST_CARD.number}?number=${TEST_CARD.number}`)
    expect((await counts()).toSorted()).toEqual([
      'holdfast_http_request_duration_seconds_count{route="/cards",method="POST",status="2xx"} 1',
      'holdfast_http_request_duration_seconds_count{route="/invoices/:id",method="GET",status="4xx"} 2',
      'holdfast_http_request_duration_seconds_count{route="none",method="GET",status="4xx"} 1',
    ])
    const text = await registry.metrics()
    for (const secret of [TEST_CARD.number, projectId, secretKey, 'iv_1']) expect(text).not.toContain(secret)
  })

  test('count what a limit has refused, by the limit', async () => {
    const merchant = await api.makeMerchant({ sandbox: true })
    await changeLimits(api, merchant.projectId, { sandbox: 2 })
    await emptyBucket(api, 'sandbox', merchant.projectId)
    expect((await merchant.client.get('/customers')).status).toBe(429)
    await api.merchant.client.get('/customers')
    expect(linesOf(await registry.metrics(), 'holdfast_http_requests_refused_total')).toEqual([
      'holdfast_http_requests_refused_total{limit="sandbox"} 1',
    ])
  })

  test('show nothing under way when everything is answered', async () => {
    await api.merchant.client.get('/invoices/iv_1')
    expect(await registry.metrics()).toContain('holdfast_http_requests_under_way 0')
  })
})

describe('the metrics of what waits', () => {
  let clock: AdjustableClock
  let log: CapturedLog
  const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds)
  const em = () => api.database.orm.em.fork()
  const start = () => createMetrics({ orm: api.database.orm, clock, logger: log.logger })
  const waitingIn = (text: string, environment = 'sandbox') =>
    Object.fromEntries(
      text
        .split('\n')
        .map((line) => /^holdfast_(\w+)\{environment="(\w+)"\} (\S+)$/.exec(line))
        .flatMap((match) => (match?.[2] === environment ? [[match[1], Number(match[3])]] : [])),
    )

  beforeEach(async () => {
    clock = fixedClock()
    log = captureLog()
    await em().execute('truncate delivery, event cascade')
    await em().execute(
      'update transaction set next_due_at = null, next_look_up_at = null, outcome_unknown_since = null, needs_attention = false',
    )
    await seedEvent(api.database.orm, ['https://shop.example/1', 'https://shop.example/2'])
    await em().execute('update delivery set queued_at = ?', [ago(0)])
  })

  /** Changes the payment that was seeded last, written long ago. */
  const change = (columns: string, values: unknown[]) =>
    em().execute(
      `update transaction set updated_at = ?, ${columns}
        where id = (select id from transaction order by created_at desc, id limit 1)`,
      [ago(60 * MINUTE), ...values],
    )

  test('are of the environment that it waits in', async () => {
    await change('outcome_unknown_since = ?', [ago(90 * SECOND)])
    const text = await (await start()).text()
    expect(waitingIn(text)).toMatchObject({
      payments_outcome_unknown: 1,
      payments_outcome_unknown_oldest_seconds: 90,
    })
    expect(new Set(Object.values(waitingIn(text, 'live')))).toEqual(new Set([0]))
  })

  test.each([
    ['an outcome of 59 minutes', 'outcome_unknown_since = ?', [new Date(Date.now() - 59 * MINUTE)], 0],
    ['an outcome of 61 minutes', 'outcome_unknown_since = ?', [new Date(Date.now() - 61 * MINUTE)], 1],
    ['what the record cannot hold', 'needs_attention = true', [], 1],
  ])('say of %s whether a person must look', async (_, columns, values, needing) => {
    await change(columns, values)
    expect(waitingIn(await (await start()).text()).payments_needing_attention).toBe(needing)
  })

  test('tell captures that are missed from look-ups, and neither from what is due later', async () => {
    await change('next_due_at = ?', [ago(10 * MINUTE)])
    expect(waitingIn(await (await start()).text())).toMatchObject({
      payments_overdue: 1,
      payments_overdue_oldest_seconds: 600,
      payments_look_up_overdue: 0,
    })
    await change('next_due_at = ?, next_look_up_at = ?', [ago(-10 * MINUTE), ago(3 * MINUTE)])
    expect(waitingIn(await (await start()).text())).toMatchObject({ payments_overdue: 0, payments_look_up_overdue: 1 })
    await change('next_look_up_at = ?', [ago(MINUTE)])
    expect(waitingIn(await (await start()).text())).toMatchObject({ payments_overdue: 0, payments_look_up_overdue: 0 })
  })

  test('tell webhooks that nobody has tried from those that are tried again', async () => {
    await em().execute("update delivery set queued_at = ? where target_url like '%1'", [ago(20 * SECOND)])
    await em().execute("update delivery set first_attempt_at = ?, release_at = ? where target_url like '%2'", [
      ago(MINUTE),
      ago(-MINUTE),
    ])
    const text = await (await start()).text()
    expect(waitingIn(text)).toMatchObject({
      webhooks_waiting: 1,
      webhooks_waiting_oldest_seconds: 20,
      webhooks_retrying: 1,
      webhooks_retrying_late_seconds: 0,
    })
  })

  test('are read every 15 s at most, however often they are asked for', async () => {
    const metrics = await start()
    await metrics.text()
    await change('needs_attention = true', [])
    clock.advance(14 * SECOND)
    const [once, twice] = await Promise.all([metrics.text(), metrics.text()])
    expect([once, twice].map((text) => waitingIn(text).payments_needing_attention)).toEqual([0, 0])
    clock.advance(SECOND)
    expect(waitingIn(await metrics.text()).payments_needing_attention).toBe(1)
  })

  test('do not keep the others back while the pool is used up, and say when they were read', async () => {
    const metrics = await start()
    await metrics.text()
    const pool = await poolOf(api.database.orm)
    const connections = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    clock.advance(MINUTE)
    const text = await metrics.text()
    for (const connection of connections) connection.release()
    expect(text).toContain(`holdfast_backlog_read_timestamp_seconds ${ago(MINUTE).getTime() / 1000}\n`)
    expect(text).toContain(`holdfast_database_connections{state="used"} ${pool.options.max}\n`)
    expect(text).toContain('holdfast_database_connections_wanted 1\n')
    await metrics.text()
  })

  test('leave the rest as it is where they cannot be read', async () => {
    const metrics = await createMetrics({ orm: api.database.orm, clock, logger: log.logger })
    await em().execute('alter table delivery rename to renamed')
    const text = await metrics.text()
    await em().execute('alter table renamed rename to delivery')
    expect(text).toContain('process_cpu_seconds_total')
    expect(log.text()).toContain('What waits in the database was not read for the metrics')
  })
})
