import type { WebhookStarter } from '../../activities/dependencies.ts'
import {
  findOverdueDeliveries,
  findUnbegunDeliveries,
  type Place,
  type WaitingEvent,
} from '../persistence/queries/webhooks/waiting-deliveries.ts'
import type { Shutdown } from '../shutdown.ts'
import { isUnreachable } from '../temporal/unreachable.ts'
import { type RunsLately, runKey } from '../webhooks/runs-lately.ts'
import type { Core } from './core.ts'
import { startSweep } from './sweep.ts'

/** How soon an event is on its way whose process died between its commit and the start of its webhook workflow. */
const SWEEP_INTERVAL_MS = 5_000
/** Far longer than a start takes, so that an ordinary event is never started twice. */
const UNBEGUN_AFTER_MS = 5_000
/** Longer than an attempt and its record take, also where a host has many waiting: whoever goes on with it is alive. */
const ABANDONED_AFTER_MS = 5 * 60_000

const BATCH_SIZE = 200
/** Starts that are under way at once: Temporal answers them in parallel, and payments want to be answered, too. */
const STARTS_AT_ONCE = 10

/**
 * Looks every few seconds for events that somebody waits for and that no workflow sends: because a process died right
 * after the commit, because Temporal was away, because a run was terminated or lost. What was committed is sent, or
 * abandoned by its schedule; nothing is forgotten. Every worker process does it; a second start changes nothing.
 */
export function sweepWebhooks(
  core: SweepCore,
  { webhookStarter, lately }: { webhookStarter: WebhookStarter; lately: RunsLately },
  shutdown: Shutdown,
): void {
  const run = (stopping: AbortSignal) => startWaitingEvents(core, webhookStarter, lately, stopping)
  startSweep({ name: 'The sweep of webhooks', intervalMs: SWEEP_INTERVAL_MS, run }, core.logger, shutdown)
}

type SweepCore = Pick<Core, 'orm' | 'clock' | 'logger'>

/**
 * @param lately runs of which this process knows: they wait for their turn at their receiver, perhaps with thousands of
 *   others, and are not started again at each sweep, which would cost Temporal as much as a start. What this one starts is
 *   added.
 */
export async function startWaitingEvents(
  { orm, clock, logger }: SweepCore,
  webhookStarter: WebhookStarter,
  lately: RunsLately = new Map(),
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock.now().getTime()
  const abandonedBefore = new Date(now - ABANDONED_AFTER_MS)
  const unbegunBefore = new Date(now - UNBEGUN_AFTER_MS)
  for (const [key, startedAt] of lately) if (startedAt <= now - ABANDONED_AFTER_MS) lately.delete(key)
  // A run that was closed before its time is in the way of a first start, so what waits for long is started again.
  const isAbandoned = ({ since }: WaitingEvent) => since < abandonedBefore
  /** One event that cannot be started does not keep the others waiting, unless none can be. */
  const start = async (event: WaitingEvent): Promise<Outcome> => {
    const key = runKey(event)
    if (lately.has(key)) return 'started'
    // Before it is started, because the next one may be another delivery of the same event.
    lately.set(key, now)
    try {
      await webhookStarter.start(event, isAbandoned(event) ? 'again' : undefined)
      return 'started'
    } catch (error) {
      lately.delete(key)
      logger.warn({ err: error, event_id: event.eventId }, 'A webhook was not started; trying again soon')
      return isUnreachable(error) ? 'unreachable' : 'refused'
    }
  }
  const unbegun = (place: Place) => findUnbegunDeliveries(orm.em.fork(), unbegunBefore, place, BATCH_SIZE)
  const overdue = (place: Place) => findOverdueDeliveries(orm.em.fork(), abandonedBefore, place, BATCH_SIZE)
  await startAll(unbegun, start, stopping)
  await startAll(overdue, start, stopping)
}

type Outcome = 'started' | 'refused' | 'unreachable'

/** Goes through everything that is found, a batch at a time, until Temporal is found to be away. */
async function startAll(
  find: (place: Place) => Promise<WaitingEvent[]>,
  start: (event: WaitingEvent) => Promise<Outcome>,
  stopping: AbortSignal | undefined,
): Promise<void> {
  let place: Place = null
  for (;;) {
    const events: WaitingEvent[] = await find(place)
    for (let first = 0; first < events.length; first += STARTS_AT_ONCE) {
      if (stopping?.aborted === true) return
      const outcomes = await Promise.all(events.slice(first, first + STARTS_AT_ONCE).map(start))
      if (outcomes.includes('unreachable')) return
    }
    place = events.at(-1) ?? null
    if (events.length < BATCH_SIZE) return
  }
}
