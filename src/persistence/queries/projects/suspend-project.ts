import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { lockProject } from './find-project.ts'

interface Asked {
  projectId: string
  actor: string
}

/**
 * Lets no new money move in a project, in both environments and in the caller's database transaction. What has begun is
 * brought to its end. One that is suspended stays so since when it was.
 *
 * @returns the project as it was; null where there is none.
 */
export async function suspendProject(
  em: EntityManager,
  { projectId, actor, now }: Asked & { now: Date },
): Promise<ProjectRow | null> {
  const project = await lockProject(em, projectId)
  if (project === null || project.suspendedAt != null) return project
  await em.nativeUpdate(ProjectEntity, { id: projectId }, { suspendedAt: now })
  await recordAct(em, { projectId, sandbox: null, kind: 'project.suspended', actor, facts: {} })
  return project
}

/** Takes the suspension back; see `suspendProject`. */
export async function resumeProject(em: EntityManager, { projectId, actor }: Asked): Promise<ProjectRow | null> {
  const project = await lockProject(em, projectId)
  if (project?.suspendedAt == null) return project
  await em.nativeUpdate(ProjectEntity, { id: projectId }, { suspendedAt: null })
  const facts = { suspended_at: project.suspendedAt.toISOString() }
  await recordAct(em, { projectId, sandbox: null, kind: 'project.resumed', actor, facts })
  return project
}
