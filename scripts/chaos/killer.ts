import { setTimeout as sleep } from 'node:timers/promises'
import type { ChaosOptions } from './options.ts'
import { pick, type Random, seededRandom } from './random.ts'
import { KINDS, type Supervised } from './supervised.ts'

/** Share of the kills that follow the one before at once, so that several are down at the same time. */
const QUICK_SHARE = 0.25
const QUICK_MAX_MS = 300
/** Half of the killed are started again at once, the others after up to so long. */
const PAUSE_MAX_MS = 3_000
/** Where nothing runs that could be killed. */
const NOBODY_WAIT_MS = 100

/** Kills running processes at random, every kind as often as any other, until so many have been killed. */
export async function killAtRandom(
  processes: readonly Supervised[],
  { kills, seed, intervalMs }: Pick<ChaosOptions, 'kills' | 'seed' | 'intervalMs'>,
  signal: AbortSignal,
): Promise<void> {
  const random = seededRandom(seed, 'kills')
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(waitOf(random, intervalMs), undefined, { signal })
    const kind = pick(random, KINDS)
    const running = () => processes.filter((one) => one.kind === kind && one.isRunning())
    while (running().length === 0) await sleep(NOBODY_WAIT_MS, undefined, { signal })
    pick(random, running()).kill(random() < 0.5 ? 0 : PAUSE_MAX_MS * random())
  }
}

/** Such that the average of all is the interval. */
function waitOf(random: Random, intervalMs: number): number {
  if (random() < QUICK_SHARE) return QUICK_MAX_MS * random()
  return (intervalMs / (1 - QUICK_SHARE)) * 2 * random()
}
