import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Figure } from './figure.ts'
import type { Machine } from './machine.ts'
import { renderTable } from './table.ts'

export interface Report {
  name: string
  measuredAt: string
  machine: Machine
  settings: Record<string, unknown>
  /** What was compared with the record before any figure counted. */
  audit: Record<string, number>
  /** The share of the machine that others had meanwhile; null where the system does not tell. */
  others: number | null
  figures: Figure[]
  /** What each repeat gave. */
  repeats: Record<string, unknown>
}

const COLUMNS = ['', 'measured', 'beside', '', 'ratio', 'smallest to largest', 'bar']

/** The figures as a table of Markdown, aligned for the terminal. */
export function renderFigures(figures: readonly Figure[]): string {
  return renderTable(
    COLUMNS,
    figures.map(({ name, unit, measured, spread, beside, bar }) => [
      name,
      `${round(measured)} ${unit}`.trim(),
      ...(beside === undefined
        ? ['', '', '', spreadOf(spread, round)]
        : [
            beside.name,
            `${round(beside.measured)} ${unit}`.trim(),
            beside.ratio.toFixed(2),
            spreadOf(beside.ratioSpread, (value) => value.toFixed(2)),
          ]),
      bar === undefined ? '' : renderBar(bar, unit),
    ]),
  )
}

function renderBar(bar: NonNullable<Figure['bar']>, unit: string): string {
  const what = bar.of === 'measured' ? ` ${unit}` : ''
  const limit = `${'atMost' in bar ? `≤ ${bar.atMost}` : `≥ ${bar.atLeast}`}${what}`
  if (!bar.holds) return `${limit}: missed`
  return `${limit}: holds${bar.holdsStretch ? `, and ${bar.stretch}` : ''}`
}

function spreadOf([low, high]: [number, number], write: (value: number) => string): string {
  return low === high ? '' : `${write(low)} to ${write(high)}`
}

/** Small numbers, of which a tenth matters, with one digit more. */
function round(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}

/** A result on one line, its numbers without the digits that mean nothing. */
export function inBrief(result: unknown): string {
  return JSON.stringify(result, (_, value) => (typeof value === 'number' ? Number(value.toPrecision(3)) : value))
}

/** Where and when the figures come from, in one sentence. */
export function renderOrigin({
  measuredAt,
  machine,
  others,
}: Pick<Report, 'measuredAt' | 'machine' | 'others'>): string {
  const { cores, cpu, memoryGiB, system, node } = machine
  const share = others === null ? 'an unknown share' : `${Math.round(100 * others)} %`
  return (
    `Measured on ${measuredAt.slice(0, 10)} with everything on one machine: ${cores} cores (${cpu}), ${memoryGiB} GiB, ` +
    `${system}, Node ${node}; others had ${share} of it meanwhile.`
  )
}

export async function writeReport(file: string, report: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`)
}
