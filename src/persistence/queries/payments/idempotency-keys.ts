import type { IdempotencyClaim } from '../../../../domain/command.ts'
import { PAYMENT_FAILED } from '../../../../domain/errors.ts'
import { IdempotencyKeyEntity, type IdempotencyKeyRow } from '../../entities/idempotency-key.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** An answer as it is kept: the bytes of the body, which are sent again as they are. */
export interface KeptAnswer {
  status: number
  body: string
}

/**
 * Takes a key for an operation, or for the caller's own database transaction where no payment is asked (`null`).
 * A key that another transaction has just taken is waited for until that transaction ends. `taken` says that the key
 * belongs to another request; an operation that claims again has what it had.
 */
export async function claimKey(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { id, requestHash }: IdempotencyClaim,
  operationId: string | null,
  now: Date,
): Promise<'claimed' | 'taken'> {
  const { affectedRows } = await em
    .createQueryBuilder(IdempotencyKeyEntity)
    .insert({ id, projectId, sandbox, requestHash, operationId, createdAt: now })
    .onConflict('id')
    .ignore()
    .execute('run')
  if (affectedRows === 1) return 'claimed'
  const row = await findKey(em, id)
  return operationId !== null && row?.operationId === operationId ? 'claimed' : 'taken'
}

/**
 * Keeps the answer of a claimed key, once: a key that has its answer keeps it. Outcomes are kept, declines among them;
 * of a refusal nothing is kept, and the key is free again, so that a corrected or later request is judged anew.
 *
 * @param answer `isOutcome` where a gateway was asked, whatever the status is: it must not be asked again.
 */
export async function completeKey(
  em: EntityManager,
  { id }: Pick<IdempotencyClaim, 'id'>,
  { status, body, isOutcome = false }: KeptAnswer & { isOutcome?: boolean },
  now: Date,
): Promise<void> {
  const open = { id, completedAt: null }
  if (isOutcome || isKept(status)) await em.nativeUpdate(IdempotencyKeyEntity, open, { status, body, completedAt: now })
  else await freeKey(em, { id })
}

/** Gives a key back that has no answer yet. */
export async function freeKey(em: EntityManager, { id }: Pick<IdempotencyClaim, 'id'>): Promise<void> {
  await em.nativeDelete(IdempotencyKeyEntity, { id, completedAt: null })
}

function isKept(status: number): boolean {
  return (status >= 200 && status < 300) || status === PAYMENT_FAILED
}

/** As it is now, also where this EntityManager has read it before. */
export function findKey(em: EntityManager, id: string): Promise<IdempotencyKeyRow | null> {
  return em.findOne(IdempotencyKeyEntity, { id }, { disableIdentityMap: true })
}
