import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError, type HoldfastError, RateLimitError, UnavailableError } from '../../../node/src/index.ts'
import { type Io, remark } from '../io.ts'

/** 60 requests a minute, of usually 3000. */
const PAUSE_MS = 1000

/**
 * Reads again and again what is new, until Ctrl-C. A service that does not answer is told once, and waited for.
 *
 * @param read goes on where it was the last time.
 * @throws HoldfastError where waiting would not help, such as a key that was revoked.
 */
export async function follow(io: Io, read: () => Promise<void>): Promise<void> {
  let isAway = false
  while (!io.signal.aborted) {
    try {
      await read()
      if (isAway) remark(io, 'The service answers again.')
      isAway = false
      await sleep(PAUSE_MS, undefined, { signal: io.signal })
    } catch (error) {
      if (io.signal.aborted) return
      if (!isPassing(error)) throw error
      if (!isAway) remark(io, `${error.message} Waiting for it; nothing is lost. Ctrl-C ends.`)
      isAway = true
      await sleep((error.retryAfter ?? 1) * 1000, undefined, { signal: io.signal }).catch(() => undefined)
    }
  }
}

function isPassing(error: unknown): error is HoldfastError {
  return [ConnectionError, UnavailableError, RateLimitError].some((kind) => error instanceof kind)
}
