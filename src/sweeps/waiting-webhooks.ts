import type { WebhookStarter } from '../../activities/dependencies.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import {
  findOverdueDeliveries,
  findUnbegunDeliveries,
  noteStarted,
  type Place,
  type WaitingEvent,
} from '../persistence/queries/webhooks/waiting-deliveries.ts'
import { isUnreachable } from '../temporal/unreachable.ts'
import { webhookWorkflowId } from '../temporal/workflow-ids.ts'

/** Far longer than a start takes, so that a normal event is never started twice. */
const UNBEGUN_AFTER_MS = 5_000
/** Longer than an attempt and its record take, also where many wait for a host: after this time the run is lost. */
const ABANDONED_AFTER_MS = 5 * 60_000

const BATCH_SIZE = 200
/** Concurrent starts: Temporal answers them in parallel, but payments need it, too. */
const STARTS_AT_ONCE = 10

interface SweepDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

/**
 * Finds events with waiting deliveries that no workflow sends: the process died right after the commit, Temporal was
 * unreachable, or a run was terminated or lost. Every committed event is sent, or given up by its schedule. A second start
 * of the same event changes nothing.
 */
export async function startWaitingEvents(
  { orm, clock, logger }: SweepDeps,
  webhookStarter: WebhookStarter,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const abandonedBefore = new Date(now.getTime() - ABANDONED_AFTER_MS)
  const unbegunBefore = new Date(now.getTime() - UNBEGUN_AFTER_MS)
  /** One failed start does not stop the others, unless Temporal is unreachable. */
  const start = async (event: WaitingEvent): Promise<Outcome> => {
    try {
      // A closed run blocks a first start; an event that has waited for long is therefore started again.
      await webhookStarter.start(event, event.since < abandonedBefore ? 'again' : undefined)
      return 'started'
    } catch (error) {
      logger.warn({ err: error, event_id: event.eventId }, 'A webhook was not started; trying again soon')
      return isUnreachable(error) ? 'unreachable' : 'refused'
    }
  }
  const outcomes = new Map<string, Promise<Outcome>>()
  const sweep: Sweep = {
    /** Once for all deliveries of a run. */
    start(event) {
      const key = webhookWorkflowId(event.eventId, event.run)
      const outcome = outcomes.get(key) ?? start(event)
      outcomes.set(key, outcome)
      return outcome
    },
    noteStarted: (events) => noteStarted(orm.em.fork(), events, now),
    isStopping: () => stopping?.aborted === true,
  }
  await startAll(sweep, (place) => findUnbegunDeliveries(orm.em.fork(), unbegunBefore, place, BATCH_SIZE))
  await startAll(sweep, (place) => findOverdueDeliveries(orm.em.fork(), abandonedBefore, place, BATCH_SIZE))
}

type Outcome = 'started' | 'refused' | 'unreachable'

interface Sweep {
  start(event: WaitingEvent): Promise<Outcome>
  noteStarted(events: readonly WaitingEvent[]): Promise<void>
  isStopping(): boolean
}

/** Starts all found events, a batch at a time, until Temporal is unreachable. */
async function startAll(sweep: Sweep, find: (place: Place) => Promise<WaitingEvent[]>): Promise<void> {
  let place: Place = null
  for (;;) {
    const events: WaitingEvent[] = await find(place)
    for (let first = 0; first < events.length; first += STARTS_AT_ONCE) {
      if (sweep.isStopping()) return
      const some = events.slice(first, first + STARTS_AT_ONCE)
      const outcomes = await Promise.all(some.map((event) => sweep.start(event)))
      await sweep.noteStarted(some.filter((_, index) => outcomes[index] === 'started'))
      if (outcomes.includes('unreachable')) return
    }
    place = events.at(-1) ?? null
    if (events.length < BATCH_SIZE) return
  }
}
