import { LockMode } from '@mikro-orm/postgresql'
import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A customer of this project and environment, as it is now; null also for one that was deleted. */
export async function findCustomer(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<CustomerRow | null> {
  return em.findOne(CustomerEntity, { id, projectId, sandbox, deletedAt: null }, { disableIdentityMap: true })
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
