import type uPlot from 'uplot'

export interface ChartSeries {
  name: string
  values: readonly (number | null)[]
  kind: 'bars' | 'line' | 'area'
  /** Whether it is measured by the axis on the right, which reaches to `mostRight`. */
  isRight?: boolean
  /** The number of a colour: `--chart-1` and so on. */
  color: number
}

export interface ChartProps {
  /** What the chart shows, in a sentence. */
  label: string
  /** What the steps are called, the oldest first. */
  steps: readonly string[]
  series: readonly ChartSeries[]
  /** How a value is written in full; the second argument is its step. */
  format(value: number, step: number, series: number): string
  /** How a value is written at the axis. */
  formatAxis(value: number): string
  /** The highest value that there can be. */
  most?: number
  mostRight?: number
  height?: number
}

export interface Drawn {
  series: ChartSeries
  heights: (number | null)[]
}

/**
 * What is drawn, from back to front. Bars stand on one another: each is as high as it and all before it, so the highest are
 * behind the others. Lines are in front.
 */
export function drawnSeries(series: readonly ChartSeries[]): Drawn[] {
  const bars: Drawn[] = []
  for (const one of series.filter(({ kind }) => kind === 'bars')) {
    const below = bars.at(-1)?.heights
    bars.push({ series: one, heights: one.values.map((value, step) => (value ?? 0) + (below?.[step] ?? 0)) })
  }
  const lines = series.filter(({ kind }) => kind !== 'bars')
  return [...bars.toReversed(), ...lines.map((one) => ({ series: one, heights: [...one.values] }))]
}

const DISTANCE = 12

/** Shows the values of the step under the pointer. */
export function tooltip({ steps, series, format }: ChartProps): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'chart-tooltip'
  box.hidden = true

  function show(step: number): void {
    const title = document.createElement('strong')
    title.textContent = steps[step] ?? ''
    const lines = series.flatMap(({ name, values, color }, number) => {
      const value = values[step]
      if (value == null) return []
      const line = document.createElement('div')
      line.dataset.color = String(color)
      const words = document.createElement('span')
      words.textContent = name
      const amount = document.createElement('span')
      amount.textContent = format(value, step, number)
      line.append(words, amount)
      return [line]
    })
    box.replaceChildren(title, ...lines)
  }

  return {
    hooks: {
      ready: (plot) => void plot.over.append(box),
      setCursor(plot) {
        const { left = -1, idx } = plot.cursor
        box.hidden = left < 0 || idx == null
        if (box.hidden || idx == null) return
        show(idx)
        // Beside the pointer, on the side with more room, and never outside.
        const width = plot.over.clientWidth
        const wanted = left > width / 2 ? left - box.offsetWidth - DISTANCE : left + DISTANCE
        box.style.left = `${Math.max(0, Math.min(wanted, width - box.offsetWidth))}px`
      },
    },
  }
}
