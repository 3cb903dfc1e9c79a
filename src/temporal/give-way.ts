import { setTimeout as wait } from 'node:timers/promises'

/** About what a start takes with the webhook that goes out in its first workflow task, where it does not wait for a core. */
const QUIET_MS = 50
/** Nobody who gives way is kept waiting for longer, however busy the process is. */
const GIVES_WAY_MAX_MS = 1_000

/** Lets what is not urgent begin when nothing else has begun just now, one by one. */
export interface GiveWay {
  /** Something begins that is not to wait. */
  begins(): void
  /** Resolves when it is the turn of whoever asks, after a second at most. */
  turn(): Promise<void>
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
  let begunAt = Number.NEGATIVE_INFINITY
  let line = Promise.resolve()

  async function waitUntilQuiet(latest: number): Promise<void> {
    for (;;) {
      const waitMs = Math.min(begunAt + QUIET_MS, latest) - now()
      if (waitMs <= 0) break
      await sleep(Math.ceil(waitMs))
    }
    begunAt = now()
  }

  return {
    begins() {
      begunAt = now()
    },
    turn() {
      const latest = now() + GIVES_WAY_MAX_MS
      line = line.then(() => waitUntilQuiet(latest))
      return line
    },
  }
}
