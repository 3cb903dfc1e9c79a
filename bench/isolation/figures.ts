import type { Watched } from '../measure/quiet.ts'
import type { Latencies } from '../measure/statistics.ts'
import { type Figure, figureOf } from '../report/figure.ts'
import type { Options } from './options.ts'
import type { Pair } from './pair.ts'

/** How much slower the 99th of a hundred payments may be while another gateway hangs. */
const RATIO_AT_MOST = 1.2

const SHARES = ['p50', 'p95', 'p99'] as const satisfies (keyof Latencies)[]

/** The median of the pairs, for each share of the payments; the bar is for the slowest. */
export function figuresOf(pairs: readonly (Pair & Watched)[], { rate, hangingRate }: Options): Figure[] {
  return SHARES.map((share) =>
    figureOf(
      {
        name: `authorize while another gateway hangs (${hangingRate}/s), ${share} at ${rate}/s`,
        unit: 'ms',
        besideName: 'alone',
        bar: share === 'p99' ? { atMost: RATIO_AT_MOST } : undefined,
      },
      pairs.map(({ beside, alone }) => ({ measured: beside[share], beside: alone[share] })),
    ),
  )
}
