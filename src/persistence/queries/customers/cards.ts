import { LockMode } from '@mikro-orm/postgresql'
import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CardSecurityCodeEntity, type CardSecurityCodeRow } from '../../entities/card-security-code.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** Writes a new card and its encrypted security code, if it has one, in one transaction. */
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

/** Locks a card that is not deleted until the caller's database transaction ends; changes to it are flushed. */
export async function lockCard(em: EntityManager, { projectId, sandbox }: Scope, id: string): Promise<CardRow | null> {
  return em.findOne(CardEntity, { id, projectId, sandbox, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Replaces the security code of a card. */
export async function replaceSecurityCode(em: EntityManager, row: CardSecurityCodeRow): Promise<void> {
  await em.nativeDelete(CardSecurityCodeEntity, { cardId: row.cardId })
  await em.insert(CardSecurityCodeEntity, row)
}

/** A card of this project and environment that is not deleted. */
export function findCard(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<CardRow | null> {
  return findRow(reader, CardEntity, { id, projectId, sandbox, deletedAt: null })
}

/** The card of a row, deleted or not; null where the row has none. */
export async function findCardOf(
  reader: Reader,
  { cardId, projectId, sandbox }: Scope & { cardId?: string | null | undefined },
): Promise<CardRow | null> {
  return cardId == null ? null : findRow(reader, CardEntity, { id: cardId, projectId, sandbox })
}

/** The columns that could charge a card or identify its holder. */
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

/** Deletes cards for good. Their rows stay for the transactions that refer to them, and can no longer be charged. */
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
