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

/** Far longer than a start takes, so that an ordinary event is never started twice. */
const UNBEGUN_AFTER_MS = 5_000
/** Longer than an attempt and its record take, also where a host has many waiting: whoever goes on with it is alive. */
const ABANDONED_AFTER_MS = 5 * 60_000

const BATCH_SIZE = 200
/** Starts that are under way at once: Temporal answers them in parallel, and payments want to be answered, too. */
const STARTS_AT_ONCE = 10

interface SweepDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

/**
 * Looks for events that somebody waits for and that no workflow sends: because a process died right
 * after the commit, because Temporal was away, because a run was terminated or lost. What was committed is sent, or
 * abandoned by its schedule; nothing is forgotten. A second start of the same event changes nothing.
 */
export async function startWaitingEvents(
  { orm, clock, logger }: SweepDeps,
  webhookStarter: WebhookStarter,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock.now()
  const abandonedBefore = new Date(now.getTime() - ABANDONED_AFTER_MS)
  const unbegunBefore = new Date(now.getTime() - UNBEGUN_AFTER_MS)
  /** One event that cannot be started does not keep the others waiting, unless none can be. */
  const start = async (event: WaitingEvent): Promise<Outcome> => {
    try {
      // A run that was closed before its time is in the way of a first start, so what waits for long is started again.
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

/** Goes through everything that is found, a batch at a time, until Temporal is found to be away. */
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
