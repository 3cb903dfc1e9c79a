import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { systemClock } from '../../src/clock.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { describeCard, describeIin } from '../../src/gateways/simulator/test-cards.ts'
import { createApp, routesOf } from '../../src/http/app.ts'
import type { AppDeps } from '../../src/http/dependencies.ts'
import { BufferedRequestLog } from '../../src/http/request-log/request-log.ts'
import { accessesOf, type EndpointAccess } from '../../src/http/route-access.ts'
import { createHttpServer } from '../../src/http/server/http-server.ts'
import { createLogger } from '../../src/logger.ts'
import { migrate } from '../../src/persistence/migrator.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { createVault } from '../../src/vault/vault.ts'
import { makeDataFolder } from '../stage/data-folder.ts'

/** The interface over a real PostgreSQL, in this process; no payment behind it answers. */
export interface Stage {
  baseUrl: string
  authorization: string
  endpoints: readonly EndpointAccess[]
  /** Writes what the request log has gathered, so that it is full for none of the requests. */
  flush(): Promise<void>
}

const noTemporal = async (): Promise<never> => {
  throw new Error('There is no Temporal behind this interface.')
}

/** @param log receives a line for the person at the terminal. */
export async function startStage(shutdown: Shutdown, log: (line: string) => void): Promise<Stage> {
  const folder = await makeDataFolder(shutdown)
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), signal: shutdown.signal, log })
  shutdown.add({ name: 'PostgreSQL', stop: () => postgres.stop(), kill: () => postgres.kill() })
  const orm = await createOrm({ databaseUrl: postgres.url })
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  await migrate(orm)
  const keyRing = () => ({ current: 'bench', keys: new Map([['bench', randomBytes(32)]]) })
  const vault = createVault({
    cardNumber: keyRing(),
    securityCode: keyRing(),
    payload: keyRing(),
    fingerprint: randomBytes(32),
    apiSecretHash: randomBytes(32),
    clientSecret: randomBytes(32),
  })
  // What the process does for a log line belongs to the request, so that lines are written, though nobody reads them.
  const destination = pino.destination({ dest: join(folder, 'log'), sync: false })
  const logger = createLogger({ level: 'info', process: 'bench', destination })
  const requestLog = new BufferedRequestLog({ orm, logger })
  const deps: AppDeps = {
    orm,
    payments: {
      send: async () => 'no-answer',
      workflowOf: (environment, invoiceId) => ({ namespace: environment, workflowId: invoiceId }),
    },
    resyncer: { resync: async () => {} },
    testClock: {
      within: noTemporal,
      settlePayment: noTemporal,
      webhookRun: noTemporal,
      requireAllowed: noTemporal,
      movePayment: noTemporal,
      moveWebhook: noTemporal,
    },
    announce: () => {},
    notificationCredentials: vault.decryptCredentials,
    vault,
    clock: systemClock,
    randomBytes,
    logger,
    requestLog,
    allowPrivateWebhookTargets: true,
    describeTestCard: describeCard,
    describeTestIin: describeIin,
    simulatedBank: { open: async () => ({ kind: 'unknown' }), answer: async () => ({ kind: 'unknown' }) },
    isReady: async () => ({ database: true, temporal: true }),
  }
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name: 'Bench',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: systemClock.now(),
    limits: { sandboxLimit: LIMIT_MAX },
  })
  const { server } = createHttpServer(createApp(deps).callback(), { randomBytes })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shutdown.add({
    name: 'The interface',
    stop: async () => {
      server.close()
      server.closeAllConnections()
    },
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorization: `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`,
    endpoints: accessesOf(routesOf(deps)),
    flush: () => requestLog.flush(),
  }
}

/** One object of each kind, so that an address finds something. */
export async function makeObjects({ baseUrl, authorization }: Stage) {
  const post = async (path: string, body: object): Promise<Record<string, { id: string }>> => {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const read = (await answer.json()) as Record<string, { id: string }>
    if (!answer.ok) throw new Error(`POST ${path} is answered ${answer.status}: ${JSON.stringify(read)}`)
    return read
  }
  const make = async (path: string, body: object, name: string): Promise<string> =>
    String((await post(path, body))[name]?.id)
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035 }
  const customer = await make('/customers', {}, 'customer')
  const ids: Readonly<Record<string, string>> = {
    cards: await make('/cards', card, 'card'),
    customers: customer,
    tokens: await make(`/customers/${customer}/tokens`, {}, 'token'),
    invoices: await make('/invoices', { name: 'Bench', amount: '29.00', currency: 'EUR' }, 'invoice'),
    'webhook-endpoints': await make('/webhook-endpoints', { url: 'http://127.0.0.1:9/' }, 'webhook_endpoint'),
    iins: '424242',
  }
  return {
    /** The address of a route, with the ids of objects that are there. */
    addressOf: (path: string) =>
      path
        .replaceAll(/\/([a-z-]+)\/:(?:id|token_id|iin)/g, (_, kind: string) => `/${kind}/${ids[kind] ?? 'none'}`)
        .replace(':name', path.includes('notifications') ? 'adyen' : 'simulator'),
  }
}
