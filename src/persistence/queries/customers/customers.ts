import { LockMode } from '@mikro-orm/postgresql'
import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import type { EntityManager } from '../../orm.ts'
import { findRow, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** A customer of this project and environment that is not deleted. */
export function findCustomer(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<CustomerRow | null> {
  return findRow(reader, CustomerEntity, { id, projectId, sandbox, deletedAt: null })
}

/**
 * Locks the customer until the caller's database transaction ends, so that it is not deleted while something is stored for
 * it. Every change of a customer, its tokens and their cards takes its locks in this order: customer, token, card. The row
 * belongs to the caller's unit of work.
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

/** Locks the customer like `lockCustomer`, without reading it; false where it does not exist any more. */
export async function holdCustomer(reader: Reader, { projectId, sandbox }: Scope, id: string): Promise<boolean> {
  const held = await reader.execute(
    'select from customer where id = ? and project_id = ? and sandbox = ? and deleted_at is null for update',
    [id, projectId, sandbox],
  )
  return held.length > 0
}
