import { CardEntity, type CardRow } from '../../entities/card.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A card of this project and environment that was not deleted, as it is now; changes to the row are not written back. */
export async function findCard(em: EntityManager, { projectId, sandbox }: Scope, id: string): Promise<CardRow | null> {
  return em.findOne(CardEntity, { projectId, sandbox, id, deletedAt: null }, { disableIdentityMap: true })
}

/**
 * The card that a row names, if it names one, deleted or not. It belongs to the caller's unit of work: changes to it are
 * flushed, and one that is there already is not read again.
 */
export async function findCardOf(
  em: EntityManager,
  { cardId, projectId, sandbox }: Scope & { cardId?: string | null | undefined },
): Promise<CardRow | null> {
  if (cardId == null) return null
  return em.getUnitOfWork().getById(CardEntity, cardId) ?? em.findOne(CardEntity, { id: cardId, projectId, sandbox })
}
