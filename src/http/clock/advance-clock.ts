import { setTimeout as sleep } from 'node:timers/promises'
import { randomText } from '../../../domain/identifiers.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { type ClockOwner, putForward, readClock } from '../../persistence/queries/payments/test-clock.ts'
import { findPendingEvents, type PendingEvent } from '../../persistence/queries/webhooks/pending-events.ts'
import type { PaymentDescription } from '../../temporal/client.ts'
import type { ClockRun, TestClock, WebhookRun } from '../../temporal/test-clock.ts'
import type { AppDeps } from '../dependencies.ts'

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

/** Where the payment and its webhooks stand when everything due has happened. */
interface Standing {
  /** The payment's time, in epoch ms. */
  time: number
  /** Null if the payment awaits nothing. */
  run: ClockRun | null
  /** When the payment's next step is due, in epoch ms; null if it awaits nothing. */
  nextAt: number | null
  webhooks: WebhookRun[]
}

/**
 * Moves a payment and its webhooks to an instant, from one due step of the payment to the next, and waits at each for what
 * was due. So the webhook of a step lives through the same time after that step as the payment does.
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
    const { time, run, nextAt, webhooks } = await settle(deps, em, advancing)
    if (time >= target) return
    if (run !== null && !isAllowed) await testClock.requireAllowed(run)
    isAllowed = true
    const stop = Math.min(target, nextAt ?? target)
    // A step that has become due meanwhile comes first.
    if (stop <= time) continue
    // By its id a repeated call knows which webhooks have come this far.
    const id = `clock-${stop}`
    const left = webhooks.filter(({ fastForwardId }) => fastForwardId !== id)
    const milliseconds = stop - time
    progress.hasMoved = true
    await Promise.all(left.map((one) => testClock.begin(one, { id, milliseconds: one.restMs + milliseconds })))
    await putForward(em, owner, stop, clock.now())
    if (run !== null) await testClock.begin(run, { id, milliseconds })
    await Promise.all([...webhooks, ...(run === null ? [] : [run])].map((moved) => testClock.end(moved, id)))
  }
}

/** Waits until everything due has happened: steps of the payment, then attempts of its webhooks. */
async function settle(
  { testClock, clock, randomBytes }: ClockDeps,
  em: EntityManager,
  { payment, owner }: Advancing,
): Promise<Standing> {
  const { isAwaiting } = await readClock(em, owner, clock.now())
  const reading = isAwaiting ? await testClock.settlePayment(payment, `clock-${randomText(randomBytes)}`) : null
  const readAt = performance.now()
  const webhooks = await settleWebhooks(testClock, em, owner)
  const { time } = await readClock(em, owner, clock.now())
  // Its run may have ended with this step.
  if (reading === null || reading.nextAt === null) return { time, run: null, nextAt: null, webhooks }
  // Where a process has died, the run is behind the record.
  const timeOfRun = reading.now + performance.now() - readAt
  return { time: Math.floor(Math.min(time, timeOfRun)), run: reading, nextAt: reading.nextAt, webhooks }
}

const FIRST_PAUSE_MS = 20
const LONGEST_PAUSE_MS = 250
const PAUSE_GROWTH = 1.5

/** An attempt to a slow receiver takes up to 10 s. A delivery without a run is a matter for the sweep. */
async function settleWebhooks(testClock: TestClock, em: EntityManager, owner: ClockOwner): Promise<WebhookRun[]> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * PAUSE_GROWTH, LONGEST_PAUSE_MS)) {
    const events = await findPendingEvents(em.fork(), owner, owner.invoiceId)
    const found = await Promise.all(events.map(async (event) => ({ event, run: await testClock.webhookRun(event) })))
    const runs = found.flatMap(({ event, run }) => (run === null ? [] : [{ event, run }]))
    if (!runs.some(({ event, run }) => isDue(event, run))) return runs.map(({ run }) => run)
    await sleep(pause)
  }
}

function isDue({ nextAt }: PendingEvent, { now }: WebhookRun): boolean {
  return nextAt === null || nextAt.getTime() <= now
}
