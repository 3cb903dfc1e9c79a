import { setTimeout as sleep } from 'node:timers/promises'
import { randomText } from '../../../domain/identifiers.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { type ClockOwner, putForward, readClock } from '../../persistence/queries/payments/test-clock.ts'
import { findPendingEvents, type PendingEvent } from '../../persistence/queries/webhooks/pending-events.ts'
import type { PaymentDescription } from '../../temporal/client.ts'
import type { ClockRun, Move, TestClock, WebhookRun } from '../../temporal/test-clock.ts'

type ClockDeps = Pick<AppDeps, 'testClock' | 'clock' | 'randomBytes'>

/** A payment whose clock is advanced. */
export interface Advancing {
  payment: PaymentDescription
  owner: ClockOwner
  /** The instant of the payment's clock to move to, in epoch ms. */
  target: number
}

/** For a caller whose wait ends early. */
interface Progress {
  /** Something may have been moved. */
  hasMoved: boolean
}

/** Where a payment stands when everything due of it has happened. */
interface Standing {
  /** The payment's time, in epoch ms. */
  time: number
  /** Null if the payment awaits nothing. */
  run: ClockRun | null
  /** When the payment's next step is due, in epoch ms; null if it awaits nothing. */
  nextAt: number | null
}

/**
 * Moves a payment and its webhooks to an instant, from one due step of the payment to the next. So the webhook of a step
 * lives through the same time after that step as the payment does.
 *
 * The record is put forward before the payment's run, so that a run that starts meanwhile does not fall back. What a process
 * that dies leaves behind, the next call with the same target finishes.
 *
 * Resolves when all that was due by then has happened.
 */
export async function advanceClock(
  deps: ClockDeps,
  em: EntityManager,
  advancing: Advancing,
  progress: Progress,
): Promise<void> {
  const { testClock, clock } = deps
  const { owner, target } = advancing
  let isAllowed = false
  for (;;) {
    const { time, run, nextAt } = await settlePayment(deps, em, advancing)
    if (time >= target) break
    if (run !== null && !isAllowed) await testClock.requireAllowed(run)
    isAllowed = true
    const settledAt = performance.now()
    const stop = Math.min(target, nextAt ?? target)
    // A step that has become due meanwhile comes first.
    if (stop <= time) continue
    if (run !== null && stop - time <= LIVED_THROUGH_MS) {
      await sleep(stop - time)
      continue
    }
    const move = { to: stop, milliseconds: stop - time }
    progress.hasMoved = true
    await moveWebhooks(testClock, em, owner, move)
    await putForward(em, owner, stop, clock.now())
    if (run !== null) await movePayment(testClock, run, move, settledAt)
  }
  await settleWebhooks(testClock, em, owner)
}

/**
 * The last stretch before a step passes by itself. Temporal skips on to the next timer of a run, a day later perhaps, where
 * the run is at work at the instant at which its time was to be skipped to; so that instant lies before the step.
 */
const LIVED_THROUGH_MS = 1_000

/** @param settledAt when the payment's time was read, of `performance.now()`: the run's clock has gone on since. */
async function movePayment(testClock: TestClock, run: ClockRun, move: Move, settledAt: number): Promise<void> {
  const elapsed = Math.ceil(performance.now() - settledAt)
  const milliseconds = move.milliseconds - elapsed - LIVED_THROUGH_MS
  if (milliseconds > 0) await testClock.movePayment(run, { ...move, milliseconds })
}

async function settlePayment(
  { testClock, clock, randomBytes }: ClockDeps,
  em: EntityManager,
  { payment, owner }: Advancing,
): Promise<Standing> {
  const { isAwaiting } = await readClock(em, owner, clock.now())
  const reading = isAwaiting ? await testClock.settlePayment(payment, `clock-${randomText(randomBytes)}`) : null
  const { time } = await readClock(em, owner, clock.now())
  if (reading === null || reading.nextAt === null) return { time, run: null, nextAt: null }
  // Where a process has died, the run is behind the record.
  return { time: Math.min(time, reading.now), run: reading, nextAt: reading.nextAt }
}

interface WaitingWebhook {
  event: PendingEvent
  run: WebhookRun
}

/** The events that wait, and the runs that send them. Deliveries that no run sends are a matter for the sweep. */
async function findWebhooks(testClock: TestClock, em: EntityManager, owner: ClockOwner) {
  const events = await findPendingEvents(em.fork(), owner, owner.invoiceId)
  const found = await Promise.all(events.map(async (event) => ({ event, run: await testClock.webhookRun(event) })))
  const webhooks: WaitingWebhook[] = found.flatMap(({ event, run }) => (run === null ? [] : [{ event, run }]))
  return { webhooks, areBegun: webhooks.length === events.length }
}

/** Within it the run of an event that was just fired begins. */
const RUN_BEGINS_WITHIN_MS = 2_000

/** The same, with the webhooks of what was fired a moment ago: their runs are begun after the event is committed. */
async function findBegunWebhooks(testClock: TestClock, em: EntityManager, owner: ClockOwner) {
  const until = performance.now() + RUN_BEGINS_WITHIN_MS
  for (;;) {
    const { webhooks, areBegun } = await findWebhooks(testClock, em, owner)
    if (areBegun || performance.now() > until) return webhooks
    await sleep(LONGEST_PAUSE_MS)
  }
}

/** Does not wait for attempts: a slow receiver holds up its own webhook only. */
async function moveWebhooks(testClock: TestClock, em: EntityManager, owner: ClockOwner, move: Move): Promise<void> {
  const webhooks = await findBegunWebhooks(testClock, em, owner)
  // A call that is repeated after a crash finds what was moved before.
  const left = webhooks.filter(({ run }) => run.movedTo !== move.to)
  await Promise.all(left.map(({ run }) => testClock.moveWebhook(run, move)))
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250
const PAUSE_GROWTH = 1.5

/** Waits until each webhook has lived through its time and made the attempts that were due in it. */
async function settleWebhooks(testClock: TestClock, em: EntityManager, owner: ClockOwner): Promise<void> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const { webhooks } = await findWebhooks(testClock, em, owner)
    if (webhooks.every(hasNothingDue)) return
    await sleep(pause)
  }
}

function hasNothingDue({ event: { nextAt }, run: { now, restMs } }: WaitingWebhook): boolean {
  return restMs === 0 && nextAt !== null && nextAt.getTime() > now
}
