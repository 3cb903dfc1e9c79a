import { EventEntity, type EventRow } from '../entities/event.ts'
import type { EntityManager } from '../orm.ts'
import type { Scope } from './scope.ts'

/** An event of this project and environment. */
export async function findEvent(em: EntityManager, scope: Scope, id: string): Promise<EventRow | null> {
  return em.findOne(EventEntity, { ...scope, id }, { disableIdentityMap: true })
}
