import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { newestInvoiceIds } from '../../persistence/queries/invoices/invoices.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ApiError } from '../api-error.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { bodyOf } from '../middleware/body.ts'
import { invalidField } from '../schemas/fields/input.ts'

/** What a client of an invoice proves itself with. Only calls with a secret key get to know it. */
export const CLIENT_SECRET_HEADER = 'X-Service-Client-Secret'

export const NOT_OF_INVOICE = 'is not the client secret of this invoice'

/**
 * The client secret that a request carries, as a header or in its body; null without one.
 *
 * @throws ApiError where it carries two that differ: nobody can tell which of them was meant.
 */
export function clientSecretIn(ctx: ApiContext): string | null {
  const sent = ctx.get(CLIENT_SECRET_HEADER) || null
  const { client_secret: field } = bodyOf(ctx).fields
  const written = typeof field === 'string' && field !== '' ? field : null
  if (sent !== null && written !== null && sent !== written)
    throw wrongClientSecret(`differs from the one in the header ${CLIENT_SECRET_HEADER}`)
  return sent ?? written
}

/** Refuses a client whose secret is not the invoice's, also where none is needed: it means another invoice. */
export function refuseWrongSecret(ctx: ApiContext, vault: Pick<Vault, 'isClientSecretOf'>, invoiceId: string): void {
  if (callerOf(ctx).kind === 'key') return
  const secret = clientSecretIn(ctx)
  if (secret !== null && !vault.isClientSecretOf(invoiceId, secret)) throw wrongClientSecret(NOT_OF_INVOICE)
}

/**
 * What a caller has shown of belonging to a customer: a secret key, or the client secret of one of the customer's
 * newest 100 invoices. The client libraries do not say of which, so all are tried.
 *
 * @throws ApiError where a client sends a secret that is of none of them.
 */
export async function proofOf(
  ctx: ApiContext,
  em: EntityManager,
  vault: Pick<Vault, 'isClientSecretOf'>,
  customer: CustomerRow,
): Promise<'none' | 'secret' | 'key'> {
  if (callerOf(ctx).kind === 'key') return 'key'
  const secret = clientSecretIn(ctx)
  if (secret === null) return 'none'
  const ids = await newestInvoiceIds(em, customer)
  // Every one is tried, so that the time tells nothing of which it was.
  const matches = ids.filter((id) => vault.isClientSecretOf(id, secret))
  if (matches.length === 0) throw wrongClientSecret('is not the client secret of an invoice of this customer')
  return 'secret'
}

export function wrongClientSecret(message: string): ApiError {
  return invalidField('client_secret', message, 'request.validation.invalid-client-secret')
}
