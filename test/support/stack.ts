import type { Client } from '@temporalio/client'
import { readConfig } from '../../src/config.ts'
import { type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import { startWorkerPart } from '../../src/processes/worker-part.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import type { TaskQueues } from '../../src/temporal/task-queues.ts'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Vault } from '../../src/vault/vault.ts'
import { recordExchanges } from './canary/exchanges.ts'
import type { CapturedLog } from './captured-log.ts'
import { TEST_CARD } from './card-data.ts'
import type { AdjustableClock } from './clock.ts'
import { openTestCore, type TestCore, type TestCoreOptions } from './core.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { inspectTraces } from './inspect-traces.ts'
import { HIGH_LIMITS } from './limits.ts'
import { createMerchant, type Merchant } from './merchant.ts'
import { executeOn } from './payment-books.ts'
import { type HistoryJson, readHistory, skipAllWaiting, skipTime } from './temporal.ts'
import { waitFor } from './wait-for.ts'
import { testWorkflows } from './workflows.ts'

/** The simulator serves the sandbox only. */
const ENVIRONMENT = 'sandbox'

export interface StackOptions extends Pick<TestCoreOptions, 'metricsAt' | 'tracesTo' | 'waits' | 'sandboxHosts'> {
  /**
   * `together`: as `npm start`, API and worker in one process, so that payments start eagerly and answers never leave it.
   * `apart`: as `npm run api` and `npm run worker`, which have nothing in common, so that commands travel as updates.
   */
  mode: 'together' | 'apart'
  /** Whether payloads in Temporal are encrypted, as in production. */
  encrypts?: boolean
}

/** A whole Holdfast with one sandbox project, whose requests carry the project's secret key. */
export interface Stack extends HttpClient, Merchant {
  baseUrl: string
  project: { id: string; secretKey: string }
  database: TestDatabase
  /** Of the process with the workers; `together`, there is no other. */
  core: TestCore
  /** Of the sandbox namespace. */
  temporal: Client
  taskQueues: TaskQueues
  /** The wall clock of API and activities. Workflows live on the Temporal server's. */
  clock: AdjustableClock
  log: CapturedLog
  vault: Vault

  /** What the gateway was asked for on an invoice, from the gateway's own books, oldest first. */
  gatewayRequests(invoiceId: string): Promise<LoggedRequest[]>

  // The following take the id of an invoice, of an event, or of a workflow.
  history(id: string): Promise<HistoryJson | undefined>
  isClosed(id: string): Promise<boolean>
  /** Lets this one workflow live through a stretch of time at once; the wall clock stays where it is. */
  skipTime(id: string, milliseconds: number): Promise<void>
  /** Lets this one workflow wait for nothing any more. */
  skipAllWaiting(id: string): Promise<void>

  waitFor: typeof waitFor

  /**
   * Stops everything, then looks through everything that was left behind: histories, logs, rows and answers must hold no
   * card data and no secret, and every history must replay.
   *
   * @throws Error with what was found.
   */
  stop(): Promise<void>
}

/** Starts a whole service in this process, on a database and task queues of its own, listening on a free port. */
export async function makeStack({ mode, encrypts = false, ...given }: StackOptions): Promise<Stack> {
  const database = await makeDatabase(given.waits)
  const options = { encryptsPayloads: encrypts, ...given }
  const core = await openTestCore(database, options)
  const { clock, log, randomBytes, shutdown, vault, taskQueues } = core
  const apiCore = mode === 'together' ? core : await openTestCore(database, { ...options, shared: core })

  const cardNumbers = new Set<string>([TEST_CARD.number])
  const exchanges = recordExchanges()
  const temporal = core.temporal.clients[ENVIRONMENT]
  let findings: string[] = []
  // Added before API and workers, and so done after them, while the connections are still open.
  shutdown.add({
    name: 'The inspection',
    async stop() {
      const secrets = { numbers: [...cardNumbers], cvcs: [TEST_CARD.cvc], others: [secretKey] }
      findings = await inspectTraces({
        database,
        temporal,
        dataConverter: core.temporal.dataConverter,
        log,
        exchanges,
        secrets,
      })
    },
  })

  const config = { ...readConfig({}), host: '127.0.0.1', port: 0 }
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const shared = { allowPrivateWebhookTargets: true, shutdown }
  const traces = given.tracesTo !== undefined
  let publicUrl: string | null = null
  await startWorkerPart(core, {
    ...(encrypts || traces
      ? { workflowBundle: await bundleWorkflows({ encodesFailures: encrypts, traces }) }
      : await testWorkflows()),
    environments: [ENVIRONMENT],
    publicUrl: () => publicUrl,
    pendingAnswers,
    retention: config.retention,
    ...shared,
  })
  const baseUrl = await startApiPart(apiCore, {
    config,
    eager: mode === 'together',
    pendingAnswers: mode === 'together' ? pendingAnswers : createPendingAnswers(),
    ...shared,
  })
  publicUrl = baseUrl
  const { projectId, secretKey } = await createProject(database.orm.em.fork(), {
    name: 'Test',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: HIGH_LIMITS,
  })

  const http = createHttpClient(baseUrl, { username: `test-${projectId}`, password: secretKey }, exchanges.add)
  return {
    ...http,
    ...createMerchant(http, cardNumbers),
    baseUrl,
    project: { id: projectId, secretKey },
    database,
    core,
    temporal,
    taskQueues,
    clock,
    log,
    vault,
    gatewayRequests: async (invoiceId) =>
      (await readSimulatorLog(await executeOn(database.orm), { invoiceId })).requests,
    history: (id) => readHistory(temporal, workflowIdOf(id)),
    isClosed: async (id) => (await temporal.workflow.getHandle(workflowIdOf(id)).describe()).status.name !== 'RUNNING',
    skipTime: (id, milliseconds) => skipTime(temporal, workflowIdOf(id), milliseconds),
    skipAllWaiting: (id) => skipAllWaiting(temporal, workflowIdOf(id)),
    waitFor,
    async stop() {
      try {
        await shutdown.stop()
        if (findings.length > 0) throw new Error(`The stack has left behind:\n${findings.join('\n')}`)
      } finally {
        await database.drop({ isInspected: true })
      }
    },
  }
}

function workflowIdOf(id: string): string {
  if (id.startsWith('iv_')) return paymentWorkflowId(id)
  if (id.startsWith('ev_')) return webhookWorkflowId(id)
  return id
}
