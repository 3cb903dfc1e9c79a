/** What is told of many latencies, in milliseconds. */
export interface Latencies {
  count: number
  p50: number
  p95: number
  p99: number
  max: number
}

/** Exact, by nearest rank: all values are kept, because a run has thousands of them and not millions. */
export function summarize(latencies: readonly number[]): Latencies {
  if (latencies.length === 0) throw new Error('Nothing was measured.')
  const sorted = latencies.toSorted((a, b) => a - b)
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] as number
  return { count: sorted.length, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) }
}

/** Of repeats; the mean of the two in the middle where their number is even. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('Nothing was measured.')
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1] as number, sorted[Math.floor(middle)] as number]
  return (low + high) / 2
}

/** The smallest and the largest of the repeats. */
export function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

/**
 * How much ends in a second in the half that ends last, when most is compiled already.
 *
 * @param instants at which operations ended, in milliseconds and in any order.
 */
export function rateOfLastHalf(instants: readonly number[]): number {
  const ends = instants.toSorted((a, b) => a - b)
  const middle = Math.floor(ends.length / 2)
  const [half, last] = [ends[middle], ends.at(-1)]
  if (half === undefined || last === undefined || last <= half) throw new Error('Too little was measured for a rate.')
  return ((ends.length - 1 - middle) / (last - half)) * 1000
}
