import type { Watched } from '../measure/quiet.ts'
import { type Latencies, median } from '../measure/statistics.ts'
import { type Figure, figureOf } from '../report/figure.ts'
import type { Arrivals } from './arrival.ts'
import type { Ceiling } from './ceiling.ts'
import type { Pair } from './dead-endpoints.ts'
import type { Options } from './options.ts'

/** What the repeats gave, in their order. */
export interface Measured {
  ceilings: (Ceiling & Watched)[]
  /** What was offered where it was not the ceiling that was looked for. */
  ratePerSecond: number
  arrivals: (Arrivals & Watched)[]
  pairs: (Pair & Watched)[]
}

/** How much slower healthy endpoints may be while a fifth of all endpoints is dead. */
const RATIO_WITH_DEAD_MAX = 1.5

const SHARES = ['p50', 'p95', 'p99'] as const satisfies (keyof Latencies)[]

const FLOOR = 'start of an empty workflow'
const NO_DEAD = { absent: 'without them', alive: 'with them alive' }

export function figuresOf({ ceilings, ratePerSecond, arrivals, pairs }: Measured, options: Options): Figure[] {
  const rate = `${ratePerSecond.toFixed(0)}/s`
  return [
    figureOf(
      { name: `deliveries, ${options.concurrency} callers`, unit: '/s', besideName: FLOOR },
      ceilings.map(({ deliveries, floor }) => ({ measured: deliveries, beside: floor })),
    ),
    ...SHARES.map((share) =>
      figureOf(
        { name: `commit to arrival, ${share} at ${rate}`, unit: 'ms', besideName: FLOOR },
        arrivals.map(({ deliveries, floor }) => ({ measured: deliveries[share], beside: floor[share] })),
      ),
    ),
    ...SHARES.map((share) =>
      figureOf(
        {
          name: `among 20 % dead endpoints, ${share} at ${rate}`,
          unit: 'ms',
          besideName: NO_DEAD[options.beside],
          bar: share === 'p99' ? { atMost: RATIO_WITH_DEAD_MAX } : undefined,
        },
        pairs.map(({ withDead, withoutDead }) => ({ measured: withDead[share], beside: withoutDead[share] })),
      ),
    ),
  ]
}

/** The share of the machine that others had, the median of all repeats; null where the system does not tell. */
export function othersOf({ ceilings, arrivals, pairs }: Measured): number | null {
  const shares = [...ceilings, ...arrivals, ...pairs].flatMap(({ others }) => others ?? [])
  return shares.length === 0 ? null : median(shares)
}
