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

/** An event has up to 17 targets with 12 retries each, which is more than the server's default of 200. */
const SKIPS_MAX = 1_000

/** The Temporal server does not skip time. */
export class TimeSkippingNotAllowed extends Error {
  override readonly name = 'TimeSkippingNotAllowed'
}

/** One run of the workflow of a payment or of a webhook. */
export interface ClockRun {
  workflowId: string
  runId: string
}

/** A run of a webhook that waits. Its time is that of its own schedule, and not the payment's. */
export interface WebhookRun extends ClockRun {
  /** Epoch ms. */
  now: number
  /** The instant of the payment's clock to which it was moved last, in epoch ms; null if it never was. */
  movedTo: number | null
  /** How much of the last move is still to come, in ms. */
  restMs: number
}

export interface Move {
  /** The instant of the payment's clock, in epoch ms. */
  to: number
  /** How far that is. */
  milliseconds: number
}

/** Temporal's time skipping, for the workflows of one sandbox payment. */
export interface TestClock {
  /** Runs work whose calls of Temporal all end at an instant of the wall clock, in epoch ms, with an error of its client. */
  within<Result>(deadline: number, work: () => Promise<Result>): Promise<Result>
  /**
   * Waits until everything due of the payment has happened, in a new run where none is open.
   *
   * @returns the payment's time, and its run.
   */
  settlePayment(payment: PaymentDescription, id: string): Promise<ClockReading & ClockRun>
  /** @throws TimeSkippingNotAllowed where the server does not skip time. */
  requireAllowed(run: ClockRun): Promise<void>
  /** Lets the run of a payment live through a stretch of time at once, and waits until it has, or has ended. */
  movePayment(run: ClockRun, move: Move): Promise<void>
  /** The open run that delivers an event; null where there is none. */
  webhookRun(event: { eventId: string; run: number }): Promise<WebhookRun | null>
  /**
   * Begins the same for the run of a webhook, after what is left of its last move.
   *
   * @throws TimeSkippingNotAllowed where the server does not skip time.
   */
  moveWebhook(run: WebhookRun, move: Move): Promise<void>
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

  /** Does nothing if the run has ended. */
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
  const fastForward = (run: ClockRun, id: string, milliseconds: number) =>
    configure(run, {
      enabled: true,
      fastForwardConfig: { id, duration: msToTs(milliseconds) },
      maxSessionSkipCount: SKIPS_MAX,
    })

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
    // Changes nothing of a run that skips no time, and is refused like every other change.
    requireAllowed: (run) => configure(run, { enabled: false }),
    async movePayment(run, { to, milliseconds }) {
      const id = moveId(to, Date.now() + milliseconds)
      await fastForward(run, id, milliseconds)
      const { workflowId, runId } = run
      const request = { namespace, workflowExecution: { workflowId, runId }, fastForwardId: id }
      let answer: { fastForwardPollingResult?: number | null } | null
      do answer = await unlessEnded(service.pollWorkflowExecutionTimeSkipping(request))
      while (answer?.fastForwardPollingResult === POLL_TIMEOUT)
    },
    async webhookRun({ eventId, run }) {
      const workflowId = webhookWorkflowId(eventId, run)
      const found = await unlessEnded(service.describeWorkflowExecution({ namespace, execution: { workflowId } }))
      const info = found?.workflowExecutionInfo
      if (info?.status !== RUNNING) return null
      const { currentTime, effectiveConfig } = found?.workflowExtendedInfo?.timeSkippingInfo ?? {}
      const now = currentTime == null ? Date.now() : tsToMs(currentTime)
      const last = moveOf(effectiveConfig?.fastForwardConfig?.id)
      return {
        workflowId,
        runId: info.execution?.runId ?? '',
        now,
        movedTo: last?.to ?? null,
        restMs: last === null ? 0 : Math.max(0, last.until - now),
      }
    },
    moveWebhook(run, { to, milliseconds }) {
      const distance = run.restMs + milliseconds
      return fastForward(run, moveId(to, run.now + distance), distance)
    },
  }
}

interface TimeSkippingConfig {
  enabled: boolean
  fastForwardConfig?: { id: string; duration: ReturnType<typeof msToTs> }
  maxSessionSkipCount?: number
}

/** Temporal tells of a fast-forward only its id: the instant of the payment's clock, and that of the run's. */
function moveId(to: number, until: number): string {
  return `clock-${to}-${until}`
}

function moveOf(id: string | null | undefined): { to: number; until: number } | null {
  const [, to, until] = /^clock-(\d+)-(\d+)$/.exec(id ?? '') ?? []
  return to === undefined ? null : { to: Number(to), until: Number(until) }
}

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
