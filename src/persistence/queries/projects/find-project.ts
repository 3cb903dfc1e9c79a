import { LockMode } from '@mikro-orm/postgresql'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'

/** A project as it is now. */
export function findProject(em: EntityManager, id: string): Promise<ProjectRow | null> {
  return em.findOne(ProjectEntity, { id }, { disableIdentityMap: true })
}

/** Every project, the oldest first. */
export function listProjects(em: EntityManager): Promise<ProjectRow[]> {
  return em.findAll(ProjectEntity, { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true })
}

/** A project as it is now, which nobody else changes until the caller's database transaction ends. */
export function lockProject(em: EntityManager, id: string): Promise<ProjectRow | null> {
  return em.findOne(ProjectEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true })
}
