import { hostname } from 'node:os'
import type { WorkflowBundleOption } from '@temporalio/worker'
import type { PendingAnswers } from '../../activities/dependencies.ts'
import { createPaymentActivities } from '../../activities/index.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import type { Retention } from '../config.ts'
import { aroundCalls } from '../gateways/around-calls.ts'
import type { Gateway } from '../gateways/gateway.ts'
import { createCircuitRecord } from '../gateways/guard/circuit-record.ts'
import { guardGateway } from '../gateways/guard/guard-gateway.ts'
import { createGatewayRegistry, type GatewayRegistry } from '../gateways/registry.ts'
import type { Execute } from '../gateways/simulator/ledger.ts'
import type { AnswerRows } from '../persistence/queries/payments/find-payment.ts'
import { recordCircuit } from '../persistence/queries/projects/circuits.ts'
import { execute as runStatement } from '../persistence/statements.ts'
import { createRuleBook } from '../routing/rule-book.ts'
import type { Shutdown } from '../shutdown.ts'
import { startWorkerSweeps } from '../sweeps/worker-sweeps.ts'
import { keepWorkerVersion, type OwnVersion } from '../sweeps/worker-version.ts'
import { createTaskSlots, type TaskSlots } from '../temporal/task-slots.ts'
import { createWebhookStarter } from '../temporal/webhook-starter.ts'
import { DEPLOYMENT_NAME } from '../temporal/worker-versions.ts'
import { createWorkers } from '../temporal/workers.ts'
import type { WorkflowThread } from '../temporal/workflow-worker.ts'
import { createWebhookLimits } from '../webhooks/concurrency-limit.ts'
import { createWebhookSender } from '../webhooks/send.ts'
import { createAdapters } from './adapters.ts'
import type { Core } from './core.ts'

export interface WorkerPartOptions {
  workflowBundle: WorkflowBundleOption
  /** Where the workflows run; by default in a thread of these workers. */
  workflowThread?: WorkflowThread
  /** The address by which browsers reach the service, without a slash at its end; null if it is not known. */
  publicUrl(): string | null
  /** Where the answers go that requests of this process wait for. */
  pendingAnswers: PendingAnswers<AnswerRows>
  allowPrivateWebhookTargets: boolean
  retention: Retention
  /** Whose work is done; by default of both. */
  environments?: readonly Environment[]
  keepsCallStacks?: boolean
  /** The version of the workers and how it gets work; absent: they have none. */
  version?: OwnVersion
  /** By default as many as one machine takes. */
  taskSlots?: TaskSlots
  /** Where the gateways are found, given the adapters and what guards one; by default each, guarded. Tests put faults there. */
  gatewaysOf?: (adapters: readonly Gateway[], guard: (gateway: Gateway) => Gateway) => GatewayRegistry
  shutdown: Shutdown
}

/** Starts the workers, and what they do at intervals; they finish what they have begun when the process stops. */
export async function startWorkerPart(core: Core, options: WorkerPartOptions): Promise<void> {
  const { workflowBundle, retention, version, shutdown } = options
  const { environments = ENVIRONMENTS, taskSlots = createTaskSlots() } = options
  const { temporal, taskQueues, logger, outages, tracing } = core
  const { gateways, webhookStarter, ...activities } = createActivities(core, { ...options, taskSlots })
  const namespaces = Object.fromEntries(
    environments.map((environment) => [environment, temporal.clients[environment].options.namespace]),
  )
  const workers = await createWorkers({
    connection: temporal.connection,
    namespaces,
    taskQueues,
    workflowBundle,
    workflowThread: options.workflowThread,
    keepsCallStacks: options.keepsCallStacks,
    dataConverter: temporal.dataConverter,
    activityInterceptors: tracing?.activities,
    version: version && { deploymentName: DEPLOYMENT_NAME, buildId: version.buildId },
    taskSlots,
    activities,
  })
  const done = workers.run()
  done.catch((error: Error) => shutdown.request(`A worker failed, so everything else stops too: ${error.message}`, 1))
  shutdown.add({
    name: 'The workers',
    stop: async () => {
      workers.shutdown()
      await done
    },
  })
  startWorkerSweeps({ ...core, webhookStarter, gateways, retention }, shutdown)
  if (version === undefined) return
  const { workflowService: service } = temporal.connection
  const deployments = Object.values(namespaces).map((namespace) => {
    return { service, namespace, taskQueues, identity: `worker ${processName()}` }
  })
  await keepWorkerVersion({ deployments, own: version, waits: core.waits, logger, outages }, shutdown)
}

type ActivityOptions = Pick<
  WorkerPartOptions,
  'publicUrl' | 'pendingAnswers' | 'allowPrivateWebhookTargets' | 'gatewaysOf'
> & { taskSlots: TaskSlots }

/** The activities of the workers, and what the sweeps share with them. */
export function createActivities(core: Core, options: ActivityOptions) {
  const { publicUrl, pendingAnswers, allowPrivateWebhookTargets, taskSlots } = options
  const { orm, temporal, taskQueues, vault, clock, randomBytes, logger, metrics } = core
  const webhookStarter = createWebhookStarter({ temporal: temporal.clients, taskQueues, eager: true })
  const execute: Execute = (sql, values) => runStatement(orm, sql, values)
  const circuits = createCircuitRecord({
    logger,
    record: (change) => recordCircuit(orm.em.fork(), { ...change, process: processName() }),
  })
  const guard = (gateway: Gateway) => {
    const guarded = guardGateway(gateway, {
      clock,
      onChange(change) {
        circuits.changed(change)
        metrics?.gateways.circuitChanged(gateway.name, change)
      },
    })
    return aroundCalls(metrics?.gateways.measure(guarded) ?? guarded, taskSlots.whileWaiting)
  }
  const sender = createWebhookSender({ allowPrivateTargets: allowPrivateWebhookTargets, clock })
  const { gatewaysOf = (adapters) => createGatewayRegistry(adapters.map(guard)) } = options
  const gateways = gatewaysOf(createAdapters({ execute, clock, sandboxHosts: core.sandboxHosts }), guard)
  return {
    gateways,
    webhookStarter,
    payments: createPaymentActivities({
      orm,
      gateways,
      ruleBook: createRuleBook(),
      vault,
      pendingAnswers,
      webhookStarter,
      logger,
      clock,
      randomBytes,
      publicUrl,
    }),
    webhooks: createWebhookActivities({
      orm,
      webhookSender: metrics?.webhooks(sender) ?? sender,
      webhookStarter,
      limits: createWebhookLimits(core.waits),
      vault,
      clock,
      randomBytes,
    }),
  }
}

/** Names this process to staff. */
function processName(): string {
  return `${hostname()}:${process.pid}`
}
