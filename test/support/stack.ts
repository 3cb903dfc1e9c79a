import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Client } from '@temporalio/client'
import type { PendingAnswers } from '../../activities/dependencies.ts'
import { createPaymentActivities } from '../../activities/index.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import { createGatewayRegistry } from '../../src/gateways/registry.ts'
import { createSimulator } from '../../src/gateways/simulator/adapter.ts'
import { createSimulatedBank } from '../../src/gateways/simulator/bank.ts'
import { postDueNotifications } from '../../src/gateways/simulator/notification-dispatcher.ts'
import { type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { describeCard, describeIin } from '../../src/gateways/simulator/test-cards.ts'
import { createApp } from '../../src/http/app.ts'
import { BufferedRequestLog } from '../../src/http/request-log/request-log.ts'
import { createHttpServer } from '../../src/http/server/http-server.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { AnswerRows } from '../../src/persistence/queries/payments/find-payment.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { createRuleBook } from '../../src/routing/rule-book.ts'
import { createPost, notificationCredentials } from '../../src/sweeps/simulator-notifications.ts'
import { createPaymentClient, createPaymentResyncer } from '../../src/temporal/client.ts'
import type { TemporalConnection } from '../../src/temporal/connection.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import type { TaskQueues } from '../../src/temporal/task-queues.ts'
import { createTaskSlots } from '../../src/temporal/task-slots.ts'
import { createTestClock } from '../../src/temporal/test-clock.ts'
import { createAnnouncer, createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { createWorkers } from '../../src/temporal/workers.ts'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import { paymentWorkflowId, webhookWorkflowId } from '../../src/temporal/workflow-ids.ts'
import type { Tracing } from '../../src/tracing/tracing.ts'
import { createVault, type Vault } from '../../src/vault/vault.ts'
import { PRODUCTION_WAITS } from '../../src/waits.ts'
import { createWebhookLimits } from '../../src/webhooks/concurrency-limit.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import { recordExchanges } from './canary/exchanges.ts'
import { type CapturedLog, captureLog } from './captured-log.ts'
import { TEST_CARD } from './card-data.ts'
import { type AdjustableClock, runningClock } from './clock.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { createHttpClient, type HttpClient } from './http-client.ts'
import { inspectTraces } from './inspect-traces.ts'
import { TEST_KEYS } from './keys.ts'
import { HIGH_LIMITS } from './limits.ts'
import { createMerchant, type Merchant } from './merchant.ts'
import { executeOn } from './payment-books.ts'
import { seededRandomBytes } from './random.ts'
import { server } from './servers.ts'
import { connectTemporal, type HistoryJson, readHistory, skipAllWaiting, skipTime } from './temporal.ts'
import { waitFor } from './wait-for.ts'

/** The simulator serves the sandbox only, and no other gateway is installed. */
const ENVIRONMENT = 'sandbox'

export interface StackOptions {
  /**
   * `together`: API and worker share one process, so that payments start eagerly and answers never leave it.
   * `apart`: each has connections of its own and nothing in common, so that commands travel as updates.
   */
  mode: 'together' | 'apart'
  /** Whether payloads in Temporal are encrypted, as in production. */
  encrypts?: boolean
  /** Makes traces of its requests, workflows and activities. */
  tracing?: Tracing
}

/** A whole Holdfast with one sandbox project, whose requests carry the project's secret key. */
export interface Stack extends HttpClient, Merchant {
  baseUrl: string
  project: { id: string; secretKey: string }
  database: TestDatabase
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

interface World {
  database: TestDatabase
  taskQueues: TaskQueues
  clock: AdjustableClock
  randomBytes: ReturnType<typeof seededRandomBytes>
  vault: Vault
  logger: CapturedLog['logger']
  /** Of the API, once it listens. */
  publicUrl: string | null
  tracing: Tracing | undefined
}

/** What a process of the service has for itself. */
interface ProcessParts {
  orm: Orm
  temporal: TemporalConnection
  pendingAnswers: PendingAnswers<AnswerRows>
}

/** Starts a whole service in this process, on a database and task queues of its own, listening on a free port. */
export async function makeStack({ mode, encrypts = false, tracing }: StackOptions): Promise<Stack> {
  const database = await makeDatabase()
  const log = captureLog()
  const vault = createVault(TEST_KEYS)
  const clock = runningClock()
  const randomBytes = seededRandomBytes(database.name)
  const taskQueues = { payments: `payments-${database.name}`, webhooks: `webhooks-${database.name}` }
  const world: World = { database, taskQueues, clock, randomBytes, vault, logger: log.logger, publicUrl: null, tracing }

  const payloads = encrypts ? { keys: TEST_KEYS, encrypts } : undefined
  const workerParts: ProcessParts = {
    orm: database.orm,
    temporal: await connectTemporal(payloads, tracing?.client),
    pendingAnswers: createPendingAnswers(),
  }
  const apiParts: ProcessParts =
    mode === 'together'
      ? workerParts
      : {
          orm: await createOrm({ databaseUrl: database.url, poolMax: 8 }),
          temporal: await connectTemporal(payloads, tracing?.client),
          pendingAnswers: createPendingAnswers(),
        }
  const workers = await startWorkers(world, workerParts)
  const api = await startApi(world, apiParts, mode === 'together')
  world.publicUrl = api.baseUrl
  const { projectId, secretKey } = await createProject(database.orm.em.fork(), {
    name: 'Test',
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: HIGH_LIMITS,
  })

  const cardNumbers = new Set<string>([TEST_CARD.number])
  const exchanges = recordExchanges()
  const http = createHttpClient(api.baseUrl, { username: `test-${projectId}`, password: secretKey }, exchanges.add)
  const temporal = workerParts.temporal.clients[ENVIRONMENT]
  return {
    ...http,
    ...createMerchant(http, cardNumbers),
    baseUrl: api.baseUrl,
    project: { id: projectId, secretKey },
    database,
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
      await api.close()
      await workers.stop()
      const secrets = { numbers: [...cardNumbers], cvcs: [TEST_CARD.cvc], others: [secretKey] }
      const { dataConverter } = workerParts.temporal
      try {
        const findings = await inspectTraces({ database, temporal, dataConverter, log, exchanges, secrets })
        if (findings.length > 0) throw new Error(`The stack has left behind:\n${findings.join('\n')}`)
      } finally {
        if (apiParts !== workerParts) {
          await apiParts.temporal.close()
          await apiParts.orm.close(true)
        }
        await workerParts.temporal.close()
        await database.drop({ isInspected: true })
      }
    },
  }
}

async function startWorkers(world: World, { orm, temporal, pendingAnswers }: ProcessParts) {
  const { clock, randomBytes, vault, logger, taskQueues, tracing } = world
  const webhookStarter = createWebhookStarter({ temporal: temporal.clients, taskQueues, eager: true })
  const simulator = createSimulator({ execute: await executeOn(orm), clock })
  const workers = await createWorkers({
    connection: temporal.connection,
    namespaces: [ENVIRONMENT],
    taskQueues,
    workflowBundle:
      temporal.dataConverter === undefined && tracing === undefined
        ? await server('workflowBundle')
        : await bundleWorkflows({
            encodesFailures: temporal.dataConverter !== undefined,
            traces: tracing !== undefined,
          }),
    dataConverter: temporal.dataConverter,
    activityInterceptors: tracing?.activities,
    taskSlots: createTaskSlots(),
    activities: {
      payments: createPaymentActivities({
        orm,
        gateways: createGatewayRegistry([simulator]),
        ruleBook: createRuleBook(),
        vault,
        pendingAnswers,
        webhookStarter,
        logger,
        clock,
        randomBytes,
        publicUrl: () => world.publicUrl,
      }),
      webhooks: createWebhookActivities({
        orm,
        webhookSender: createWebhookSender({ allowPrivateTargets: true }),
        webhookStarter,
        limits: createWebhookLimits(),
        vault,
        clock,
        randomBytes,
      }),
    },
  })
  const done = workers.run()
  // Awaited when the stack stops; a failure before that must not end the process.
  done.catch(() => {})
  return {
    async stop() {
      workers.shutdown()
      await done
    },
  }
}

/** Signs the notifications of accounts that have no key of their own. */
const SIMULATOR_KEY = 'a key that only this process has'

/** Posts the notifications of the simulator to the interface, as the process of the interface does, only sooner. */
async function startDispatcher({ clock, vault }: World, orm: Orm, url: string) {
  const post = createPost({ orm, vault, url, simulatorKey: SIMULATOR_KEY })
  const execute = await executeOn(orm)
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => postDueNotifications({ execute, clock, post })).catch(() => {})
  }, 100)
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function startApi(world: World, { orm, temporal, pendingAnswers }: ProcessParts, eager: boolean) {
  const { clock, randomBytes, vault, logger, taskQueues } = world
  const requestLog = new BufferedRequestLog({ orm, logger })
  requestLog.start()
  const webhookStarter = createWebhookStarter({ temporal: temporal.clients, taskQueues, eager })
  const app = createApp({
    orm,
    announce: createAnnouncer(webhookStarter, logger),
    allowPrivateWebhookTargets: true,
    resyncer: createPaymentResyncer({ temporal: temporal.clients, taskQueues }),
    testClock: createTestClock({ temporal: temporal.clients, taskQueues }),
    payments: createPaymentClient({
      temporal: temporal.clients,
      taskQueues,
      pendingAnswers,
      eager,
      sign: vault.signCommand,
      waits: PRODUCTION_WAITS,
      logger,
    }),
    notificationCredentials: (configuration) => notificationCredentials(vault, configuration, SIMULATOR_KEY),
    vault,
    clock,
    randomBytes,
    waits: PRODUCTION_WAITS,
    logger,
    requestLog,
    trace: world.tracing?.requests,
    describeTestCard: describeCard,
    describeTestIin: describeIin,
    simulatedBank: createSimulatedBank({ execute: await executeOn(orm), clock }),
    isReady: async () => ({
      database: (await orm.checkConnection()).ok,
      temporal: (await temporal.connection.workflowService.getSystemInfo({})) !== undefined,
    }),
  })
  const handle = app.callback()
  const { server: httpServer, drain } = createHttpServer((request, response) => void handle(request, response), {
    randomBytes,
  })
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
  const baseUrl = `http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`
  const stopDispatcher = await startDispatcher(world, orm, baseUrl)
  return {
    baseUrl,
    async close() {
      await stopDispatcher()
      await drain()
      await requestLog.stop()
    },
  }
}

function workflowIdOf(id: string): string {
  if (id.startsWith('iv_')) return paymentWorkflowId(id)
  if (id.startsWith('ev_')) return webhookWorkflowId(id)
  return id
}
