import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient } from '../support/http-client.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { executeOn, readBooks } from '../support/payment-books.ts'
import { makeReceiver, type Receiver } from '../support/receiver.ts'
import { server } from '../support/servers.ts'
import { waitFor } from '../support/wait-for.ts'
import { credentialsIn, type Environment, type Launched, launch, run, whilePortsAreLost } from './launched.ts'
import { type LoadBalancer, startLoadBalancer } from './load-balancer.ts'

/** The load balancer notices within half a second, on a busy machine later. */
const SHUTDOWN_DELAY_SECONDS = '3'

/**
 * The gateway takes a moment, now and then seconds, so that a process is stopped in the middle of calls. The delays are
 * log-normal: with a p99 of 3 s, one call in 25,000 would take more than the 15 s after which its outcome is unknown, and
 * its payment pending, with nobody at fault. With 1.5 s it is one in 100 million.
 */
const DELAYS = { delay_p50_ms: '300', delay_p99_ms: '1500' }

const MERCHANTS = 4
/** Of each merchant; captured later, by which time the worker that authorized them may be gone. */
const OPEN_PAYMENTS = 4
/** Of each merchant; a restart is over long before. */
const PAYMENTS_MAX = 300
/** Of all merchants, before the first stop, between two, and after the last. */
const PAYMENTS_BETWEEN = MERCHANTS
const PAUSE_MS = 400

interface Part {
  url: string
  process: Launched
}

let folder: string
let database: TestDatabase
let receiver: Receiver
let environment: Environment
let loadBalancer: LoadBalancer
const launched = new Set<Launched>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-rolling-'))
  ;[database, receiver] = await Promise.all([makeDatabase(), makeReceiver()])
  environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: (await server('temporal')).address,
    // Workers of other tests serve the usual ones.
    TEMPORAL_NAMESPACE_LIVE: `${database.name}-live`,
    TEMPORAL_NAMESPACE_SANDBOX: `${database.name}-sandbox`,
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    SHUTDOWN_DELAY_SECONDS,
  }
  await run('src/keys.ts', [], environment)
  await run('src/migrate.ts', [], environment)
})
afterAll(async () => {
  await loadBalancer?.stop()
  for (const process of launched) process.kill('SIGTERM')
  for (const process of launched) await process.exited()
  await receiver?.stop()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(script: string): Promise<Part> {
  let port = 0
  const process = await whilePortsAreLost('"ready"', async () => {
    port = await freePort()
    return launch(script, { ...environment, PORT: String(port) })
  })
  launched.add(process)
  return { url: `http://127.0.0.1:${port}`, process }
}

async function stop({ process }: Part): Promise<void> {
  process.kill('SIGTERM')
  expect({ exitCode: await process.exited(), output: process.output() }).toMatchObject({ exitCode: 0 })
  launched.delete(process)
}

/** A project without limits, at a gateway with delays, that wants webhooks. */
async function makeProject(url: string): Promise<{ username: string; password: string }> {
  const printed = await run('src/admin.ts', ['projects', 'create', 'Corner shop'], environment)
  const { username, password } = credentialsIn(printed)
  const limits = ['primary', 'secondary', 'sandbox'].map((limit) => `${limit}=${LIMIT_MAX}`)
  await run('src/admin.ts', ['limits', 'set', username.replace(/^test-/, ''), ...limits], environment)
  const client = createHttpClient(url, { username, password })
  const { body } = await client.get('/gateway-configurations')
  const [{ id }] = body.gateway_configurations
  expect((await client.put(`/gateway-configurations/${id}`, { settings: DELAYS })).status).toBe(200)
  expect((await client.post('/webhook-endpoints', { url: receiver.url })).status).toBe(200)
  return { username, password }
}

/** Merchants who order and authorize without a pause, and capture some payments later. Nothing is sent twice. */
function startMerchants() {
  const load = { isOver: false, captured: [] as string[], failures: [] as string[] }

  async function ask(path: string, body: object) {
    const answer = await loadBalancer
      .next()
      .post(path, body)
      .catch((error: Error) => `${error.message} (${String((error.cause as Error | undefined)?.message)})`)
    if (typeof answer !== 'string' && answer.status === 200) return answer.body
    throw new Error(
      `${path}: ${typeof answer === 'string' ? answer : `${answer.status} ${JSON.stringify(answer.body)}`}`,
    )
  }

  async function authorize(): Promise<string> {
    const { invoice } = await ask('/invoices', { name: 'Coffee', amount: '4.50', currency: 'EUR' })
    const { card } = await ask('/cards', { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc2: '737' })
    const { transaction } = await ask(`/invoices/${invoice.id}/authorize`, { source: card.id })
    if (transaction.status !== 'authorized') throw new Error(`${invoice.id} is ${transaction.status}, not authorized`)
    return invoice.id
  }

  async function capture(invoiceId: string): Promise<void> {
    const sentAt = Date.now()
    const { transaction } = await ask(`/invoices/${invoiceId}/capture`, {})
    if (transaction.status !== 'completed') {
      throw new Error(`${invoiceId} is ${transaction.status} after ${Date.now() - sentAt} ms, not completed`)
    }
    load.captured.push(invoiceId)
  }

  /** What fails is written down, and the next payment is made all the same. */
  async function attempt<T>(step: () => Promise<T>): Promise<T | undefined> {
    try {
      return await step()
    } catch (error) {
      load.failures.push((error as Error).message)
      return undefined
    }
  }

  async function trade(): Promise<void> {
    const open: string[] = []
    for (let payments = 0; !load.isOver && payments < PAYMENTS_MAX; payments += 1) {
      const authorized = await attempt(authorize)
      if (authorized !== undefined) open.push(authorized)
      const oldest = open.length > OPEN_PAYMENTS ? open.shift() : undefined
      if (oldest !== undefined) await attempt(() => capture(oldest))
      await sleep(PAUSE_MS)
    }
    for (const invoiceId of open) await attempt(() => capture(invoiceId))
  }

  const all = Promise.all(Array.from({ length: MERCHANTS }, trade))
  return {
    /** Waits until some more payments are made, each of which was begun meanwhile or was open before. */
    async someMore(): Promise<void> {
      const before = load.captured.length + load.failures.length
      await waitFor(() => load.captured.length + load.failures.length >= before + PAYMENTS_BETWEEN)
    },
    async finish() {
      load.isOver = true
      await all
      return load
    },
  }
}

/** What does not agree in our books and those of the gateway, and what it was asked more than once. */
async function audit(invoiceIds: readonly string[]): Promise<string[]> {
  const { orm } = database
  const books = await readBooks({ orm, execute: await executeOn(orm) }, invoiceIds)
  return invoiceIds.flatMap((invoiceId) => {
    const found = books.get(invoiceId)
    if (found === undefined) return [`${invoiceId} has no transaction`]
    const again = found.requests.filter(({ timesAsked }) => timesAsked > 1)
    return [...auditPayment(found), ...again.map(({ reference }) => `${reference} was asked again`)].map(
      (finding) => `${invoiceId}: ${finding}`,
    )
  })
}

test('a rolling restart of two APIs and two workers under load fails no request, repeats no call to a gateway, and loses no webhook', async () => {
  const [first, ...others] = await Promise.all(
    ['src/api.ts', 'src/api.ts', 'src/worker.ts', 'src/worker.ts'].map(start),
  )
  if (first === undefined) throw new Error('Nothing was started.')
  loadBalancer = startLoadBalancer(await makeProject(first.url))
  const [second, ...workers] = others
  const apis = [first, second as Part]
  for (const { url } of apis) loadBalancer.add(url)

  const merchants = startMerchants()
  await merchants.someMore()
  for (const worker of workers) {
    await stop(worker)
    await merchants.someMore()
    await start('src/worker.ts')
    await merchants.someMore()
  }
  for (const api of apis) {
    await stop(api)
    loadBalancer.remove(api.url)
    await merchants.someMore()
    loadBalancer.add((await start('src/api.ts')).url)
    await merchants.someMore()
  }
  const { captured, failures } = await merchants.finish()

  expect(failures).toEqual([])
  expect(await audit(captured)).toEqual([])
  const events = await database.orm.em.fork().find(EventEntity, { name: 'transaction.captured' }, { fields: ['id'] })
  expect(events).toHaveLength(captured.length)
  const received = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).event_id))
  await waitFor(() => events.every(({ id }) => received().has(id)))
})
