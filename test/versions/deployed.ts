import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '@temporalio/client'
import { freePort } from '../../src/embedded/ports.ts'
import type { LoggedRequest } from '../../src/gateways/simulator/read-log.ts'
import { readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { execute } from '../../src/persistence/statements.ts'
import { connectTemporal as connect } from '../../src/temporal/connection.ts'
import { credentialsIn, type Environment, type Launched, launch, run } from '../journeys/launched.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { createHttpClient, type HttpClient } from '../support/http-client.ts'
import { PROJECT } from '../support/import-graph.ts'
import { createMerchant, type Merchant } from '../support/merchant.ts'
import { server } from '../support/servers.ts'
import { quietRuntime } from '../support/temporal.ts'

/** A service as an operator runs it: API and workers as processes of their own, of one tree of the code or another. */
export interface Deployed extends HttpClient, Merchant {
  database: TestDatabase
  /** Of the sandbox. */
  temporal: Client
  startApi(root?: string): Promise<Launched>
  startWorker(root?: string, environment?: Environment): Promise<Launched>
  /** Waits until it has ended. */
  end(process: Launched): Promise<void>
  /** `npm run admin`; gives what it has printed. */
  admin(...args: string[]): Promise<string>
  gatewayRequests(invoiceId: string): Promise<LoggedRequest[]>
  remove(): Promise<void>
}

/** On a database and in namespaces of its own, with one project. */
export async function makeDeployed(): Promise<Deployed> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-deployed-'))
  const database = await makeDatabase()
  const temporalAddress = (await server('temporal')).address
  const port = await freePort()
  const namespaces = { live: `live-${database.name}`, sandbox: `sandbox-${database.name}` }
  const environment = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE_LIVE: namespaces.live,
    TEMPORAL_NAMESPACE_SANDBOX: namespaces.sandbox,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    PAYLOAD_ENCRYPTION: 'off',
  }
  await run('src/keys.ts', [], environment)
  await run('src/migrate.ts', [], environment)
  const printed = await run('src/admin.ts', ['projects', 'create', 'Test shop'], environment)
  const { username, password } = credentialsIn(printed)
  const http = createHttpClient(environment.PUBLIC_URL, { username, password })
  quietRuntime()
  const temporal = await connect(temporalAddress, { tls: undefined, apiKey: undefined, namespaces })
  const launched = new Set<Launched>()

  async function start(script: string, root: string, more: Environment = {}): Promise<Launched> {
    const process = launch(script, { ...environment, ...more }, [], root)
    launched.add(process)
    await process.printed('"ready"')
    return process
  }
  async function end(process: Launched): Promise<void> {
    process.kill('SIGTERM')
    await process.exited()
    launched.delete(process)
  }
  return {
    ...http,
    ...createMerchant(http, new Set()),
    database,
    temporal: temporal.clients.sandbox,
    startApi: (root = PROJECT) => start('src/api.ts', root),
    startWorker: (root = PROJECT, more = {}) => start('src/worker.ts', root, more),
    end,
    admin: (...args) => run('src/admin.ts', args, environment),
    gatewayRequests: async (invoiceId) =>
      (await readSimulatorLog((sql, values) => execute(database.orm, sql, values), { invoiceId })).requests,
    async remove() {
      await Promise.all([...launched].map(end))
      await temporal.close()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
