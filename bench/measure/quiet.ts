import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from './clock.ts'
import { watchOthers } from './cpu.ts'

/** Above this share of the machine, others make everything wait, and what is measured is them. */
const OTHERS_MAX = 0.1
const LOOK_MS = 2_000

/** The share of the machine that others had meanwhile; null where the system does not tell. */
export interface Watched {
  others: number | null
}

export interface QuietRunner {
  /** Measures when the machine is quiet, and again where it was not for all the time, as long as there is patience. */
  run<Result extends object>(measureOnce: () => Promise<Result>): Promise<Result & Watched>
}

/**
 * Keeps others out of the figures, by what they compute and not by what was measured: whether a repeat counts
 * never depends on its result.
 *
 * @param patienceMs for all waiting and all repeats that do not count; when it is used up, everything counts.
 */
export function createQuietRunner(patienceMs: number, signal: AbortSignal): QuietRunner {
  let patience = patienceMs
  const isQuiet = (others: number | null) => others === null || others <= OTHERS_MAX

  async function waitForQuiet(): Promise<void> {
    while (patience > 0) {
      const others = watchOthers()
      await sleep(LOOK_MS, undefined, { signal })
      if (isQuiet(others())) return
      patience -= LOOK_MS
    }
  }

  return {
    async run(measureOnce) {
      for (;;) {
        await waitForQuiet()
        const [others, startedAt] = [watchOthers(), monotonicMs()]
        const watched = { ...(await measureOnce()), others: others() }
        if (isQuiet(watched.others) || patience <= 0) return watched
        patience -= monotonicMs() - startedAt
      }
    },
  }
}
