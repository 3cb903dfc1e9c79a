import type { Costs, Quantity, Role } from '../measure/costs.ts'
import type { Part, PartResult } from '../parts/part.ts'
import { inBrief, renderFigures } from './report.ts'
import { renderTable } from './table.ts'

/** A part with what came of it. */
export type MeasuredPart = Pick<Part, 'name' | 'title'> & PartResult

const ROLES: readonly Role[] = ['service', 'api', 'worker', 'temporal', 'postgres']
const QUANTITIES: readonly (readonly [Quantity, string])[] = [
  ['statements', 'statements'],
  ['simulatorStatements', "the simulator's"],
  ['transactionStatements', 'BEGIN and COMMIT'],
  ['foreignKeyChecks', 'foreign keys'],
  ['commits', 'commits'],
  ['walBytes', 'WAL bytes'],
  ['workflowTasks', 'workflow tasks'],
  ['events', 'events'],
  ['historyBytes', 'history bytes'],
]

/** One part, with a heading, its figures, what operations cost, and what was compared. */
export function renderPart({ title, figures, costs, audit }: MeasuredPart): string {
  return [
    `## ${title}`,
    ...(figures.length > 0 ? [renderFigures(figures)] : []),
    ...(costs !== undefined && costs.length > 0 ? [renderCosts(costs)] : []),
    `The books agree: ${inBrief(audit)}`,
  ].join('\n\n')
}

/** CPU seconds of 1,000 operations, which are the milliseconds of one, and what was counted of one. */
function renderCosts(costs: readonly Costs[]): string {
  const roles = ROLES.filter((role) => costs.some(({ cpuMs }) => cpuMs[role] !== undefined))
  const quantities = QUANTITIES.filter(([quantity]) => costs.some(({ counts }) => counts[quantity] !== undefined))
  const write = (value: number | undefined) => (value === undefined ? '' : value.toFixed(value < 100 ? 1 : 0))
  const sum = (cpuMs: Costs['cpuMs']) => Object.values(cpuMs).reduce((all, one) => all + one, 0)
  return renderTable(
    ['CPU s of 1,000', ...roles, 'together', ...quantities.map(([, name]) => name)],
    costs.map(({ operation, cpuMs, counts }) => [
      operation,
      ...roles.map((role) => write(cpuMs[role])),
      Object.keys(cpuMs).length === 0 ? '' : write(sum(cpuMs)),
      ...quantities.map(([quantity]) => write(counts[quantity])),
    ]),
  )
}
