import { LockMode } from '@mikro-orm/postgresql'
import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../entities/card-security-code.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** Writes a new card, and beside it the encrypted security code where one was given: both or neither. */
export async function createCard(
  em: EntityManager,
  card: CardRow,
  securityCode: CardSecurityCodeRow | null,
): Promise<void> {
  await em.transactional(async (transaction) => {
    await transaction.insert(CardEntity, card)
    if (securityCode !== null) await transaction.insert(CardSecurityCodeEntity, securityCode)
  })
}

/** A card that was not deleted, held until the end of the caller's database transaction; changes to it are flushed. */
export async function lockCard(em: EntityManager, { projectId, sandbox }: Scope, id: string): Promise<CardRow | null> {
  return em.findOne(CardEntity, { id, projectId, sandbox, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Keeps a new security code of a card in the place of an earlier one. */
export async function replaceSecurityCode(em: EntityManager, row: CardSecurityCodeRow): Promise<void> {
  await em.nativeDelete(CardSecurityCodeEntity, { cardId: row.cardId })
  await em.insert(CardSecurityCodeEntity, row)
}
