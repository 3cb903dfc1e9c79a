import { proxyActivities, proxyLocalActivities, setCurrentDetails, sleep } from '@temporalio/workflow'
import type { WebhookActivities } from '../activities/index.ts'
import { EARLY_RETRIES_MAX, nameOfAttempt, planRetries } from '../domain/backoff.ts'
import { refusedAtOnce } from '../domain/endpoint-health.ts'
import type { WebhookWorkflowInput } from './inputs.ts'

/** The receiver has 10 s; the rest is for reading and writing the record. */
const ATTEMPT_TIMEOUT_MS = 15_000
/** The activity begins attempts for 10 s. */
const ATTEMPTS_TIMEOUT_MS = 10_000 + ATTEMPT_TIMEOUT_MS

/**
 * An attempt that a worker lost, or that could not be recorded, is made again until it is done: at least once is the
 * promise. There is no last try, because the reasons for more of them (no database, no worker) pass.
 */
const UNTIL_DONE = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** A longer wait for the database is a timer, so that it holds no slot of the worker. */
const LOCAL_WAIT_MAX = '2s'

const atOnce = proxyLocalActivities<WebhookActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT_MS,
  retry: UNTIL_DONE,
  localRetryThreshold: LOCAL_WAIT_MAX,
})
const early = proxyActivities<WebhookActivities>({ startToCloseTimeout: ATTEMPTS_TIMEOUT_MS, retry: UNTIL_DONE })
const late = proxyActivities<WebhookActivities>({ startToCloseTimeout: ATTEMPT_TIMEOUT_MS, retry: UNTIL_DONE })

/** Where the next attempt is not due within seconds, Temporal shows with it what the last answer was and when it goes on. */
const UNDER_WAY = 'see the pending activity'

type Delivery = Awaited<ReturnType<WebhookActivities['beginDeliveries']>>[number]
type AttemptResult = NonNullable<Delivery['first']>

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
 *
 * What is accepted at once is one workflow task with one local activity in it: nearly all webhooks are.
 */
export async function webhookWorkflow(input: WebhookWorkflowInput): Promise<DeliveryProgress[]> {
  const offsets = planRetries(Math.random)
  const deliveries = await atOnce.beginDeliveries.executeWithOptions({ summary: nameOfAttempt(0) }, [
    { ...input, at: Date.now(), nextOffsetMs: offsets[0] ?? null },
  ])
  const board = deliveries.map(progressOf)
  const show = () => setCurrentDetails(renderBoard(board))
  show()
  const isWaiting = ({ status }: DeliveryProgress) => status === 'pending'
  // A run that starts over, after a crash or when the first was forgotten, sends nothing that has ended.
  if (!board.some(isWaiting)) return board
  const goOn = (delivery: Delivery, index: number) => {
    if (delivery.status !== 'pending') return null
    return deliver(input, delivery, offsets, {
      isLast: () => board.filter(isWaiting).length === 1,
      report(progress) {
        board[index] = progress
        show()
      },
    })
  }
  await Promise.all(deliveries.map(goOn))
  return board
}

function progressOf({ target, status, attemptsMade, nextAt, first }: Delivery): DeliveryProgress {
  const lastAnswer = first === undefined ? '' : answerOf(first)
  return { target, status, attempts: attemptsMade, lastAnswer, nextAttemptAt: instantOf(nextAt) }
}

interface Surroundings {
  /** Whether no other target of the event waits for an attempt. */
  isLast(): boolean
  report(progress: DeliveryProgress): void
}

/**
 * One target: attempts until one is accepted or the last retry has failed. A run that takes over from one that was lost
 * goes on where that one has stopped.
 */
async function deliver(
  { projectId, environment, run }: WebhookWorkflowInput,
  { deliveryId, target, attemptsMade, nextAt, health, first }: Delivery,
  offsets: readonly number[],
  { isLast, report }: Surroundings,
): Promise<void> {
  const makeAttempts = async (attempt: number, isAtOnce: boolean): Promise<AttemptResult> => {
    const lastAttempt = isAtOnce ? attempt : Math.max(attempt, EARLY_RETRIES_MAX)
    const given = { projectId, environment, deliveryId, run, attempt, lastAttempt, retryOffsetsMs: offsets }
    const input = { ...given, at: Date.now(), health: attempt === 0 ? health : ('bad' as const), isAtOnce }
    const options = { summary: `${nameOf(attempt, lastAttempt)} · ${target}` }
    const { deliverWebhook } = isAtOnce ? atOnce : attempt > EARLY_RETRIES_MAX ? late : early
    const result = await deliverWebhook.executeWithOptions(options, [input])
    return result.reason === 'host_busy' ? makeAttempts(attempt, false) : result
  }
  let last: AttemptResult | undefined = first
  let attempts = attemptsMade
  let dueAt: number | null = nextAt ?? Date.now()
  while (dueAt !== null) {
    await sleepUntil(dueAt, `${nameOfAttempt(attempts)} · ${target}`)
    // As a local activity it would hold back the timers of the other targets, and a slot for workflows where it takes long.
    const isEarly = attempts <= EARLY_RETRIES_MAX
    const isAtOnce: boolean = !isEarly && last !== undefined && refusedAtOnce(last) && isLast()
    if (isEarly) report({ target, status: 'pending', attempts, lastAnswer: UNDER_WAY, nextAttemptAt: null })
    last = await makeAttempts(attempts, isAtOnce)
    dueAt = last.delivered || !hasBeenMade(last) ? null : last.nextAt
    attempts = hasBeenMade(last) ? last.attempt + 1 : last.attempt
    report({
      target,
      status: last.delivered ? 'delivered' : dueAt === null ? 'failed' : 'pending',
      attempts,
      lastAnswer: answerOf(last),
      nextAttemptAt: instantOf(dueAt),
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

function nameOf(attempt: number, lastAttempt: number): string {
  return attempt === lastAttempt ? nameOfAttempt(attempt) : `${nameOfAttempt(attempt)} to ${nameOfAttempt(lastAttempt)}`
}

function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
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
