import type { ProjectLimitName } from '../../../../domain/rate-limits.ts'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { lockProject } from './find-project.ts'

/** Requests a minute, by the names of the limits. */
export type Limits = Record<ProjectLimitName, number>

/** Where each limit is kept. */
const COLUMN_OF = {
  primary: 'primaryLimit',
  secondary: 'secondaryLimit',
  sandbox: 'sandboxLimit',
  client_address: 'clientAddressLimit',
  client_invoice: 'clientInvoiceLimit',
} as const satisfies Record<ProjectLimitName, keyof ProjectRow>

const NAMES = Object.keys(COLUMN_OF) as ProjectLimitName[]

/** The limits of a project, in the order in which people read them. */
export function limitsOf(project: ProjectRow): Limits {
  return Object.fromEntries(NAMES.map((name) => [name, project[COLUMN_OF[name]]])) as Limits
}

/**
 * Changes limits of a project, in the caller's database transaction; the others stay. They hold from the next request on.
 *
 * @param limits each from 1 to `LIMIT_MAX`.
 * @returns all limits as they were before; null where there is no such project.
 */
export async function setLimits(
  em: EntityManager,
  { projectId, limits, actor }: { projectId: string; limits: Partial<Limits>; actor: string },
): Promise<Limits | null> {
  const project = await lockProject(em, projectId)
  if (project === null) return null
  const before = limitsOf(project)
  const changed = NAMES.filter((name) => limits[name] !== undefined && limits[name] !== before[name])
  if (changed.length === 0) return before
  const columns = Object.fromEntries(changed.map((name) => [COLUMN_OF[name], limits[name]]))
  await em.nativeUpdate(ProjectEntity, { id: projectId }, columns)
  const facts = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: limits[name] }]))
  await recordAct(em, { projectId, sandbox: null, kind: 'project.limits-changed', actor, facts })
  return before
}
