import type { Client } from '@temporalio/client'
import type { Environment } from '../../domain/environment.ts'
import { resyncSignal } from '../../workflows/messages.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { type PaymentDescription, startOptions } from './client.ts'
import type { TaskQueues } from './task-queues.ts'

/** A healthy server takes a signal within milliseconds. */
const ACCEPT_WAIT_MS = 10_000

/**
 * Priority 1 to 5, 3 is normal: where many tasks wait, as after the loss of a Temporal server with all runs, merchants'
 * commands go first.
 */
const PRIORITY = 4

/**
 * Has a payment resync with its record, in a new run where none is open. Resolves as soon as Temporal has stored the
 * signal, with or without a running worker.
 */
export type SendResync = (payment: PaymentDescription) => Promise<void>

export function createResyncSignal({
  temporal,
  taskQueues,
}: {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
}): SendResync {
  return async (payment) => {
    const { projectId, environment, invoiceId } = payment
    const client = temporal[environment]
    await client.withDeadline(Date.now() + ACCEPT_WAIT_MS, () =>
      client.workflow.signalWithStart<typeof paymentWorkflow, []>('paymentWorkflow', {
        ...startOptions(payment, taskQueues),
        args: [{ projectId, environment, invoiceId }],
        signal: resyncSignal.name,
        signalArgs: [],
        priority: { priorityKey: PRIORITY },
      }),
    )
  }
}
