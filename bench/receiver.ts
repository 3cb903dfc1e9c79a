import { setTimeout as sleep } from 'node:timers/promises'
import type { Core } from '../src/processes/core.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { startHelper } from './helper.ts'
import { monotonicMs } from './load.ts'

/** After a crash the sweep needs some seconds; where nothing goes wrong, all is there within one. */
const ARRIVAL_TIMEOUT_MS = 60_000
const POLL_MS = 100

/** What the process says: where it listens, and then which event arrived when, by the common clock. */
export interface ReceiverMessage {
  healthy?: string[]
  silent?: string[]
  eventId?: string
  at?: number
}

/** The merchants' servers, in a process of their own. */
export interface Receiver {
  /** Addresses of servers that answer 200 at once, and of those that never answer. */
  healthy: readonly string[]
  silent: readonly string[]
  /** Has the silent servers close their connections. */
  hangUp(): void
  /** @returns when the event arrived. @throws Error where it has not after a minute. */
  arrivalOf(eventId: string): Promise<number>
  /**
   * Waits until every event of these projects that has a delivery is delivered, once, and has arrived.
   *
   * @returns when the last of all arrived; how many events there are, and how many came more than once, which is allowed.
   */
  allArrived(projectIds: readonly string[]): Promise<{ lastAt: number; events: number; duplicates: number }>
}

const DELIVERIES = "from delivery where project_id = any (string_to_array(?, ','))"

interface Arrival {
  times: number
  at: PromiseWithResolvers<number>
}

export async function startReceiver(
  count: { healthy: number; silent: number },
  { orm }: Core,
  shutdown: Shutdown,
): Promise<Receiver> {
  const args = [String(count.healthy), String(count.silent)]
  const { first, send, onMessage } = await startHelper<ReceiverMessage>('receiver', args, shutdown)
  const arrivals = new Map<string, Arrival>()
  const of = (eventId: string): Arrival => {
    const arrival = arrivals.get(eventId) ?? { times: 0, at: Promise.withResolvers<number>() }
    arrivals.set(eventId, arrival)
    return arrival
  }
  const read = <Row>(sql: string, projectIds: readonly string[]) =>
    orm.em.fork().execute<Row[]>(sql, [projectIds.join()])
  let lastAt = 0
  onMessage(({ eventId, at = 0 }) => {
    if (eventId === undefined) return
    const arrival = of(eventId)
    arrival.times += 1
    arrival.at.resolve(at)
    lastAt = Math.max(lastAt, at)
  })
  const { signal } = shutdown
  return {
    healthy: first.healthy ?? [],
    silent: first.silent ?? [],
    hangUp: () => send({}),
    async arrivalOf(eventId) {
      const arrived = new AbortController()
      const tooLate = sleep(ARRIVAL_TIMEOUT_MS, null, { signal: AbortSignal.any([signal, arrived.signal]) })
      try {
        const at = await Promise.race([of(eventId).at.promise, tooLate])
        if (at === null) throw new Error(`${eventId} has not arrived within ${ARRIVAL_TIMEOUT_MS / 1000} s.`)
        return at
      } finally {
        arrived.abort()
        tooLate.catch(() => undefined)
      }
    },
    async allArrived(projectIds) {
      const givesUpAt = monotonicMs() + ARRIVAL_TIMEOUT_MS
      for (;;) {
        // One row until all is delivered, because it is asked for while the last webhooks are sent.
        const [open] = await read<{ count: number }>(
          `select count(*)::int as count ${DELIVERIES} and status <> 'delivered'`,
          projectIds,
        )
        // An event that nobody wants has no delivery; those fired before the endpoint was there are such.
        const ids = open?.count
          ? null
          : (await read<{ id: string }>(`select event_id as id ${DELIVERIES}`, projectIds)).map(({ id }) => id)
        if (ids !== null && new Set(ids).size !== ids.length) throw new Error('An event has two deliveries.')
        if (ids?.every((id) => of(id).times > 0))
          return { lastAt, events: ids.length, duplicates: ids.filter((id) => of(id).times > 1).length }
        if (monotonicMs() > givesUpAt) throw new Error(`Not every event has arrived; ${open?.count} are not delivered.`)
        await sleep(POLL_MS, undefined, { signal })
      }
    },
  }
}
