import { setTimeout as sleep } from 'node:timers/promises'
import { pick, seededRandom } from '../support/chance.ts'
import { KINDS, type Supervised } from '../support/processes/supervised.ts'
import type { ChaosOptions } from './options.ts'

/** Share of the kills that follow the one before at once, so that several are down at the same time. */
const QUICK_SHARE = 0.25
const QUICK_MAX_MS = 300
/** Half of the killed are started again at once, the others after up to so long. */
const PAUSE_MAX_MS = 3_000
/** Where nothing runs that could be killed. */
const NOBODY_WAIT_MS = 100

export type Killable = Pick<Supervised, 'kind' | 'isRunning' | 'kill' | 'kills' | 'endings'>

/** Kills running processes at random, every kind as often as any other, until so many have been killed. */
export async function killAtRandom(
  processes: readonly Killable[],
  { kills, seed, interval }: Pick<ChaosOptions, 'kills' | 'seed' | 'interval'>,
  signal: AbortSignal,
): Promise<void> {
  const random = seededRandom(~seed)
  // Such that the average of all is the interval.
  const wait = () =>
    random() < QUICK_SHARE ? QUICK_MAX_MS * random() : ((1000 * interval) / (1 - QUICK_SHARE)) * 2 * random()
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(wait(), undefined, { signal })
    const kind = pick(random, KINDS)
    const running = () => processes.filter((one) => one.kind === kind && one.isRunning())
    while (running().length === 0) await sleep(NOBODY_WAIT_MS, undefined, { signal })
    pick(random, running()).kill(random() < 0.5 ? 0 : PAUSE_MAX_MS * random())
  }
}
