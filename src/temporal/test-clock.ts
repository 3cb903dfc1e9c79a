import { type Client, isGrpcServiceError } from '@temporalio/client'
import { msToTs, tsToMs } from '@temporalio/common'
import type { Environment } from '../../domain/environment.ts'
import { type ClockReading, clockUpdate } from '../../workflows/messages.ts'
import { type PaymentDescription, updateWithStart } from './client.ts'
import type { TaskQueues } from './task-queues.ts'
import { paymentWorkflowId, webhookWorkflowId } from './workflow-ids.ts'

/** gRPC status codes, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5
const UNIMPLEMENTED = 12

/** Temporal's numbers of a running execution, and of a wait that ended before its fast-forward. */
const RUNNING = 1
const POLL_TIMEOUT = 1

/** The Temporal server does not skip time. */
export class TimeSkippingNotAllowed extends Error {
  override readonly name = 'TimeSkippingNotAllowed'
}

/** One run of the workflow of a payment or of a webhook. */
export interface ClockRun {
  workflowId: string
  runId: string
}

/** A run of a webhook that waits, with its own time. */
export interface WebhookRun extends ClockRun {
  /** Epoch ms. */
  now: number
  /** The id of the last fast-forward; null without one. */
  fastForwardId: string | null
  /** What is left of it, in ms. */
  restMs: number
}

/**
 * Temporal's time skipping for the workflows of one sandbox payment. Every call ends at the deadline that the caller sets
 * with `within`, with an error of Temporal's client.
 */
export interface TestClock {
  within<Result>(deadline: number, work: () => Promise<Result>): Promise<Result>
  /**
   * Waits until everything due of the payment has happened, in a new run where none is open.
   *
   * @returns the payment's time, and its run.
   */
  settlePayment(payment: PaymentDescription, id: string): Promise<ClockReading & ClockRun>
  /** The open run that delivers an event; null where there is none. */
  webhookRun(event: { eventId: string; run: number }): Promise<WebhookRun | null>
  /** @throws TimeSkippingNotAllowed where the server does not skip time. Ends a fast-forward under way. */
  requireAllowed(run: ClockRun): Promise<void>
  /**
   * Begins to let a run live through a stretch of time at once. Does nothing if the run has ended.
   *
   * @throws TimeSkippingNotAllowed where the server does not skip time.
   */
  begin(run: ClockRun, fastForward: { id: string; milliseconds: number }): Promise<void>
  /** Waits until a run has lived through it, or has ended. */
  end(run: ClockRun, fastForwardId: string): Promise<void>
}

/** Reaches the sandbox only: a live payment is never moved. */
export function createTestClock({
  temporal,
  taskQueues,
}: {
  temporal: Record<Environment, Client>
  taskQueues: TaskQueues
}): TestClock {
  const { sandbox: client } = temporal
  const { namespace } = client.options
  const service = client.workflowService

  const configure = async ({ workflowId, runId }: ClockRun, timeSkippingConfig: TimeSkippingConfig): Promise<void> => {
    try {
      await service.updateWorkflowExecutionOptions({
        namespace,
        workflowExecution: { workflowId, runId },
        workflowExecutionOptions: { timeSkippingConfig },
        updateMask: { paths: ['time_skipping_config'] },
      })
    } catch (error) {
      if (codeOf(error) === UNIMPLEMENTED)
        throw new TimeSkippingNotAllowed('The Temporal server does not skip time.', { cause: error })
      if (codeOf(error) !== NOT_FOUND) throw error
    }
  }
  return {
    within: (deadline, work) => client.withDeadline(deadline, work),
    async settlePayment(payment, id) {
      if (payment.environment !== 'sandbox') throw new Error('A live payment has no test clock.')
      const reading = await updateWithStart<ClockReading, []>({ temporal, taskQueues }, payment, {
        name: clockUpdate.name,
        id,
        args: [],
      })
      return { ...reading, workflowId: paymentWorkflowId(payment.invoiceId) }
    },
    async webhookRun({ eventId, run }) {
      const workflowId = webhookWorkflowId(eventId, run)
      const found = await unlessEnded(service.describeWorkflowExecution({ namespace, execution: { workflowId } }))
      const info = found?.workflowExecutionInfo
      if (info?.status !== RUNNING) return null
      const skipping = found?.workflowExtendedInfo?.timeSkippingInfo
      const now = skipping?.currentTime == null ? Date.now() : tsToMs(skipping.currentTime)
      const last = skipping?.fastForwardInfo
      const isUnderWay = skipping?.effectiveConfig?.enabled === true && last?.hasCompleted !== true
      return {
        workflowId,
        runId: info.execution?.runId ?? '',
        now,
        fastForwardId: last?.fastForwardId ?? null,
        restMs: isUnderWay && last?.targetTime != null ? Math.max(0, tsToMs(last.targetTime) - now) : 0,
      }
    },
    requireAllowed: (run) => configure(run, { enabled: false }),
    begin: (run, { id, milliseconds }) =>
      configure(run, { enabled: true, fastForwardConfig: { id, duration: msToTs(milliseconds) } }),
    async end({ workflowId, runId }, fastForwardId) {
      const request = { namespace, workflowExecution: { workflowId, runId }, fastForwardId }
      for (;;) {
        const answer = await unlessEnded(service.pollWorkflowExecutionTimeSkipping(request))
        if (answer?.fastForwardPollingResult !== POLL_TIMEOUT) return
      }
    },
  }
}

type TimeSkippingConfig = { enabled: boolean; fastForwardConfig?: { id: string; duration: ReturnType<typeof msToTs> } }

/** Null where the run has ended, or never was. */
async function unlessEnded<Result>(call: Promise<Result>): Promise<Result | null> {
  try {
    return await call
  } catch (error) {
    if (codeOf(error) === NOT_FOUND) return null
    throw error
  }
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? Number(error.code) : null
}
