import { randomBytes } from 'node:crypto'
import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client'
import { Worker, type WorkerOptions } from '@temporalio/worker'
import { createWebhookActivities, type WebhookActivities } from '../../activities/index.ts'
import { systemClock } from '../../src/clock.ts'
import { DeliveryEntity, type DeliveryRow } from '../../src/persistence/entities/delivery.ts'
import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../src/persistence/entities/delivery-attempt.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { createVault } from '../../src/vault/vault.ts'
import { createWebhookLimits } from '../../src/webhooks/concurrency-limit.ts'
import { createWebhookSender } from '../../src/webhooks/send.ts'
import type { DeliveryProgress, webhookWorkflow } from '../../workflows/webhook.ts'
import { makeDatabase } from '../support/database.ts'
import { forFile } from '../support/for-file.ts'
import { TEST_KEYS } from '../support/keys.ts'
import { server } from '../support/servers.ts'
import { connectTemporal, skipAllWaiting } from '../support/temporal.ts'
import type { SeededEvent } from './seed.ts'

type AttemptInput = Parameters<WebhookActivities['deliverWebhook']>[0]

/** A database, a task queue and the activities of webhooks: all that a webhook workflow lives in. */
export interface WebhookStage {
  orm: Orm
  client: Client
  taskQueue: string
  activities: WebhookActivities
  /** What a worker waits for before each attempt: a test may hold attempts back, or have them fail. */
  beforeAttempt: (input: AttemptInput) => unknown
  /** Starts a worker with the activities above. */
  startWorker(): Promise<{ stop(): Promise<void> }>
  /** Has a worker while the scenario runs, with these activities or the real ones. */
  withWorker<T>(
    scenario: () => Promise<T>,
    activities?: WebhookActivities,
    options?: Partial<WorkerOptions>,
  ): Promise<T>
  /** Starts the workflow of an event, under the id `webhook-<event id>` or another. */
  start(event: SeededEvent, workflowId?: string): Promise<WorkflowHandleWithFirstExecutionRunId<typeof webhookWorkflow>>
  /** Starts the workflow, skips all its waiting and gives its result. */
  runToEnd(event: SeededEvent, workflowId?: string): Promise<DeliveryProgress[]>
  /** The rows of the event's deliveries, in the order of its targets. */
  deliveriesOf(event: SeededEvent): Promise<(DeliveryRow | undefined)[]>
  attemptsOf(deliveryId: string | undefined): Promise<DeliveryAttemptRow[]>
  close(): Promise<void>
}

/**
 * @param options.sendTimeoutMs how long an answer is waited for, where the usual 10 s are not meant.
 */
export async function makeWebhookStage({ sendTimeoutMs }: { sendTimeoutMs?: number } = {}): Promise<WebhookStage> {
  const [database, temporal, workflowBundle] = await Promise.all([
    makeDatabase(),
    connectTemporal(),
    server('workflowBundle'),
  ])
  const { orm, name: taskQueue } = database
  const client = temporal.clients.sandbox
  const webhookSender = createWebhookSender({
    allowPrivateTargets: true,
    ...(sendTimeoutMs !== undefined && { timeoutMs: sendTimeoutMs }),
  })
  const real = createWebhookActivities({
    orm,
    webhookSender,
    webhookStarter: { start: async () => {} },
    limits: createWebhookLimits(),
    vault: createVault(TEST_KEYS),
    clock: systemClock,
    randomBytes,
  })

  let beforeAttempt: WebhookStage['beforeAttempt'] = () => undefined
  const activities: WebhookActivities = {
    ...real,
    async deliverWebhook(input) {
      await beforeAttempt(input)
      return real.deliverWebhook(input)
    },
  }
  const createWorker = (own: WebhookActivities, options: Partial<WorkerOptions>) =>
    Worker.create({
      connection: temporal.connection,
      namespace: 'sandbox',
      taskQueue,
      workflowBundle,
      activities: own,
      shutdownGraceTime: '1s',
      shutdownForceTime: '15s',
      ...options,
    })

  const start: WebhookStage['start'] = ({ projectId, environment, eventId, run }, workflowId = `webhook-${eventId}`) =>
    client.workflow.start<typeof webhookWorkflow>('webhookWorkflow', {
      workflowId,
      taskQueue,
      args: [{ projectId, environment, eventId, run }],
    })

  return {
    orm,
    client,
    taskQueue,
    activities,
    get beforeAttempt() {
      return beforeAttempt
    },
    set beforeAttempt(wanted) {
      beforeAttempt = wanted
    },
    async startWorker() {
      const worker = await createWorker(activities, {})
      const done = worker.run()
      // Awaited by whoever stops it.
      done.catch(() => {})
      return {
        async stop() {
          worker.shutdown()
          await done
        },
      }
    },
    async withWorker(scenario, own = activities, options = {}) {
      return (await createWorker(own, options)).runUntil(scenario)
    },
    start,
    async runToEnd(event, workflowId) {
      const handle = await start(event, workflowId)
      await skipAllWaiting(client, handle.workflowId)
      return handle.result()
    },
    async deliveriesOf({ deliveryIds }) {
      const rows = await orm.em.fork().find(DeliveryEntity, { id: { $in: deliveryIds } })
      return deliveryIds.map((id) => rows.find((row) => row.id === id))
    },
    attemptsOf: (deliveryId) =>
      orm.em.fork().find(DeliveryAttemptEntity, { deliveryId: deliveryId ?? '' }, { orderBy: { attempt: 'asc' } }),
    async close() {
      await temporal.close()
      await database.drop()
    },
  }
}

export const webhookStageForFile = (options?: Parameters<typeof makeWebhookStage>[0]): WebhookStage =>
  forFile(
    () => makeWebhookStage(options),
    (stage) => stage.close(),
  )
