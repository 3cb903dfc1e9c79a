import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { LOW_PRIORITY } from '../../domain/endpoint-health.ts'
import { type Environment, environmentOf } from '../../domain/environment.ts'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import type { webhookWorkflow } from '../../workflows/webhook.ts'
import type { Logger } from '../logger.ts'
import type { TaskQueues } from './task-queues.ts'
import { webhookWorkflowId } from './workflow-ids.ts'

interface WebhookStarterDeps {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
  /** True where a worker of this process shares the clients' connection, so that it can execute a start eagerly. */
  eager: boolean
}

export function createWebhookStarter({ temporal, taskQueues, eager }: WebhookStarterDeps): WebhookStarter {
  return {
    async start({ projectId, sandbox, invoiceId, eventId, eventName, run, isFailing = false }, again) {
      const environment = environmentOf(sandbox)
      try {
        await temporal[environment].workflow.start<typeof webhookWorkflow>('webhookWorkflow', {
          workflowId: webhookWorkflowId(eventId, run),
          taskQueue: taskQueues.webhooks,
          workflowIdReusePolicy: again === undefined ? 'REJECT_DUPLICATE' : 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
          // An eager start bypasses the queue, and with it the priority.
          requestEagerStart: eager && !isFailing,
          priority: { fairnessKey: projectId, ...(isFailing && { priorityKey: LOW_PRIORITY }) },
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
    },
  }
}

/**
 * Announces events in the background: waits for nothing and never throws. The sweep finds the events whose announcement
 * failed.
 */
export function createAnnouncer(
  webhookStarter: WebhookStarter,
  logger: Pick<Logger, 'warn'>,
): (events: readonly FiredEvent[]) => void {
  return (events) => {
    for (const event of events) {
      webhookStarter.start(event).catch((error: unknown) => {
        logger.warn({ err: error, event_id: event.eventId }, 'An event was not announced; the sweep will do it')
      })
    }
  }
}
