import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { freePort } from '../../src/embedded/ports.ts'
import { createShutdown } from '../../src/shutdown.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import type { Asked, Moves, Order } from '../chaos/books.ts'
import { type Receivers, startReceivers } from '../chaos/receivers.ts'
import { openShops, type Shop } from '../chaos/shops.ts'
import { type StandIn, startStandIns } from '../chaos/stand-in.ts'
import { runStories, type Stories } from '../chaos/stories.ts'
import { judge } from '../chaos/verdict.ts'
import { type Environment, type Launched, launch, run, whilePortsAreLost } from '../journeys/launched.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import type { HttpClient } from '../support/http-client.ts'
import { PROJECT } from '../support/import-graph.ts'
import { server } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import type { CodeTree } from './code-trees.ts'
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts'
import { plantNext } from './next-release.ts'

/** The load balancer notices within half a second, on a busy machine later. */
const SHUTDOWN_DELAY_SECONDS = '3'
/** Stories a second, as long as so few are under way that a busy machine with processes of two versions goes on with them. */
const RATE = 0.5
const AT_ONCE_MAX = 5

/**
 * The simulator takes a moment, so that a process is stopped in the middle of calls. The delays are log-normal: one call in
 * 100 million takes more than the 15 s after which its outcome is unknown.
 */
const DELAYS = { delay_p50_ms: '300', delay_p99_ms: '1500' }

/** Of all merchants, before a process is stopped and after. */
const REQUESTS_BETWEEN = 6
const SEED = 1
/** After a way back, what is due without a command comes up to three minutes late, a webhook five. */
const PATIENCE_S = 360

type Kind = 'api' | 'worker'
type Version = 'this' | 'next'

/** Up with the API first, back with the worker first; up again, and back with the API first. */
const STEPS: readonly (readonly [Kind, Version])[] = [
  ['api', 'next'],
  ['worker', 'next'],
  ['worker', 'this'],
  ['worker', 'next'],
  ['api', 'this'],
  ['worker', 'this'],
]

interface Part {
  kind: Kind
  url: string
  process: Launched
}

const cleanUp = createShutdown(() => undefined, [])
let folder: string
let database: TestDatabase
let environment: Environment
let loadBalancer: LoadBalancer
let standIns: StandIn[]
let receivers: Receivers
let shops: Shop[]
let stories: Stories
let next: CodeTree
/** Of the first shop, whose payments the simulator takes. */
const merchant = () => shops[0]?.clients[0] as HttpClient
const parts = new Set<Part>()
/** Payments that are gone on with under each version that comes after the one that has begun them. */
const lasting: Order[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-upgrade-'))
  ;[database, loadBalancer, standIns] = await Promise.all([makeDatabase(), startLoadBalancer(), startStandIns()])
  receivers = await startReceivers({ seed: SEED, trouble: 5 }, cleanUp, async (address) => address)
  next = await plantNext(database.orm)
  environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: (await server('temporal')).address,
    // Workers of other tests serve the usual ones.
    TEMPORAL_NAMESPACE_LIVE: `${database.name}-live`,
    TEMPORAL_NAMESPACE_SANDBOX: `${database.name}-sandbox`,
    PUBLIC_URL: loadBalancer.url,
    ...Object.fromEntries(standIns.map(({ setting, url }) => [setting, url])),
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    SHUTDOWN_DELAY_SECONDS,
  }
  await run('src/keys.ts', [], environment)
  await run('src/migrate.ts', [], environment)
  for (const kind of ['worker', 'api'] as const) await start(kind, PROJECT)
  const command = (script: string, ...args: string[]) => run(script, args, environment)
  const service = { command, databaseUrl: ownerUrl }
  shops = await openShops(service, [loadBalancer.url], receivers, standIns)
  for (const { clients } of shops.filter(({ gateway }) => gateway === 'simulator'))
    await slowDown(clients[0] as HttpClient)
  stories = runStories({
    ...{ seed: SEED, rate: RATE, atOnceMax: AT_ONCE_MAX, name: 'Order', shops, receivers, signal: cleanUp.signal },
    operate: command,
  })
})
afterAll(async () => {
  await stories?.finish()
  await Promise.all([...parts].map(stop))
  cleanUp.request('', 0)
  await cleanUp.finished()
  await Promise.all([loadBalancer?.stop(), ...(standIns ?? []).map(({ close }) => close()), database?.drop()])
  next?.remove()
  await rm(folder, { recursive: true, force: true })
})

async function slowDown(client: HttpClient): Promise<void> {
  const [{ id }] = (await client.get('/gateway-configurations')).body.gateway_configurations
  expect((await client.put(`/gateway-configurations/${id}`, { settings: DELAYS })).status).toBe(200)
}

function ownerUrl(): string {
  return String(database.orm.config.get('clientUrl'))
}

/** A command of the code in this folder. Gives its exit code with what it has printed. */
async function operate(root: string, script: string, args: string[] = [], more: Environment = {}) {
  const running = launch(script, { ...environment, ...more }, args, root)
  return { exit: await running.exited(), output: running.output() }
}

async function start(kind: Kind, root: string): Promise<void> {
  let port = 0
  const process = await whilePortsAreLost('"ready"', async () => {
    port = await freePort()
    const variable = kind === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT'
    return launch(`src/${kind}.ts`, { ...environment, [variable]: String(port) }, [], root)
  })
  const url = `http://127.0.0.1:${port}`
  parts.add({ kind, url, process })
  if (kind === 'api') await loadBalancer.add(url)
}

/** As whoever runs the load balancer does it, too: a target is taken away when its process is gone. */
async function stop(part: Part): Promise<void> {
  const { url, process } = part
  process.kill('SIGTERM')
  const exit = await process.exited()
  loadBalancer.remove(url)
  parts.delete(part)
  expect({ exit, output: process.output() }).toEqual({ exit: 0, output: expect.any(String) })
}

/** Replaces the process of a kind, which ends when its successor is ready. */
async function replace(kind: Kind, root: string): Promise<void> {
  const before = [...parts].filter((part) => part.kind === kind)
  await start(kind, root)
  // Workers of a version that has had the work, and no longer has, wait until somebody says so.
  if (kind === 'worker')
    expect(await operate(root, 'src/admin.ts', ['workers', 'set-current'])).toMatchObject({ exit: 0 })
  await someMore()
  await Promise.all(before.map(stop))
  await someMore()
  await goOnWithAll()
}

async function someMore(): Promise<void> {
  const before = stories.requests.sent
  await waitFor(() => stories.requests.sent >= before + REQUESTS_BETWEEN)
}

/** Captures a little of every lasting payment, and begins another one. */
async function goOnWithAll(): Promise<void> {
  const little = { capture_amount: '1.00', capture_type: 'non-final' }
  await Promise.all(lasting.map((order) => ask(order, { captured: 100 }, 'capture', little)))
  const made = await merchant().post('/invoices', { name: 'Lasting', amount: '20.00', currency: 'EUR' })
  const card = await merchant().post('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040 })
  const order: Order = { invoiceId: made.body.invoice.id, story: 'lasting', asked: [] }
  lasting.push(order)
  await ask(order, { authorized: 2_000 }, 'authorize', { source: card.body.card.id })
}

async function ask({ invoiceId, asked }: Order, moves: Moves, call: string, body: object): Promise<void> {
  const one: Asked = { moves, told: 'unknown' }
  asked.push(one)
  const answer = await merchant().post(`/invoices/${invoiceId}/${call}`, body)
  if (answer.body.outcome === 'success') one.told = 'done'
}

/** Of the runs that did not replay, the histories: they have failed, or the next command has ended them. */
async function readFailedRuns(): Promise<string[]> {
  const namespaces = { live: `${database.name}-live`, sandbox: `${database.name}-sandbox` }
  const temporal = await connectTemporal((await server('temporal')).address, {
    tls: undefined,
    apiKey: undefined,
    namespaces,
  })
  const histories: string[] = []
  const { workflow } = temporal.clients.sandbox
  for await (const { workflowId, runId } of workflow.list({ query: 'ExecutionStatus IN ("Failed", "Terminated")' }))
    histories.push(JSON.stringify(await workflow.getHandle(workflowId, runId).fetchHistory()))
  await temporal.close()
  return histories.filter((history) => /workflowExecutionFailedEventAttributes|took no command/.test(history))
}

/** A declined payment is answered 410. */
const FINE: readonly unknown[] = [200, 302, 303, 410]

test('an upgrade and the way back, with either part first, under load, fail no request and lose no payment and no webhook', async () => {
  await goOnWithAll()
  expect(await operate(next.root, 'src/api.ts', [], { PORT: '0' })).toEqual({
    exit: 1,
    output: expect.stringContaining('run npm run migrate first'),
  })
  expect(await operate(next.root, 'src/migrate.ts', [], { DATABASE_URL: ownerUrl() })).toMatchObject({ exit: 0 })
  await goOnWithAll()
  for (const [kind, version] of STEPS) await replace(kind, version === 'next' ? next.root : PROJECT)
  await stories.finish()

  const stopService = async () => void (await Promise.all([...parts].map(stop)))
  const { faults } = await judge({
    ...{ databaseUrl: ownerUrl(), shops, receivers, standIns, stories, otherOrders: lasting, patience: PATIENCE_S },
    ...{ stopService, signal: cleanUp.signal, step: () => undefined },
  })
  const failed = loadBalancer.passed.filter(({ end }) => !FINE.includes(end))
  expect({ failed, faults }).toEqual({ failed: [], faults: [] })
  const histories = await readFailedRuns()
  expect(histories.length).toBeGreaterThan(0)
  // Each has the step of the later version: that has begun it, and is taken back.
  expect(histories.filter((history) => !history.includes('core_patch'))).toEqual([])
})
