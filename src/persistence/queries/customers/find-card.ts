import { CardEntity, type CardRow } from '../../entities/card.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** A card of this project and environment that was not deleted. */
export function findCard(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<CardRow | null> {
  return findRow(reader, CardEntity, { id, projectId, sandbox, deletedAt: null })
}

/** The card that a row names, if it names one, deleted or not. */
export async function findCardOf(
  reader: Reader,
  { cardId, projectId, sandbox }: Scope & { cardId?: string | null | undefined },
): Promise<CardRow | null> {
  return cardId == null ? null : findRow(reader, CardEntity, { id: cardId, projectId, sandbox })
}
