import { LockMode } from '@mikro-orm/postgresql'
import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** A customer of this project and environment; null also for one that was deleted. */
export function findCustomer(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<CustomerRow | null> {
  return findRow(reader, CustomerEntity, { id, projectId, sandbox, deletedAt: null })
}

/**
 * The customer, held until the end of the caller's database transaction, so that it is not deleted while something is
 * stored for it. Whatever changes a customer, its tokens and their cards locks the customer first, then the token, then
 * the card. The row belongs to the caller's unit of work.
 */
export async function lockCustomer(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<CustomerRow | null> {
  return em.findOne(
    CustomerEntity,
    { id, projectId, sandbox, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
}

/** Holds the customer like `lockCustomer`, for who changes nothing of it; false where it is not there any more. */
export async function holdCustomer(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<boolean> {
  const held = await reader.execute(
    'select from customer where id = ? and project_id = ? and sandbox = ? and deleted_at is null for update',
    [id, projectId, sandbox],
  )
  return held.length > 0
}
