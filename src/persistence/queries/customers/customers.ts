import { CustomerEntity, type CustomerRow } from '../../entities/customer.ts'
import type { EntityManager } from '../../orm.ts'

/** Writes a new customer in one statement. */
export async function insertCustomer(em: EntityManager, row: CustomerRow): Promise<void> {
  await em.insert(CustomerEntity, row)
}
