import { summarize } from '../measure/statistics.ts'
import { type Figure, figureOf, type Measured } from '../report/figure.ts'
import { type Caller, OPERATIONS, type Operation } from './callers.ts'

/** What one run of an operation gave. */
export interface Cost {
  ratePerSecond: number
  p50: number
  p99: number
}

/** One repeat: all operations, one right after the other. */
export type Costs = Record<Operation, Cost>

/** Measures each operation by all of these processes at once. */
export async function measureCosts(callers: readonly Caller[], seconds: number): Promise<Costs> {
  const costs: Partial<Costs> = {}
  for (const operation of OPERATIONS) {
    const measured = await Promise.all(callers.map((caller) => caller.measure(operation, seconds * 1000)))
    const latencies = measured.flat()
    const { p50, p99 } = summarize(latencies)
    costs[operation] = { ratePerSecond: latencies.length / seconds, p50, p99 }
  }
  return costs as Costs
}

/** What a request costs beside a statement that does nothing, and beside the look-up of its key alone. */
export function figuresOf(who: string, repeats: readonly Costs[]): Figure[] {
  const pairs = (of: (cost: Cost) => number, beside: Operation): Measured[] =>
    repeats.map((costs) => ({ measured: of(costs.admit), beside: of(costs[beside]) }))
  const latency = (percentile: 'p50' | 'p99', beside: Operation, besideName: string) =>
    figureOf(
      { name: `${who}, ${percentile}`, unit: 'ms', besideName },
      pairs((cost) => cost[percentile], beside),
    )
  return [
    latency('p50', 'floor', 'select 1'),
    latency('p99', 'floor', 'select 1'),
    latency('p50', 'lookup', 'the key alone'),
    latency('p99', 'lookup', 'the key alone'),
    figureOf(
      { name: `${who}, requests`, unit: '/s', besideName: 'the key alone' },
      pairs((cost) => cost.ratePerSecond, 'lookup'),
    ),
  ]
}
