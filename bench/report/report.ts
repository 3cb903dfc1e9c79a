import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { median, spread } from '../measure/statistics.ts'
import type { Machine } from './machine.ts'

/** A figure beside what it is compared with, which was measured in the same run. */
export interface Figure {
  name: string
  unit: '/s' | 'ms'
  /** Median of the repeats. */
  measured: number
  /** What it is compared with, its floor in most cases, and the median of that. */
  besideName: string
  beside: number
  /** The median of the ratios of the repeats, and the smallest and largest of them. */
  ratio: number
  ratioSpread: [number, number]
  bar?: { ratioAtMost: number; holds: boolean }
}

export interface Report {
  name: string
  measuredAt: string
  machine: Machine
  settings: Record<string, unknown>
  /** What was compared with the record before any figure counted. */
  audit: Record<string, number>
  /** The share of the machine that other programs had meanwhile; null where the system does not tell. */
  others: number | null
  figures: Figure[]
  /** What each repeat gave. */
  repeats: Record<string, unknown>
}

/** The value of each repeat, with what was measured right beside it. */
export type Paired = { measured: number; beside: number }

export function figureOf(
  { name, unit, besideName }: Pick<Figure, 'name' | 'unit' | 'besideName'>,
  repeats: readonly Paired[],
  ratioAtMost?: number,
): Figure {
  const ratios = repeats.map(({ measured, beside }) => measured / beside)
  const ratio = median(ratios)
  return {
    name,
    unit,
    measured: median(repeats.map(({ measured }) => measured)),
    besideName,
    beside: median(repeats.map(({ beside }) => beside)),
    ratio,
    ratioSpread: spread(ratios),
    ...(ratioAtMost === undefined ? {} : { bar: { ratioAtMost, holds: ratio <= ratioAtMost } }),
  }
}

const COLUMNS = ['', 'measured', 'beside', '', 'ratio', 'smallest to largest', 'bar']

/** The figures as a table of Markdown, aligned for the terminal. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, measured, besideName, beside, ratio, ratioSpread: [low, high], bar }) => [
    name,
    `${measured.toFixed(1)} ${unit}`,
    besideName,
    `${beside.toFixed(1)} ${unit}`,
    ratio.toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    bar === undefined ? '' : `≤ ${bar.ratioAtMost}: ${bar.holds ? 'holds' : 'missed'}`,
  ])
  const widths = COLUMNS.map((head, column) => Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map(length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [line(COLUMNS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

/** A result on one line, its numbers without the digits that mean nothing. */
export function inBrief(result: unknown): string {
  return JSON.stringify(result, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))
}

/** Where and when the figures come from, in one sentence. */
export function renderOrigin({ measuredAt, machine, others }: Report): string {
  const { cores, cpu, memoryGiB, system, node } = machine
  const share = others === null ? 'an unknown share' : `${Math.round(100 * others)} %`
  return (
    `Measured on ${measuredAt.slice(0, 10)} with everything on one machine: ${cores} cores (${cpu}), ${memoryGiB} GiB, ` +
    `${system}, Node ${node}; other programs had ${share} of it meanwhile.`
  )
}

export async function writeReport(file: string, report: Report): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}

function length(text: string): number {
  return text.length
}
