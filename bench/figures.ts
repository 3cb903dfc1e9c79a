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
  return ((sorted[Math.ceil(middle) - 1] as number) + (sorted[Math.floor(middle)] as number)) / 2
}

/** What a figure is held to, its ratio where it stands beside another; and what it is to reach. */
export type Bar = { goal?: number } & ({ atMost: number } | { atLeast: number })

export interface Figure {
  name: string
  /** `/s`, `ms`, or nothing for a number of things. */
  unit: string
  /** Median of the repeats, and the smallest and largest of them. */
  measured: number
  spread: [number, number]
  /** What was measured in the same run, interleaved with it: the median of the ratios of the repeats, and their extremes. */
  beside?: { name: string; measured: number; ratio: number; ratioSpread: [number, number] }
  bar?: Bar & { holds: boolean; isReached?: boolean }
}

/** One repeat, and what was measured right beside it. */
export interface Measured {
  measured: number
  beside?: number
}

/** @throws Error where nothing was measured. */
export function figureOf(
  text: { name: string; unit: string; besideName?: string; bar?: Bar | undefined },
  repeats: readonly (Measured | number)[],
): Figure {
  const { name, unit, besideName, bar } = text
  const each = repeats.map((repeat) => (typeof repeat === 'number' ? { measured: repeat } : repeat))
  const values = each.map(({ measured }) => measured)
  const besides = each.flatMap(({ beside }) => beside ?? [])
  const ratios = besideName === undefined ? [] : each.map(({ measured, beside = Number.NaN }) => measured / beside)
  const measured = median(values)
  const judged = ratios.length === 0 ? measured : median(ratios)
  return {
    name,
    unit,
    measured,
    spread: spread(values),
    ...(besideName !== undefined && {
      beside: { name: besideName, measured: median(besides), ratio: median(ratios), ratioSpread: spread(ratios) },
    }),
    ...(bar !== undefined && { bar: judge(bar, judged) }),
  }
}

function spread(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}

function judge(bar: Bar, value: number): NonNullable<Figure['bar']> {
  const reaches = (limit: number) => ('atMost' in bar ? value <= limit : value >= limit)
  return {
    ...bar,
    holds: reaches('atMost' in bar ? bar.atMost : bar.atLeast),
    ...(bar.goal !== undefined && { isReached: reaches(bar.goal) }),
  }
}
