import { CardSecurityCodeEntity } from '../../entities/card-security-code.ts'
import type { EntityManager } from '../../orm.ts'

/**
 * Deletes the security codes whose hour is over because no authorization used them.
 *
 * @returns how many there were.
 */
export async function deleteExpiredSecurityCodes(em: EntityManager, now: Date): Promise<number> {
  return em.nativeDelete(CardSecurityCodeEntity, { expiresAt: { $lte: now } })
}
