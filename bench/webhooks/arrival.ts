import type { Floor } from '../floor/floor.ts'
import { openModel } from '../measure/load.ts'
import { seededRandom } from '../measure/random.ts'
import { type Latencies, summarize } from '../measure/statistics.ts'
import type { Bench } from './bench.ts'
import type { Merchant } from './merchants.ts'

/** From the commit to the arrival, beside the answer to the start of an empty workflow, at the same instants. */
export interface Arrivals {
  deliveries: Latencies
  floor: Latencies
}

export async function measureArrivals(
  {
    floor,
    deliveries,
    options,
    signal,
  }: Pick<Bench, 'deliveries' | 'options' | 'signal'> & { floor: Pick<Floor, 'start'> },
  merchant: Merchant,
  { ratePerSecond, seed }: { ratePerSecond: number; seed: number },
): Promise<Arrivals> {
  const load = () => ({
    ratePerSecond,
    durationMs: options.arrivalSeconds * 1000,
    random: seededRandom(seed),
    signal,
  })
  const starts = await openModel(load(), () => floor.start())
  const arrivals = await openModel(load(), () => deliveries.deliver(merchant))
  return { deliveries: summarize(arrivals), floor: summarize(starts) }
}
