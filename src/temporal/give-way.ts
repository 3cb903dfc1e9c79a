import { setTimeout as wait } from 'node:timers/promises'

/** About what a start takes with the webhook that goes out in its first workflow task, where it does not wait for a core. */
const QUIET_MS = 50
/** About what an attempt takes of this process, without the receiver's time. */
const APART_MS = 20

/** Lets webhooks that are not urgent begin when no other has begun in this process just now, and one by one. */
export interface GiveWay {
  /** A webhook begins that is not to wait. */
  begins(): void
  /** Resolves when it is the turn of whoever asks, and however busy the process is after that many milliseconds. */
  turn(maxMs: number): Promise<void>
}

/** Milliseconds from any instant on, and waits; others for tests. */
interface Pace {
  now?(): number
  sleep?(milliseconds: number): Promise<unknown>
}

export function createGiveWay({
  now = () => performance.now(),
  sleep = (milliseconds) => wait(milliseconds, undefined, { ref: false }),
}: Pace = {}): GiveWay {
  let quietAt = Number.NEGATIVE_INFINITY
  return {
    begins() {
      quietAt = now() + QUIET_MS
    },
    // Several may wake at the same instant, roughly in the order in which they asked; the first has the others wait on.
    async turn(maxMs) {
      const latest = now() + maxMs
      for (;;) {
        const waitMs = Math.min(quietAt, latest) - now()
        if (waitMs <= 0) break
        await sleep(Math.ceil(waitMs))
      }
      quietAt = Math.max(quietAt, now() + APART_MS)
    },
  }
}
