import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Client, Connection } from '@temporalio/client'
import { freePort } from '../../src/embedded/ports.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { server } from '../support/servers.ts'
import { startTraceReceiver, type TraceReceiver, wayTo } from '../support/trace-receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { credentialsIn, type Environment, type Launched, launch, run, whilePortsAreLost } from './launched.ts'

let folder: string
let database: TestDatabase
let environment: Environment
let traces: TraceReceiver
const launched: Launched[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-apart-'))
  database = await makeDatabase()
  traces = await startTraceReceiver()
  environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: (await server('temporal')).address,
    PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
  }
  await run('src/keys.ts', [], environment)
})
afterAll(async () => {
  for (const process of launched.splice(0)) {
    process.kill('SIGTERM')
    await process.exited()
  }
  await traces.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts a process of the service; gives the addresses of its interface, if it has one, and of its metrics. */
async function start(script: string): Promise<{ url: string; metricsUrl: string }> {
  let [port, metricsPort] = [0, 0]
  const process = await whilePortsAreLost('"ready"', async () => {
    ;[port, metricsPort] = [await freePort(), await freePort()]
    return launch(script, { ...environment, PORT: String(port), METRICS_PORT: String(metricsPort) })
  })
  launched.push(process)
  return { url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
}

describe('API and worker as processes apart', () => {
  test('say in one error what they are missing', async () => {
    const process = launch('src/worker.ts', { DATA_DIR: join(folder, 'nothing'), PORT: 'http' })
    expect(await process.exited()).toBe(1)
    const [reason, ...rest] = process
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reason).toMatchObject({ level: 'error', process: 'worker' })
    expect(reason.msg).toMatch(/^The environment has 4 wrong settings:.*npm run keys/s)
    expect(reason.msg).not.toMatch(/^ +at /m)
    expect(rest).toMatchObject([{ level: 'info', process: 'worker', msg: 'Stopped' }])
  })

  test('do not start with the keys of another database', async () => {
    await run('src/admin.ts', ['projects', 'create', 'First shop'], environment)
    const elsewhere = { ...environment, DATA_DIR: await mkdtemp(join(folder, 'elsewhere-')) }
    const process = launch('src/server.ts', { ...elsewhere, PORT: '0' })
    expect(await process.exited()).toBe(1)
    expect(process.output()).toContain('These are not the keys of this database: ')
    expect(process.output()).not.toMatch(/ready|^ +at /m)
  })

  test.each([
    [
      'src/worker.ts',
      'whose port is taken do not have their version become the current one',
      { WORKER_HEALTH_PORT: () => new URL(traces.url).port },
      { says: /set WORKER_HEALTH_PORT to a free port/, never: /current version/ },
    ],
    [
      'src/migrate.ts',
      'leave the database migrated where Temporal is away, and say so',
      { TEMPORAL_ADDRESS: () => '127.0.0.1:1' },
      {
        says: /up to date\n.*TEMPORAL_ADDRESS\.\nThe database is done: run npm run migrate again for Temporal\.\n$/,
        never: /^ +at /m,
      },
    ],
  ])('%s: %s', async (script, _, wrong, { says, never }) => {
    const changes = Object.entries(wrong).map(([name, value]) => [name, value()])
    const process = launch(script, { ...environment, ...Object.fromEntries(changes) })
    expect(await process.exited()).toBe(1)
    expect(process.output()).toMatch(says)
    expect(process.output()).not.toMatch(never)
  })

  test('answer for the health of a worker as soon as it starts, and call it ready once it has work', async () => {
    const port = await freePort()
    const worker = launch('src/worker.ts', { ...environment, WORKER_HEALTH_PORT: String(port) })
    launched.push(worker)
    const readiness = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null))?.status
    await waitFor(async () => (await readiness()) === 503)
    expect(worker.output()).not.toContain('"ready"')
    await waitFor(async () => (await readiness()) === 200)
    await worker.printed('current version')
    worker.kill('SIGTERM')
    expect(await worker.exited()).toBe(0)
  })

  test('take a payment over given servers, for a project that an operator made, and stop cleanly', async () => {
    expect(await run('src/migrate.ts', [], environment)).toContain('The database is up to date')
    const printed = await run('src/admin.ts', ['projects', 'create', 'Corner shop'], environment)
    const { username, password } = credentialsIn(printed)
    const [api, worker] = await Promise.all([start('src/api.ts'), start('src/worker.ts')])

    const client = createHttpClient(api.url, { username, password })
    expect((await client.get('/health/ready')).body).toMatchObject({ success: true, database: true, temporal: true })
    const card = await client.post('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040 })
    const invoice = await client.post('/invoices', { name: 'Coffee', amount: '4.50', currency: 'EUR' })
    const { id } = invoice.body.invoice
    const { status, body } = await client.post(`/invoices/${id}/authorize`, { source: card.body.card.id })
    expect({ status, transaction: body.transaction?.status }).toEqual({ status: 200, transaction: 'authorized' })
    await terminate(`payment-${id}`)
    await payWithoutAnAnswer(client)
    await expectMetrics(api, worker)

    for (const process of launched.splice(0)) {
      process.kill('SIGTERM')
      expect(await process.exited()).toBe(0)
    }
    // Each process sends what it still has before it ends.
    expect(wayTo(traces.spans(), 'RunActivity:authorize', 'POST /invoices/:id/authorize')).toEqual([
      'POST /invoices/:id/authorize',
      'UpdateWithStartWorkflow:authorize',
      'RunActivity:authorize',
    ])
  })
})

/** Both serve their metrics, with those of Temporal's SDK, on a port of their own. */
async function expectMetrics(api: { url: string; metricsUrl: string }, worker: { metricsUrl: string }): Promise<void> {
  const read = async (url: string) => (await fetch(url)).text()
  expect((await fetch(`${api.url}/metrics`)).status).toBe(404)
  const ofApi = await read(api.metricsUrl)
  expect(ofApi).toMatch(/^holdfast_http_request_duration_seconds_count\{route="\/invoices\/:id\/authorize".* 2$/m)
  expect(ofApi).toMatch(/^temporal_request_latency_seconds_count\{/m)
  const ofWorker = await read(worker.metricsUrl)
  const authorizations = 'holdfast_gateway_call_duration_seconds_count{gateway="simulator",operation="authorize"'
  expect(ofWorker).toContain(`${authorizations},outcome="approved"} 1`)
  expect(ofWorker).toContain(`${authorizations},outcome="unknown"} 1`)
  expect(ofWorker).toMatch(/^temporal_workflow_task_schedule_to_start_latency_seconds_count\{.*task_queue="payments"/m)
  expect(ofWorker).toMatch(/^temporal_num_pollers\{.*poller_type="workflow_task".*task_queue="payments"/m)
}

/** The gateway never says what became of it. */
async function payWithoutAnAnswer(client: HttpClient): Promise<void> {
  const card = await client.post('/cards', { number: '4000000000007023', exp_month: 12, exp_year: 2040 })
  const invoice = await client.post('/invoices', { name: 'Cake', amount: '3.50', currency: 'EUR' })
  const { id } = invoice.body.invoice
  const { body } = await client.post(`/invoices/${id}/authorize`, { source: card.body.card.id })
  expect(body).toMatchObject({ outcome: 'pending', transaction: { status: 'pending' } })
  await terminate(`payment-${id}`)
}

/** The run's Temporal server is shared; nobody would wait for this payment's seven days. */
async function terminate(workflowId: string): Promise<void> {
  const connection = await Connection.connect({ address: String(environment.TEMPORAL_ADDRESS) })
  await new Client({ connection, namespace: 'sandbox' }).workflow.getHandle(workflowId).terminate()
  await connection.close()
}
