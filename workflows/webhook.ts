import { proxyActivities, proxyLocalActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { WebhookActivities } from '../activities/index.ts'
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
const UNTIL_DONE = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' } as const

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

type Delivery = Awaited<ReturnType<WebhookActivities['loadDeliveries']>>[number]
type AttemptResult = Awaited<ReturnType<WebhookActivities['deliverWebhook']>>

/** Where one delivery stands; the result of the workflow when all of them have ended. */
export interface DeliveryProgress {
  target: string
  status: 'pending' | 'delivered' | 'failed'
  /** Attempts made, those of a lost run included. */
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
  const board = deliveries.map(({ target, status, attemptsMade }): DeliveryProgress => {
    return { target, status, attempts: attemptsMade, lastAnswer: '', nextAttemptAt: null }
  })
  const show = () => setCurrentDetails(renderBoard(board))
  show()
  const isFirstAtOnce = mayDeliverAtOnce(deliveries)
  const deliverUnlessEnded = async (delivery: Delivery, index: number) => {
    // A run that starts over, after a crash or when the first was forgotten, sends nothing that has ended.
    if (delivery.status !== 'pending') return
    await deliver(input, delivery, isFirstAtOnce, (progress) => {
      board[index] = progress
      show()
    })
  }
  await Promise.all(deliveries.map(deliverUnlessEnded))
  return board
}

/**
 * The first attempt may run inside the first workflow task, which spares the round trips of an activity. But it holds
 * a slot for workflows as long as it takes, so it must not go to a target of which nothing is known, or that did not
 * accept what it got last; and it holds back the timers of the other targets, so there must be none.
 */
function mayDeliverAtOnce(deliveries: readonly Delivery[]): boolean {
  return (
    deliveries.length === 1 && deliveries.every(({ health, attemptsMade }) => health === 'good' && attemptsMade === 0)
  )
}

/**
 * One target: attempts until one is accepted or the last retry has failed. A run that takes over from one that was lost
 * goes on where that one has stopped.
 */
async function deliver(
  { projectId, environment, run }: WebhookWorkflowInput,
  { deliveryId, target, attemptsMade, nextAt, health }: Delivery,
  isFirstAtOnce: boolean,
  report: (progress: DeliveryProgress) => void,
): Promise<void> {
  const offsets = planRetries(Math.random)
  const attemptOnce = async (attempt: number): Promise<AttemptResult> => {
    const summary = `${nameOf(attempt)} · ${target}`
    const isFirst = attempt === 0
    const ask = (isAtOnce: boolean) => {
      const nextOffsetMs = offsets[attempt] ?? null
      const given = { projectId, environment, deliveryId, run, attempt, at: Date.now(), nextOffsetMs }
      const input = { ...given, health: isFirst ? health : ('bad' as const), isAtOnce }
      return (isAtOnce ? deliverAtOnce : deliverWebhook).executeWithOptions({ summary }, [input])
    }
    const result = await ask(isFirst && isFirstAtOnce)
    return result.reason === 'host_busy' ? ask(false) : result
  }
  let dueAt: number | null = nextAt ?? Date.now()
  for (let attempt = attemptsMade; dueAt !== null; attempt += 1) {
    await sleepUntil(dueAt, `${nameOf(attempt)} · ${target}`)
    const result = await attemptOnce(attempt)
    dueAt = result.delivered || !hasBeenMade(result) ? null : result.nextAt
    report({
      target,
      status: result.delivered ? 'delivered' : dueAt === null ? 'failed' : 'pending',
      attempts: hasBeenMade(result) ? attempt + 1 : attempt,
      lastAnswer: answerOf(result),
      nextAttemptAt: dueAt === null ? null : new Date(dueAt).toISOString(),
    })
  }
}

function hasBeenMade({ reason }: AttemptResult): boolean {
  return reason !== 'already_ended'
}

/** Returns at once where the instant has passed while the previous attempt was still being made. */
async function sleepUntil(instant: number, summary: string): Promise<void> {
  const remainingMs = instant - Date.now()
  if (remainingMs > 0) await sleep(remainingMs, { summary })
}

function nameOf(attempt: number): string {
  return attempt === 0 ? 'first attempt' : `retry ${attempt} of ${RETRIES_MAX}`
}

function answerOf({ status, reason }: AttemptResult): string {
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
