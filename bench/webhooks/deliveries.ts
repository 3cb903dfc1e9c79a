import { setTimeout as sleep } from 'node:timers/promises'
import { addCustomer } from '../../src/http/routes/customers.ts'
import { makeChanges } from '../../src/persistence/queries/webhooks/project-event.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { createAnnouncer, createWebhookStarter } from '../../src/temporal/webhook-starter.ts'
import { monotonicMs } from '../measure/clock.ts'
import type { Arrival } from '../stage/receiver.ts'
import type { Merchant, Served } from './merchants.ts'

/** Events come within milliseconds, and after a crash by the sweep, a few seconds later. */
const ARRIVAL_TIMEOUT_MS = 60_000

/** An event that was committed. */
interface Fired {
  merchant: Merchant
  /** Right after the commit, by the common clock. */
  committedAt: number
  arrivals: number
  arrived: PromiseWithResolvers<number>
}

export interface Deliveries {
  /**
   * Adds a customer for the merchant, as the API does, which fires an event and announces it after the commit.
   *
   * @returns the milliseconds from the commit until the merchant's server had the webhook.
   */
  deliver(merchant: Merchant): Promise<number>
  /** The same without waiting, for a merchant whose server is dead. */
  fire(merchant: Merchant): Promise<void>
  /** To be told of everything that arrives. */
  onArrival(arrival: Arrival): void
  /** How many were fired for the merchant, and how many of them arrived more than once. */
  countOf(merchant: Merchant): { fired: number; duplicates: number }
  /** The events that were fired for the merchant, in their order. */
  eventIdsOf(merchant: Merchant): string[]
}

export function createDeliveries(service: Served, signal: AbortSignal): Deliveries {
  const { orm, temporal, clock, randomBytes, logger } = service
  const starter = createWebhookStarter({ temporal: temporal.clients, taskQueues: TASK_QUEUES, eager: true })
  const announceAll = createAnnouncer(starter, logger)
  const fired = new Map<string, Fired>()

  async function fire(merchant: Merchant): Promise<Fired> {
    let last: Fired | undefined
    await makeChanges(
      {
        clock,
        randomBytes,
        announce(events) {
          const committedAt = monotonicMs()
          for (const { eventId } of events) {
            last = { merchant, committedAt, arrivals: 0, arrived: Promise.withResolvers<number>() }
            fired.set(eventId, last)
          }
          announceAll(events)
        },
      },
      orm.em.fork(),
      (transaction, changes) => addCustomer(changes, transaction, merchant.scope, {}),
    )
    if (last === undefined) throw new Error('A change has fired no event that somebody waits for.')
    return last
  }

  return {
    async deliver(merchant) {
      const { committedAt, arrived } = await fire(merchant)
      const done = new AbortController()
      const tooLate = sleep(ARRIVAL_TIMEOUT_MS, undefined, { signal: AbortSignal.any([signal, done.signal]) })
      const fail = () => Promise.reject(new Error(`An event has not arrived within ${ARRIVAL_TIMEOUT_MS / 1000} s.`))
      try {
        return (await Promise.race([arrived.promise, tooLate.then(fail)])) - committedAt
      } finally {
        done.abort()
      }
    },
    async fire(merchant) {
      await fire(merchant)
    },
    onArrival({ eventId, path, at }) {
      const event = fired.get(eventId)
      if (event === undefined) throw new Error(`${eventId} arrived, and nobody has fired it.`)
      if (event.merchant.path !== path) throw new Error(`${eventId} arrived at a wrong merchant: ${path}.`)
      event.arrivals += 1
      event.arrived.resolve(at)
    },
    countOf(merchant) {
      const own = [...fired.values()].filter((event) => event.merchant === merchant)
      return { fired: own.length, duplicates: own.filter(({ arrivals }) => arrivals > 1).length }
    },
    eventIdsOf: (merchant) => [...fired].flatMap(([eventId, event]) => (event.merchant === merchant ? [eventId] : [])),
  }
}
