import { setTimeout as sleep } from 'node:timers/promises'
import type { PendingAnswers } from '../../activities/dependencies.ts'
import type { Config } from '../config.ts'
import { createSimulatedBank } from '../gateways/simulator/bank.ts'
import { describeCard, describeIin } from '../gateways/simulator/test-cards.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { BufferedRequestLog, type RequestLog } from '../http/request-log/request-log.ts'
import { createHttpServer, type HttpServer } from '../http/server/http-server.ts'
import type { AnswerRows } from '../persistence/queries/payments/find-payment.ts'
import { findKnownOperations } from '../persistence/queries/payments/operations.ts'
import { execute } from '../persistence/statements.ts'
import type { Shutdown } from '../shutdown.ts'
import { notificationCredentials, sendSimulatorNotifications } from '../sweeps/simulator-notifications.ts'
import { startSweep } from '../sweeps/sweep.ts'
import { createPaymentClient, createPaymentResyncer } from '../temporal/client.ts'
import { createTestClock } from '../temporal/test-clock.ts'
import { takingTurns } from '../temporal/turns.ts'
import { createAnnouncer, createWebhookStarter } from '../temporal/webhook-starter.ts'
import { createApp } from './app.ts'
import { createConnectionTests } from './connection-tests.ts'
import type { Core } from './core.ts'
import { askServers } from './health.ts'
import { listen } from './listen.ts'
import { localUrl } from './local-url.ts'

const SIMULATOR_KEY_BYTES = 32

/** What the interface asks of Temporal; tests of the interface play it. */
export type TemporalDeps = Pick<AppDeps, 'payments' | 'resyncer' | 'testClock' | 'announce' | 'isReady'>

export interface ApiPartOptions {
  config: Config
  /** True where workers of this process share the connection. */
  eager: boolean
  /** Where answers arrive that workers of this process give. */
  pendingAnswers: PendingAnswers<AnswerRows>
  allowPrivateWebhookTargets: boolean
  /** The address of the UI of a Temporal that this process has started. */
  temporalUiUrl?: string | undefined
  sandboxKey?: AppDeps['sandboxKey']
  shutdown: Shutdown
}

/**
 * Starts the REST interface. When the process stops, it first says that it is not ready, while it serves on for the time in
 * which load balancers notice that; then it finishes its requests.
 *
 * @returns the address that callers reach it by.
 */
export async function startApiPart(core: Core, options: ApiPartOptions): Promise<string> {
  const { config, shutdown } = options
  const { orm, vault, clock, randomBytes, logger, outages } = core
  const requestLog = new BufferedRequestLog({ orm, logger })
  requestLog.start()
  // Added before the interface, and so stopped after it: its last requests are written, too.
  shutdown.add({ name: 'The request log', stop: () => requestLog.stop() })
  const simulatorKey = Buffer.from(randomBytes(SIMULATOR_KEY_BYTES)).toString('hex')
  const { server, leave, drain } = serveApp({
    ...appDeps(core, { ...options, requestLog, simulatorKey }),
    ...temporalDeps(core, options),
    isServing: () => !shutdown.signal.aborted,
  })
  const port = await listen(server, { host: config.host, port: config.port, variable: 'PORT' })
  shutdown.onRequest(async () => {
    leave()
    await sleep(config.shutdownDelayMs)
  })
  shutdown.add({ name: 'The API', stop: drain })
  const url = localUrl({ host: config.host, port })
  startSweep(
    {
      name: 'The sending of simulated notifications',
      // Often enough that a chargeback follows its sandbox payment quickly; one small indexed statement each time.
      intervalMs: 500,
      run: (stopping) => sendSimulatorNotifications({ orm, vault, clock, url, simulatorKey }, stopping),
    },
    outages,
    shutdown,
  )
  return config.publicUrl ?? url
}

/** What the interface stands on, beside Temporal. */
export function appDeps(
  {
    orm,
    vault,
    clock,
    randomBytes,
    sandboxHosts,
    waits,
    logger,
    metrics,
    tracing,
  }: Omit<Core, 'temporal' | 'taskQueues' | 'outages'>,
  options: Pick<ApiPartOptions, 'config' | 'allowPrivateWebhookTargets' | 'temporalUiUrl' | 'sandboxKey'> & {
    requestLog: RequestLog
    /** Signs the notifications of simulated accounts that have no key of their own. */
    simulatorKey: string
  },
): Omit<AppDeps, keyof TemporalDeps> {
  const { config, allowPrivateWebhookTargets, temporalUiUrl, sandboxKey, requestLog, simulatorKey } = options
  return {
    orm,
    notificationCredentials: (configuration) => notificationCredentials(vault, configuration, simulatorKey),
    testConnection: createConnectionTests({ orm, vault, clock, sandboxHosts }),
    vault,
    clock,
    randomBytes,
    waits,
    logger,
    requestLog,
    measure: metrics?.requests,
    trace: tracing?.requests,
    allowPrivateWebhookTargets,
    publicUrl: config.publicUrl,
    temporalUiUrl: config.temporalUiUrl ?? temporalUiUrl,
    ...(sandboxKey !== undefined && { sandboxKey }),
    isReachedByHttps: config.publicUrl?.startsWith('https:') ?? false,
    trustedProxies: config.trustedProxies,
    describeTestCard: describeCard,
    describeTestIin: describeIin,
    simulatedBank: createSimulatedBank({ execute: (sql, values) => execute(orm, sql, values), clock }),
  }
}

/** The ways from the interface to the payments, through Temporal. */
export function temporalDeps(
  core: Core,
  { eager, pendingAnswers }: Pick<ApiPartOptions, 'eager' | 'pendingAnswers'>,
): TemporalDeps {
  const { orm, taskQueues, vault, waits, logger } = core
  const temporal = core.temporal.clients
  const webhookStarter = createWebhookStarter({ temporal, taskQueues, eager })
  return {
    payments: takingTurns(
      createPaymentClient({ temporal, taskQueues, eager, pendingAnswers, sign: vault.signCommand, waits, logger }),
      { findBegun: (operationIds) => findKnownOperations(orm, operationIds), waits },
    ),
    resyncer: createPaymentResyncer({ temporal, taskQueues }),
    testClock: createTestClock({ temporal, taskQueues }),
    announce: createAnnouncer(webhookStarter, logger),
    isReady: () => askServers(core),
  }
}

/** The interface as a server, which does not listen yet. */
export function serveApp(deps: AppDeps): HttpServer {
  return createHttpServer(createApp(deps).callback(), deps)
}
