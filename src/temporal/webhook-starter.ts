import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { type Environment, environmentOf } from '../../domain/environment.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { webhookWorkflow } from '../../workflows/webhook.ts'
import type { Logger } from '../logger.ts'
import type { GiveWay } from './give-way.ts'
import type { TaskQueues } from './task-queues.ts'
import { webhookWorkflowId } from './workflow-ids.ts'

interface WebhookStarterDeps {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
  /** The one of this process. */
  giveWay: GiveWay
  logger: Pick<Logger, 'warn'>
  /** True where a worker of this process shares the clients' connection, so that a start can come back as work. */
  eager: boolean
}

/** How long the start of an event that only failing endpoints are to receive gives way to others. */
const START_GIVES_WAY_MAX_MS = 1_000

export function createWebhookStarter({
  temporal,
  taskQueues,
  giveWay,
  eager,
  logger,
}: WebhookStarterDeps): WebhookStarter {
  async function startNow(
    { projectId, sandbox, invoiceId, eventId, eventName, run }: FiredEvent,
    again?: 'again',
  ): Promise<void> {
    const environment = environmentOf(sandbox)
    try {
      await temporal[environment].workflow.start<typeof webhookWorkflow>('webhookWorkflow', {
        workflowId: webhookWorkflowId(eventId, run),
        taskQueue: taskQueues.webhooks,
        workflowIdReusePolicy: again === undefined ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
        workflowIdConflictPolicy: 'FAIL',
        requestEagerStart: eager,
        staticSummary: run === 0 ? eventName : `${eventName} · sent again (${run})`,
        typedSearchAttributes: [
          { key: SEARCH_ATTRIBUTES.projectId, value: projectId },
          ...(invoiceId === null ? [] : [{ key: SEARCH_ATTRIBUTES.paymentId, value: invoiceId }]),
          { key: SEARCH_ATTRIBUTES.environment, value: environment },
          { key: SEARCH_ATTRIBUTES.eventType, value: eventName },
        ],
        args: [{ projectId, environment, eventId, run }],
      })
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
  }

  return {
    async start(event, again) {
      if (event.isFailing === true) {
        const started = giveWay.turn(START_GIVES_WAY_MAX_MS).then(() => startNow(event, again))
        started.catch((error: unknown) => warnOf(logger, event, error))
        return
      }
      giveWay.begins()
      await startNow(event, again)
    },
  }
}

function warnOf(logger: Pick<Logger, 'warn'>, { eventId }: FiredEvent, error: unknown): void {
  logger.warn({ err: error, event_id: eventId }, 'An event was not announced; the sweep will do it')
}

/**
 * Announces events behind the back of whoever has caused them: waits for nothing and never throws. What could not be
 * announced is found by the sweep for events that nobody began to send.
 */
export function createAnnouncer(
  webhookStarter: WebhookStarter,
  logger: Logger,
): (events: readonly FiredEvent[]) => void {
  return (events) => {
    for (const event of events) {
      webhookStarter.start(event).catch((error: unknown) => warnOf(logger, event, error))
    }
  }
}
