import { chmod, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from '@jest/globals'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { type RunningTemporal, startTemporal } from '../../src/embedded/temporal-server.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import { startStripeStandIn } from '../../stand-ins/stripe/stripe.ts'
import { withLedger } from '../chaos/stand-in.ts'
import { startBackedUpPostgres } from '../support/backed-up-postgres.ts'
import { createHttpClient } from '../support/http-client.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { executeOn, readBooks } from '../support/payment-books.ts'
import { obtainCli } from '../support/processes/obtain-cli.ts'
import { serviceProgram } from '../support/processes/programs.ts'
import { runToEnd } from '../support/processes/service.ts'
import type { Instance } from '../support/processes/supervised.ts'
import { makeReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { credentialsIn } from './launched.ts'

const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2030', cvc2: '737', name: 'Ada Example' }
const SIGNAL = AbortSignal.timeout(600_000)

/** What is done when the test is over, the last one first. */
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

/** A whole service of processes, whose PostgreSQL is archived, with a shop at the stand-in of Stripe. */
async function openService() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-restore-'))
  // PostgreSQL may run as another user, who must be able to pass through.
  await chmod(folder, 0o711)
  endings.push(() => rm(folder, { recursive: true, force: true }))
  const [postgresPort = 0, temporalPort = 0, apiPort = 0, workerPort = 0] = await findPorts(4)
  const postgres = await startBackedUpPostgres(folder, postgresPort)
  endings.push(() => postgres.stop())
  const cliPath = await obtainCli(() => undefined, SIGNAL)
  const temporalFolder = join(folder, 'temporal')
  const startIt = () =>
    startTemporal({
      cliPath,
      folder: temporalFolder,
      port: temporalPort,
      namespaces: ENVIRONMENTS,
      log: () => undefined,
    })
  let temporal: RunningTemporal = await startIt()
  endings.push(() => temporal.stop())
  const stripe = await startStripeStandIn()
  endings.push(() => stripe.close())
  const receiver = await makeReceiver()
  endings.push(() => receiver.stop())

  const environment = { DATA_DIR: folder, SANDBOX_STRIPE_URL: stripe.url, TEMPORAL_ADDRESS: temporal.address }
  const command = (script: string, ...args: string[]) =>
    runToEnd(script, { ...environment, DATABASE_URL: postgres.url() }, SIGNAL, ...args)
  let processes: Instance[] = []
  const kill = async () => {
    await Promise.all(processes.map((one) => one.end()))
    processes = []
  }
  endings.push(kill)
  const startProcesses = async () => {
    const place = {
      databaseUrl: postgres.url(),
      temporalAddress: temporal.address,
      dataFolder: folder,
      logFolder: join(folder, 'logs'),
    }
    for (const [kind, port] of [
      ['worker', workerPort],
      ['api', apiPort],
    ] as const)
      processes.push(await serviceProgram(kind, kind, { ...place, port }, environment).start())
    await waitFor(async () => (await Promise.all(processes.map((one) => one.isReady()))).every(Boolean))
  }

  await command('src/keys.ts')
  await command('src/migrate.ts')
  await startProcesses()
  const { username, password } = credentialsIn(await command('src/admin.ts', 'projects', 'create', 'Shop'))
  const client = createHttpClient(`http://127.0.0.1:${apiPort}`, { username, password })
  const [simulator] = (await client.get('/gateway-configurations')).body.gateway_configurations
  await client.put(`/gateway-configurations/${simulator.id}`, { enabled: false })
  const account = { name: 'Stripe', ...stripe.model.account }
  const made = await client.post('/gateways/stripe/gateway-configurations', account)
  expect(made.status).toBe(200)
  await client.post('/webhook-endpoints', { url: receiver.url })
  return {
    postgres,
    stripe,
    receiver,
    client,
    command,
    kill,
    startProcesses,
    projectId: username.replace(/^test-/, ''),
    simulatorId: String(simulator.id),
    stripeId: String(made.body.gateway_configuration.id),
    /** Temporal's own backup: its database while it is stopped, with the log of its changes, which it may leave. */
    async copyTemporal() {
      await temporal.stop()
      await cp(temporalFolder, join(folder, 'temporal.backup'), { recursive: true })
      temporal = await startIt()
    },
    async restoreTemporal() {
      await temporal.kill()
      await rm(temporalFolder, { recursive: true })
      await cp(join(folder, 'temporal.backup'), temporalFolder, { recursive: true })
      temporal = await startIt()
    },
  }
}

type Service = Awaited<ReturnType<typeof openService>>
type Step = (post: (path: string, body?: object) => Promise<void>) => Promise<void>

/** What a merchant does with a payment that is authorized over 29 EUR. */
const LATER: Readonly<Record<string, Step>> = {
  nothing: async () => undefined,
  'captured whole': (post) => post('capture'),
  async 'captured in two parts'(post) {
    await post('capture', { capture_amount: '7.00', capture_type: 'non-final' })
    await post('capture', { capture_amount: '9.00' })
  },
  voided: (post) => post('void'),
  async 'raised, captured and refunded'(post) {
    await post('increment_authorization', { amount: '5.00' })
    await post('capture')
    await post('refunds', { amount: '3.00' })
  },
}

interface Order {
  invoiceId: string
  later: Step
}

const poster =
  ({ client }: Service, invoiceId: string) =>
  async (path: string, body: object = {}) => {
    const answer = await client.post(`/invoices/${invoiceId}/${path}`, body)
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }

async function authorize(service: Service, options: object = {}): Promise<string> {
  const { client } = service
  const invoice = { name: 'Order', amount: '29.00', currency: 'EUR', incremental: true }
  const invoiceId: string = (await client.post('/invoices', invoice)).body.invoice.id
  const source: string = (await client.post('/cards', CARD)).body.card.id
  await poster(service, invoiceId)('authorize', { source, incremental: true, ...options })
  return invoiceId
}

const authorizeAll = (service: Service): Promise<Order[]> =>
  Promise.all(Object.values(LATER).map(async (later) => ({ invoiceId: await authorize(service), later })))
const goOn = (service: Service, orders: readonly Order[]) =>
  Promise.all(orders.map(({ invoiceId, later }) => later(poster(service, invoiceId))))

/** Record, gateway and events of every payment that the gateway knows: what does not agree, in words. */
async function findFaults({ postgres }: Service, ledger: readonly Entry[]): Promise<string[]> {
  const orm = await openDatabase(postgres.url())
  try {
    const ids = [...new Set(ledger.map((entry) => String(entry.invoice_id)))]
    const books = await readBooks({ orm, execute: await executeOn(orm) }, ids)
    return ids.flatMap((id) => {
      const own = books.get(id)
      if (own === undefined) return [`${id} is not in the record`]
      return auditPayment(withLedger(own, ledger.map(named(own.operations)))).map((fault) => `${id}: ${fault}`)
    })
  } finally {
    await orm.close(true)
  }
}

/** Stripe tells of a cancellation without our reference, so that what was booked of it has another one. */
const named =
  (operations: readonly OperationRow[]) =>
  (entry: Entry): Entry => {
    if (entry.kind !== 'void' || operations.some(({ id }) => id === entry.reference)) return entry
    const booked = operations.find(
      ({ type, isAttempt, reason }) => type === 'void' && isAttempt && reason === 'recovered',
    )
    return { ...entry, reference: booked?.id ?? entry.reference }
  }

const recover = async ({ command, projectId }: Service, since: string, ...args: string[]): Promise<object[]> => {
  const at = new Date(since).toISOString()
  const printed = await command('src/admin.ts', 'books', 'recover', projectId, '--since', at, '--json', ...args)
  return printed
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

test.each(['later', 'earlier'] as const)(
  'a database that is set back to an instant, beside a Temporal of %s: what the gateway has is found, booked, and taken no second time',
  async (temporalIsOf) => {
    const service = await openService()
    const { postgres, stripe, receiver } = service
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
    const before = await authorizeAll(service)
    // By then the service is down.
    const overdue = await authorize(service, { auto_capture_at: inSeconds(40) })
    // Payments go on while the data is copied.
    const [during] = await Promise.all([authorizeAll(service), postgres.backUp()])
    if (temporalIsOf === 'earlier') await service.copyTemporal()
    const known = await authorizeAll(service)
    await goOn(service, during)
    const scheduled = await authorize(service, { auto_capture_at: inSeconds(4), capture_amount: '5.00' })
    const instant = await postgres.now()

    // From here on the record forgets everything.
    await goOn(service, [...before, ...known])
    await goOn(service, await authorizeAll(service))
    await waitFor(() => stripe.ledger.entries.some((one) => one.kind === 'capture' && one.invoice_id === scheduled))
    await service.kill()
    const done = [...stripe.ledger.entries]
    await postgres.restore(instant)
    if (temporalIsOf === 'earlier') await service.restoreTemporal()
    expect((await findFaults(service, done)).length).toBeGreaterThan(5)

    const shown = await recover(service, instant)
    expect(shown.length).toBeGreaterThan(10)
    const booked = await recover(service, instant, '--book', '--reason', 'drill')
    expect(booked.filter((one) => (one as { result: string }).result !== 'booked')).toEqual([])
    expect(booked).toHaveLength(shown.length)
    expect(await recover(service, instant, '--book', '--reason', 'drill')).toEqual([])
    expect(await findFaults(service, done)).toEqual([])
    expect(stripe.ledger.entries).toEqual(done)

    // Workers go on with the runs that Temporal has, do what is due, and send what was booked.
    const told = receiver.received.length
    await service.startProcesses()
    const capturesOf = (id: string) =>
      stripe.ledger.entries.filter(({ kind, invoice_id }) => kind === 'capture' && invoice_id === id)
    await waitFor(() => capturesOf(overdue).length > 0)
    // On a slow machine it was due before all was lost.
    const wasMade = done.some(({ kind, invoice_id }) => kind === 'capture' && invoice_id === overdue)
    await waitFor(() => receiver.received.length > told + booked.length)
    const lost = done.findLast(({ kind }) => kind === 'refund')?.invoice_id
    await poster(service, String(lost))('refunds', { amount: '1.00' })
    await sleep(1_000)
    expect(stripe.ledger.entries).toHaveLength(done.length + (wasMade ? 1 : 2))
    expect(await findFaults(service, stripe.ledger.entries)).toEqual([])
  },
)
