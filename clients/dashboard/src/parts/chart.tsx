/** A chart over equal steps of time, drawn by uPlot, and the same as a table for whoever does not see it. */
import { Table, useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { t } from '../words/words.ts'
import { type ChartProps, type Drawn, drawnSeries, tooltip } from './chart-parts.ts'

/** Of an axis: as wide as what stands there. */
const widthOf = (_plot: uPlot, words: string[] | null) =>
  Math.max(58, ...(words ?? []).map(({ length }) => 14 + 6.5 * length))

export function Chart(props: ChartProps) {
  const { label, steps, series } = props
  const [isTabular, setTabular] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  const scheme = useComputedColorScheme('light')
  // The series are made anew at each render; what is drawn depends on what they say.
  const drawn = JSON.stringify([steps, series, props.most])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `drawn` and the colours stand for the properties
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const parts = drawnSeries(series)
    const data: uPlot.AlignedData = [steps.map((_, step) => step), ...parts.map(({ heights }) => heights)]
    const plot = new uPlot(optionsOf(props, parts, element), data, element)
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: plot.height }))
    resized.observe(element)
    return () => {
      resized.disconnect()
      plot.destroy()
    }
  }, [drawn, scheme])
  return (
    <figure className="chart">
      {series.length > 1 && (
        <ul className="chart-legend" aria-hidden>
          {series.map(({ name, color }) => (
            <li key={name} data-color={color}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <div ref={frame} className="chart-frame" data-height={props.height ?? 'normal'} role="img" aria-label={label} />
      <details className="chart-table" onToggle={(event) => setTabular(event.currentTarget.open)}>
        <summary>{t('common.chart.table')}</summary>
        {/* Hundreds of cells for each chart, which a page that is opened should not wait for. */}
        {isTabular && <ChartTable {...props} />}
      </details>
    </figure>
  )
}

function ChartTable({ steps, series, format }: ChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <div className="table-frame" tabIndex={0}>
      <Table className="numbers">
        <thead>
          <tr>
            <th scope="col">{t('common.chart.time')}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" data-align="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step, at) => (
            <tr key={step}>
              <th scope="row">{step}</th>
              {series.map(({ name, values }, number) => (
                <td key={name} data-align="right">
                  {values[at] == null ? '–' : format(values[at], at, number)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function optionsOf(props: ChartProps, parts: readonly Drawn[], element: HTMLElement): uPlot.Options {
  const { steps, formatAxis, most, mostRight = 1 } = props
  const hasRight = parts.some(({ series }) => series.isRight)
  const styles = getComputedStyle(element)
  const colorOf = (name: string) => styles.getPropertyValue(name).trim()
  const axis = {
    stroke: colorOf('--chart-text'),
    grid: { stroke: colorOf('--chart-grid'), width: 1 },
    ticks: { show: false },
    font: `11px ${styles.fontFamily}`,
  }
  return {
    width: element.clientWidth,
    height: element.clientHeight,
    // On the right there is an axis, or half of the last step's name.
    padding: [12, hasRight ? 8 : 24, 0, 0],
    legend: { show: false },
    cursor: { x: true, y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: false, range: () => [-0.6, steps.length - 0.4] },
      y: {
        range: (_plot, least, highest) => [
          Math.min(least * 1.08, 0),
          most === undefined ? Math.max(highest * 1.08, 1) : most * 1.02,
        ],
      },
      right: { range: () => [0, mostRight] },
    },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        space: 64,
        incrs: [1, 2, 5, 7, 10, 15, 30, 60, 120, 240],
        values: (_plot, places) => places.map((place) => steps[place] ?? ''),
      },
      { ...axis, size: widthOf, space: 36, values: (_plot, places) => places.map(formatAxis) },
      ...(hasRight
        ? [
            {
              ...axis,
              scale: 'right',
              side: 1 as const,
              size: widthOf,
              grid: { show: false },
              values: (_plot: uPlot, places: number[]) => places.map(formatAxis),
            },
          ]
        : []),
    ],
    series: [{}, ...parts.map((part) => seriesOptions(part, colorOf(`--chart-${part.series.color}`)))],
    plugins: [tooltip(props)],
  }
}

function seriesOptions({ series, heights }: Drawn, color: string): uPlot.Series {
  const { name, kind, isRight = false } = series
  const { bars } = uPlot.paths
  if (kind === 'bars' && bars)
    return {
      label: name,
      fill: color,
      stroke: color,
      width: 0,
      paths: bars({ size: [0.62, 40], radius: 0.12 }),
      points: { show: false },
    }
  return {
    label: name,
    stroke: color,
    width: 2,
    ...(kind === 'area' && { fill: `${color}22` }),
    scale: isRight ? 'right' : 'y',
    // A line goes on over steps without a value; points say which ones have one.
    points: { show: heights.includes(null), size: 6, fill: color },
    spanGaps: true,
  }
}
