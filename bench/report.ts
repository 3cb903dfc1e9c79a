import type { Figure } from './figures.ts'
import type { describeMachine } from './machine.ts'

/** The figures as a table of Markdown, aligned for the terminal. */
export function renderFigures(figures: readonly Figure[]): string {
  const range = ([low, high]: [number, number], write: (value: number) => string) =>
    low === high ? '' : `${write(low)} to ${write(high)}`
  const ratio = (value: number) => value.toFixed(2)
  return renderTable(
    ['', 'measured', 'beside', '', 'ratio', 'smallest to largest', 'bar'],
    figures.map(({ name, unit, measured, spread, beside, bar }) => [
      name,
      `${round(measured)} ${unit}`.trim(),
      ...(beside === undefined
        ? ['', '', '', range(spread, round)]
        : [
            beside.name,
            `${round(beside.measured)} ${unit}`.trim(),
            ratio(beside.ratio),
            range(beside.ratioSpread, ratio),
          ]),
      bar === undefined ? '' : renderBar(bar),
    ]),
  )
}

function renderBar(bar: NonNullable<Figure['bar']>): string {
  const limit = 'atMost' in bar ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`
  if (!bar.holds) return `${limit}: missed`
  return `${limit}: holds${bar.isReached ? `, and ${bar.goal}` : ''}`
}

/** A table of Markdown, aligned for the terminal. */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map(({ length }) => length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(columns), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

/** Small numbers, of which a hundredth matters, with one digit more. */
function round(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}

/** A result on one line, its numbers without the digits that mean nothing. */
export function inBrief(result: unknown): string {
  return JSON.stringify(result, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))
}

/** Where and when the figures come from, in one sentence. */
export function renderOrigin(measuredAt: string, machine: ReturnType<typeof describeMachine>, others: number | null) {
  const { cores, cpu, memoryGiB, system, node } = machine
  const share = others === null ? 'an unknown share' : `${Math.round(100 * others)} %`
  return (
    `Measured on ${measuredAt.slice(0, 10)} with everything on one machine: ${cores} cores (${cpu}), ${memoryGiB} GiB, ` +
    `${system}, Node ${node}; others had ${share} of it meanwhile.`
  )
}
