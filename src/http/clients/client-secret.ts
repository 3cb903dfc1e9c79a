import type { CustomerRow } from '../../persistence/entities/customer.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { newestInvoiceIds } from '../../persistence/queries/invoices/invoices.ts'
import type { Vault } from '../../vault/vault.ts'
import type { ApiError } from '../api-error.ts'
import { type ApiContext, isMerchant } from '../context.ts'
import { invalidField } from '../input/input.ts'
import { bodyOf } from '../middleware/body.ts'

/** Proves that a client belongs to an invoice. Only calls with a secret key receive it. */
export const CLIENT_SECRET_HEADER = 'X-Service-Client-Secret'

export const NOT_OF_INVOICE = 'is not the client secret of this invoice'

/**
 * The client secret of a request, from its header or body; null without one.
 *
 * @throws ApiError where both differ, since either could be meant.
 */
export function clientSecretIn(ctx: ApiContext): string | null {
  const sent = ctx.get(CLIENT_SECRET_HEADER) || null
  const { client_secret: field } = bodyOf(ctx).fields
  const written = typeof field === 'string' && field !== '' ? field : null
  if (sent !== null && written !== null && sent !== written)
    throw wrongClientSecret(`differs from the one in the header ${CLIENT_SECRET_HEADER}`)
  return sent ?? written
}

/** Refuses a client with a wrong secret, even where none is needed: it means another invoice. */
export function refuseWrongSecret(ctx: ApiContext, vault: Pick<Vault, 'isClientSecretOf'>, invoiceId: string): void {
  if (isMerchant(ctx)) return
  const secret = clientSecretIn(ctx)
  if (secret !== null && !vault.isClientSecretOf(invoiceId, secret)) throw wrongClientSecret(NOT_OF_INVOICE)
}

/**
 * The caller's proof of belonging to a customer: it is the merchant, or the client secret of one of the customer's newest 100
 * invoices. Client libraries do not name the invoice, so all are tried.
 *
 * @throws ApiError for a client's secret that belongs to none of them.
 */
export async function proofOf(
  ctx: ApiContext,
  em: EntityManager,
  vault: Pick<Vault, 'isClientSecretOf'>,
  customer: CustomerRow,
): Promise<'none' | 'secret' | 'merchant'> {
  if (isMerchant(ctx)) return 'merchant'
  const secret = clientSecretIn(ctx)
  if (secret === null) return 'none'
  const ids = await newestInvoiceIds(em, customer)
  // All are tried, so that the timing does not reveal which one matched.
  const matches = ids.filter((id) => vault.isClientSecretOf(id, secret))
  if (matches.length === 0) throw wrongClientSecret('is not the client secret of an invoice of this customer')
  return 'secret'
}

export function wrongClientSecret(message: string): ApiError {
  return invalidField('client_secret', message, 'request.validation.invalid-client-secret')
}
