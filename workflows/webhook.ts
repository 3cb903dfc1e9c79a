import { proxyActivities, proxyLocalActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { DeliverWebhookResult } from '../activities/deliver-webhook.ts'
import type { Delivery } from '../activities/load-deliveries.ts'
import type { WebhookActivities } from '../activities/webhooks.ts'
import { planRetries, RETRIES_MAX } from '../domain/backoff.ts'
import type { WebhookWorkflowInput } from './inputs.ts'

/** The receiver has 10 s; the rest is for reading and writing the record. */
const ATTEMPT_TIMEOUT_MS = 15_000
/** One indexed question to the database. */
const LOAD_TIMEOUT_MS = 5_000

/**
 * An attempt that a worker lost, or that could not be recorded, is made again until it is done: at least once is the
 * promise. There is no last try, because the reasons for more of them (no database, no worker) pass.
 */
const UNTIL_DONE = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' } as const

/** A longer wait for the database is a timer, so that it holds no slot of the worker. */
const LOCAL_WAIT_MAX = '2s'

const { loadDeliveries } = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: LOAD_TIMEOUT_MS,
  retry: UNTIL_DONE,
  localRetryThreshold: LOCAL_WAIT_MAX,
})
const { deliverWebhook: deliverAtOnce } = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT_MS,
  retry: UNTIL_DONE,
  localRetryThreshold: LOCAL_WAIT_MAX,
})
const { deliverWebhook } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT_MS,
  retry: UNTIL_DONE,
})

/** Where one delivery stands; the result of the workflow when all of them have ended. */
export interface DeliveryProgress {
  target: string
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts made. */
  attempts: number
  lastAnswer: string
  nextAttemptAt: string | null
}

/**
 * Delivers one event to all its targets, side by side: the first attempt at once, then up to twelve retries on the
 * schedule of the specification. Histories name hosts, never URLs.
 */
export async function webhookWorkflow(input: WebhookWorkflowInput): Promise<DeliveryProgress[]> {
  const deliveries = await loadDeliveries(input)
  const board = deliveries.map(({ host }): DeliveryProgress => {
    return { target: host, status: 'pending', attempts: 0, lastAnswer: '', nextAttemptAt: null }
  })
  const show = () => setCurrentDetails(renderBoard(board))
  show()
  await Promise.all(
    deliveries.map((delivery, index) =>
      deliver(input, delivery, (progress) => {
        board[index] = progress
        show()
      }),
    ),
  )
  return board
}

/** One target: attempts until one is accepted or the last retry has failed. */
async function deliver(
  { projectId, environment }: WebhookWorkflowInput,
  { deliveryId, host, isHealthy }: Delivery,
  report: (progress: DeliveryProgress) => void,
): Promise<void> {
  const offsets = planRetries(Math.random)
  let firstAttemptAt = Date.now()
  const plannedAt = (retry: number) => (retry > RETRIES_MAX ? null : firstAttemptAt + (offsets[retry - 1] ?? 0))

  for (let attempt = 0; attempt <= RETRIES_MAX; attempt += 1) {
    if (attempt > 0) await sleepUntil(plannedAt(attempt) ?? 0, `${nameOf(attempt)} · ${host}`)
    // A host that does not answer would hold a workflow slot for as long as an attempt takes, so it waits elsewhere.
    const run = attempt === 0 && isHealthy ? deliverAtOnce : deliverWebhook
    const result = await run.executeWithOptions({ summary: `${nameOf(attempt)} · ${host}` }, [
      { projectId, environment, deliveryId, attempt, at: Date.now(), nextAt: plannedAt(attempt + 1) },
    ])
    // The attempt may have waited for a free worker; the schedule counts from when it was really made.
    if (attempt === 0) firstAttemptAt = Math.max(firstAttemptAt, Date.now() - result.responseTimeMs)
    const nextAt = hasEnded(result) ? null : plannedAt(attempt + 1)
    report({
      target: host,
      status: result.delivered ? 'delivered' : nextAt === null ? 'failed' : 'pending',
      attempts: attempt + 1,
      lastAnswer: answerOf(result),
      nextAttemptAt: nextAt === null ? null : new Date(nextAt).toISOString(),
    })
    if (nextAt === null) return
  }
}

function hasEnded({ delivered, reason }: DeliverWebhookResult): boolean {
  return delivered || reason === 'already_ended'
}

/** Returns at once where the instant has passed while the previous attempt was still being made. */
async function sleepUntil(instant: number, summary: string): Promise<void> {
  const remainingMs = instant - Date.now()
  if (remainingMs > 0) await sleep(remainingMs, { summary })
}

function nameOf(attempt: number): string {
  return attempt === 0 ? 'first attempt' : `retry ${attempt} of ${RETRIES_MAX}`
}

function answerOf({ status, reason }: DeliverWebhookResult): string {
  return status === null ? (reason ?? '') : `HTTP ${status}`
}

/** What the run's page shows on top. */
function renderBoard(board: readonly DeliveryProgress[]): string {
  const rows = board.map(
    ({ target, status, attempts, lastAnswer, nextAttemptAt }) =>
      `| ${target} | ${status} | ${attempts} | ${lastAnswer} | ${nextAttemptAt ?? ''} |`,
  )
  return ['| target | status | attempts | last answer | next attempt |', '|---|---|---|---|---|', ...rows].join('\n')
}
