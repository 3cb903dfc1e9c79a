import type { Client } from '@temporalio/client'
import type { Environment } from '../../domain/environment.ts'
import { resyncSignal } from '../../workflows/messages.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { type PaymentDescription, startOptions } from './client.ts'
import type { TaskQueues } from './task-queues.ts'

/** A healthy server takes a signal within milliseconds. */
const ACCEPT_WAIT_MS = 10_000

/**
 * Of 1 to 5, where 3 is the ordinary: where tasks wait in line, as after the loss of a Temporal with all its runs, what
 * merchants ask for goes first.
 */
const PRIORITY = 4

/**
 * Has a payment look at its record again, in a new run where it has none. Resolves as soon as Temporal has it in writing,
 * whether or not a worker is there to do it.
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
