import { CardEntity } from '../../entities/card.ts'
import { CardSecurityCodeEntity } from '../../entities/card-security-code.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The columns of a card that could charge it or tell whose it is. */
const ERASED = {
  numberCiphertext: null,
  numberKeyId: null,
  name: null,
  address1: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  billingCountryCode: null,
  ipAddress: null,
  userAgent: null,
  headerAccept: null,
  headerReferer: null,
  appColorDepth: null,
  appJavaEnabled: null,
  appLanguage: null,
  appScreenHeight: null,
  appScreenWidth: null,
  appTimezoneOffset: null,
  metadata: {},
} as const

/** Deletes cards for good: their rows stay for the transactions that refer to them, and cannot be charged any more. */
export async function eraseCards(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  cardIds: readonly string[],
  now: Date,
): Promise<void> {
  if (cardIds.length === 0) return
  const owner = { projectId, sandbox }
  await em.nativeDelete(CardSecurityCodeEntity, { ...owner, cardId: { $in: cardIds } })
  await em.nativeUpdate(
    CardEntity,
    { ...owner, id: { $in: cardIds }, deletedAt: null },
    { ...ERASED, deletedAt: now, updatedAt: now },
  )
}
