import {
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow'
import type { WebhookActivities } from '../activities/index.ts'
import { nameOfAttempt, planRetries } from '../domain/backoff.ts'
import { type DeliveryState, describeDelivery, worstOf } from '../domain/delivery-description.ts'
import { LOW_PRIORITY } from '../domain/endpoint-health.ts'
import { SEARCH_ATTRIBUTES } from '../domain/search-attributes.ts'
import type { WebhookWorkflowInput } from './inputs.ts'
import { listLink } from './links.ts'

/** The endpoint has 10 s to answer; the rest is for the database. */
const ATTEMPT_TIMEOUT_MS = 15_000

/**
 * Delivery is at least once: an attempt that was lost or not recorded is repeated without limit, because the reasons (no
 * database, no worker, no permit) are temporary.
 */
const UNTIL_DONE = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** A longer wait for a retry becomes a timer, which occupies no worker slot. */
const LOCAL_WAIT_MAX = '2s'

const { beginDeliveries } = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT_MS,
  retry: UNTIL_DONE,
  localRetryThreshold: LOCAL_WAIT_MAX,
})
const { deliverWebhook } = proxyActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT_MS,
  retry: UNTIL_DONE,
})

type Delivery = Awaited<ReturnType<WebhookActivities['beginDeliveries']>>[number]
type AttemptResult = NonNullable<Delivery['first']>

/** The progress of one delivery; for all deliveries the result of the workflow. The UI shows its fields in this order. */
export interface DeliveryProgress extends DeliveryState {
  /** The same in words. */
  summary: string
}

/**
 * Delivers one event to all its targets in parallel: the first attempt at once, then up to twelve retries on the schedule of
 * `domain/backoff.ts`. Histories name hosts, never URLs.
 *
 * Nearly all events are accepted at once. They take one workflow task with one local activity.
 */
export async function webhookWorkflow(input: WebhookWorkflowInput): Promise<DeliveryProgress[]> {
  const offsets = planRetries(Math.random)
  const deliveries = await beginDeliveries.executeWithOptions({ summary: nameOfAttempt(0) }, [
    { ...input, at: Date.now(), nextOffsetMs: offsets[0] ?? null },
  ])
  const board = deliveries.map(progressOf)
  let published: ReturnType<typeof worstOf> = null
  const show = () => {
    setCurrentDetails(renderBoard(board))
    const worst = worstOf(board)
    // Nearly all events never get here: an attribute costs an event and a write.
    if (worst === published) return
    published = worst
    upsertSearchAttributes([{ key: SEARCH_ATTRIBUTES.deliveryStatus, value: worst }])
  }
  show()
  const deliverTo = async (delivery: Delivery, index: number) => {
    // A run that starts over, after a crash or after the first run was deleted, skips ended deliveries.
    if (delivery.status !== 'pending') return
    await deliver(input, delivery, offsets, (progress) => {
      board[index] = progress
      show()
    })
  }
  await Promise.all(deliveries.map(deliverTo))
  return board
}

function progressOf({ target, status, attemptsMade, nextAt, first }: Delivery): DeliveryProgress {
  const lastAnswer = first === undefined ? '' : answerOf(first)
  return withWords({ target, status, attempts: attemptsMade, lastAnswer, nextAttemptAt: instantOf(nextAt) })
}

function withWords(state: DeliveryState): DeliveryProgress {
  return { summary: describeDelivery(state), ...state }
}

/** Makes attempts to one target until one is accepted or the last retry has failed. Continues where a lost run stopped. */
async function deliver(
  { projectId, environment, run }: WebhookWorkflowInput,
  { deliveryId, target, attemptsMade, nextAt, health: healthBefore }: Delivery,
  offsets: readonly number[],
  report: (progress: DeliveryProgress) => void,
): Promise<void> {
  let dueAt: number | null = nextAt ?? Date.now()
  for (let attempt = attemptsMade; dueAt !== null; attempt += 1) {
    const summary = `${nameOfAttempt(attempt)} · ${target}`
    await sleepUntil(dueAt, summary)
    const health = attempt === 0 ? healthBefore : 'bad'
    const priority = health === 'bad' ? { priorityKey: LOW_PRIORITY } : {}
    const result: AttemptResult = await deliverWebhook.executeWithOptions({ summary, priority }, [
      {
        ...{ projectId, environment, deliveryId, run, attempt, health },
        at: Date.now(),
        nextOffsetMs: offsets[attempt] ?? null,
      },
    ])
    dueAt = result.nextAt
    report(
      withWords({
        target,
        status: result.delivered ? 'delivered' : dueAt === null ? 'failed' : 'pending',
        attempts: result.startedAt === null ? attempt : attempt + 1,
        lastAnswer: answerOf(result),
        nextAttemptAt: instantOf(dueAt),
      }),
    )
  }
}

/** Returns at once if the instant passed during the previous attempt. */
async function sleepUntil(instant: number, summary: string): Promise<void> {
  const remainingMs = instant - Date.now()
  if (remainingMs > 0) await sleep(remainingMs, { summary })
}

function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

function answerOf({ status, reason }: AttemptResult): string {
  return status === null ? (reason ?? '') : `HTTP ${status}`
}

/** The list on the run's page in the Temporal UI, which sets tables without gaps. */
function renderBoard(board: readonly DeliveryProgress[]): string {
  const delivered = board.filter(({ status }) => status === 'delivered').length
  const paymentId = workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.paymentId)
  const payment =
    paymentId === undefined ? [] : [`See ${listLink('its payment', `WorkflowId = "payment-${paymentId}"`)}.`]
  const lines = [...board.map(({ summary }) => `${summary}.`), ...payment]
  return `**Delivered to ${delivered} of ${board.length}.**\n\n${lines.map((line) => `- ${line}`).join('\n')}`
}
