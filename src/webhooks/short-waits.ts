import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits that are spent in this process, of which there are only so many at once. */
export interface ShortWaits {
  /** @returns false, and at once, where too many wait already or the process is to stop. */
  wait(milliseconds: number): Promise<boolean>
}

/**
 * @param options.waitsMax each wait holds a slot for activities.
 * @param options.signal aborted, it ends all waits.
 */
export function createShortWaits({ waitsMax, signal }: { waitsMax: number; signal: AbortSignal }): ShortWaits {
  const stopped = AbortSignal.any([signal])
  // Node takes more than ten for a leak.
  setMaxListeners(waitsMax, stopped)
  let waiting = 0
  return {
    async wait(milliseconds) {
      if (waiting >= waitsMax || stopped.aborted) return false
      waiting += 1
      try {
        await sleep(milliseconds, undefined, { signal: stopped })
        return true
      } catch (error) {
        if (stopped.aborted) return false
        throw error
      } finally {
        waiting -= 1
      }
    },
  }
}
