import { CardEntity, type CardRow } from '../entities/card.ts'
import type { EntityManager } from '../orm.ts'
import type { Scope } from './scope.ts'

/** A card of this project and environment, as it is now. */
export async function findCard(em: EntityManager, scope: Scope, id: string): Promise<CardRow | null> {
  return em.findOne(CardEntity, { ...scope, id }, { disableIdentityMap: true })
}
