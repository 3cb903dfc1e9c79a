import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../entities/card-security-code.ts'
import type { EntityManager } from '../../orm.ts'

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
