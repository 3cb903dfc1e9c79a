import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { newestInvoiceIds } from '../../persistence/queries/invoices/newest-invoice-ids.ts'
import type { Vault } from '../../vault/vault.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { clientSecretIn, wrongClientSecret } from './client-secret.ts'

/** What a caller has shown of belonging to a customer. */
export type CustomerProof = 'none' | 'secret' | 'key'

/**
 * Whether the caller belongs to a customer: by a secret key, or by the client secret of one of the customer's invoices.
 * The client libraries do not say of which one, and no secret tells its invoice, so the newest 100 are tried, one HMAC
 * each: a page that manages stored cards was opened with one of them.
 *
 * @throws ApiError where a client sends a secret that is of none of them.
 */
export async function proofOf(
  ctx: ApiContext,
  em: EntityManager,
  vault: Pick<Vault, 'isClientSecretOf'>,
  customer: CustomerRow,
): Promise<CustomerProof> {
  if (callerOf(ctx).kind === 'key') return 'key'
  const secret = clientSecretIn(ctx)
  if (secret === null) return 'none'
  const ids = await newestInvoiceIds(em, customer)
  // Every one is tried, so that the time tells nothing of which it was.
  const matches = ids.filter((id) => vault.isClientSecretOf(id, secret))
  if (matches.length === 0) throw wrongClientSecret('is not the client secret of an invoice of this customer')
  return 'secret'
}
