import type { StagedPart } from '../parts/part.ts'
import { measurePart } from './part-of-way.ts'
import { AUTHORIZE } from './ways.ts'

/** Authorizations with so many API processes, asked in turn, and as many worker processes. */
export function authorizeApart(count: number): Pick<StagedPart, 'stage' | 'run'> {
  return {
    stage: { apis: count, workers: count },
    run: (context) =>
      measurePart(context, {
        operation: 'authorization',
        way: AUTHORIZE,
        bars: { latency: { atMost: 1.7, stretch: 1.3 }, throughput: { atLeast: 0.65, stretch: 0.8 } },
      }),
  }
}
