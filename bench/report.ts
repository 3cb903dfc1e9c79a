import { type Costs, type Role, totalOf } from './costs.ts'
import type { Figure } from './figures.ts'
import type { describeMachine } from './machine.ts'
import type { Part, PartResult } from './part.ts'
import type { Counts } from './statement-counts.ts'

const ROLES: readonly Role[] = ['service', 'api', 'worker', 'temporal', 'postgres']
const QUANTITIES: readonly (readonly [keyof Counts, string])[] = [
  ['statements', 'statements'],
  ['simulatorStatements', "the simulator's"],
  ['commits', 'commits'],
  ['walBytes', 'WAL bytes'],
  ['workflowTasks', 'workflow tasks'],
  ['events', 'events'],
  ['historyBytes', 'history bytes'],
]

/** One part, with a heading, its figures, what operations cost, and what was compared. */
export function renderPart({ title, figures, costs = [], audit }: Pick<Part, 'title'> & PartResult): string {
  return [
    `## ${title}`,
    ...(figures.length > 0 ? [renderFigures(figures)] : []),
    ...(costs.length > 0 ? [renderCosts(costs)] : []),
    `The books agree: ${inBrief(audit)}`,
  ].join('\n\n')
}

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

/** CPU seconds of 1,000 operations, which are the milliseconds of one, and what was counted of one. */
function renderCosts(costs: readonly Costs[]): string {
  const roles = ROLES.filter((role) => costs.some(({ cpuMs }) => cpuMs[role] !== undefined))
  const quantities = QUANTITIES.filter(([quantity]) => costs.some(({ counts }) => counts[quantity] !== undefined))
  const write = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 100 ? 1 : 0))
  return renderTable(
    ['CPU s of 1,000', ...roles, 'together', ...quantities.map(([, name]) => name)],
    costs.map(({ operation, cpuMs, counts }) => [
      operation,
      ...roles.map((role) => write(cpuMs[role])),
      write(totalOf(cpuMs)),
      ...quantities.map(([quantity]) => write(counts[quantity])),
    ]),
  )
}

/** A table of Markdown, aligned for the terminal. */
export function renderTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map((head, column) =>
    Math.max(...[head, ...rows.map((row) => row[column] ?? '')].map(lengthOf)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(columns), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)].join('\n')
}

const lengthOf = ({ length }: string) => length

/** Small numbers, of which a tenth matters, with one digit more. */
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
