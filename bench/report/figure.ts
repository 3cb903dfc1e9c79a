import { median, spread } from '../measure/statistics.ts'

/**
 * What a figure is held to: its ratio where it stands beside another, unless `of` says that what was measured is meant;
 * else what was measured.
 */
export type Bar = { stretch?: number; of?: 'measured' } & ({ atMost: number } | { atLeast: number })

/** What was measured in the same run, interleaved with it. */
export interface Beside {
  name: string
  /** Median of the repeats. */
  measured: number
  /** The median of the ratios of the repeats, and the smallest and largest of them. */
  ratio: number
  ratioSpread: [number, number]
}

export interface Figure {
  name: string
  /** `/s`, `ms`, or nothing for a number of things. */
  unit: string
  /** Median of the repeats, and the smallest and largest of them. */
  measured: number
  spread: [number, number]
  beside?: Beside
  bar?: Bar & { holds: boolean; holdsStretch?: boolean }
}

/** The value of each repeat, and what was measured right beside it where there is such a thing. */
export type Measured = { measured: number; beside: number }

interface FigureText {
  name: string
  unit: string
  bar?: Bar | undefined
}

/**
 * Puts repeats together: a figure with something beside it, and its ratio to that.
 *
 * @param repeats each with what was measured right beside it.
 * @throws Error where nothing was measured.
 */
export function figureOf(
  { name, unit, bar, besideName }: FigureText & { besideName: string },
  repeats: readonly Measured[],
): Figure {
  const ratios = repeats.map(({ measured, beside }) => measured / beside)
  const ratio = median(ratios)
  const beside = median(repeats.map((repeat) => repeat.beside))
  const values = repeats.map(({ measured }) => measured)
  return {
    ...absoluteFigureOf({ name, unit }, values),
    beside: { name: besideName, measured: beside, ratio, ratioSpread: spread(ratios) },
    ...(bar === undefined ? {} : { bar: judge(bar, bar.of === 'measured' ? median(values) : ratio) }),
  }
}

/** The same for what has nothing to stand beside. */
export function absoluteFigureOf({ name, unit, bar }: FigureText, repeats: readonly number[]): Figure {
  const measured = median(repeats)
  return {
    name,
    unit,
    measured,
    spread: spread(repeats),
    ...(bar === undefined ? {} : { bar: judge(bar, measured) }),
  }
}

function judge(bar: Bar, value: number): NonNullable<Figure['bar']> {
  const reaches = (limit: number) => ('atMost' in bar ? value <= limit : value >= limit)
  return {
    ...bar,
    holds: reaches('atMost' in bar ? bar.atMost : bar.atLeast),
    ...(bar.stretch === undefined ? {} : { holdsStretch: reaches(bar.stretch) }),
  }
}
