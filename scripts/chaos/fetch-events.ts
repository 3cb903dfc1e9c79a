import type { CommittedEvent } from './audit.ts'
import { pick } from './random.ts'
import type { Shop } from './shops.ts'

/** As many as a merchant's server might fetch at once. */
const AT_ONCE = 8

/** Fetches every event as its merchant does who has got its id, and tells of those that cannot be had. */
export async function findUnfetchable(
  shops: readonly Shop[],
  events: readonly CommittedEvent[],
  signal: AbortSignal,
): Promise<string[]> {
  const queue = [...events]
  const faults: string[] = []
  const fetchAll = async () => {
    for (let event = queue.pop(); event !== undefined; event = queue.pop()) {
      signal.throwIfAborted()
      const { id, projectId, name } = event
      const shop = shops.find((one) => one.projectId === projectId)
      const answer = shop === undefined ? undefined : await pick(Math.random, shop.clients).get(`/events/${id}`)
      const isThere = answer?.status === 200 && answer.body.event.id === id && answer.body.event.name === name
      if (!isThere) faults.push(`The event ${id} cannot be fetched: ${JSON.stringify(answer?.body)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchAll))
  return faults
}
