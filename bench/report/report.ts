import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { median, spread } from '../measure/statistics.ts'
import type { Machine } from './machine.ts'

/** A figure beside its floor. */
export interface Figure {
  name: string
  unit: '/s' | 'ms'
  /** Medians of the repeats. */
  measured: number
  floor: number
  /** Measured over floor, the median of the ratios of each repeat, and the smallest and largest of them. */
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
  figures: Figure[]
  /** What each repeat gave. */
  repeats: Record<string, unknown>
}

/** One value of each repeat with its floor, measured right beside it, becomes a figure. */
export function figureOf(
  name: string,
  unit: Figure['unit'],
  repeats: readonly { measured: number; floor: number }[],
  ratioAtMost?: number,
): Figure {
  const ratios = repeats.map(({ measured, floor }) => measured / floor)
  const ratio = median(ratios)
  return {
    name,
    unit,
    measured: median(repeats.map(({ measured }) => measured)),
    floor: median(repeats.map(({ floor }) => floor)),
    ratio,
    ratioSpread: spread(ratios),
    ...(ratioAtMost === undefined ? {} : { bar: { ratioAtMost, holds: ratio <= ratioAtMost } }),
  }
}

const COLUMNS = ['', 'measured', 'floor', 'ratio', 'smallest to largest', 'bar']

/** The figures as a table of Markdown, aligned for the terminal. */
export function renderFigures(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, measured, floor, ratio, ratioSpread: [low, high], bar }) => [
    name,
    `${measured.toFixed(1)} ${unit}`,
    `${floor.toFixed(1)} ${unit}`,
    ratio.toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    bar === undefined ? '' : `≤ ${bar.ratioAtMost}: ${bar.holds ? 'holds' : 'missed'}`,
  ])
  const widths = COLUMNS.map((head, column) => Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map(length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - length(cell))).join(' | ')} |`
  return [line(COLUMNS), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

export async function writeReport(file: string, report: Report): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}

function length(text: string): number {
  return text.length
}
