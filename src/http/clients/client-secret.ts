import type { Vault } from '../../vault/vault.ts'
import type { ApiError } from '../api-error.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { bodyOf } from '../middleware/body.ts'
import { invalidInput } from '../schemas/fields/input.ts'

/** What a client of an invoice proves itself with. Only calls with a secret key get to know it. */
export const CLIENT_SECRET_HEADER = 'X-Service-Client-Secret'

/**
 * The client secret that a request carries, as a header or in its body; null without one.
 *
 * @throws ApiError where it carries two that differ: nobody can tell which of them was meant.
 */
export function clientSecretIn(ctx: ApiContext): string | null {
  const sent = ctx.get(CLIENT_SECRET_HEADER) || null
  const { client_secret: field } = bodyOf(ctx).fields
  const written = typeof field === 'string' && field !== '' ? field : null
  if (sent !== null && written !== null && sent !== written) {
    throw wrongClientSecret(`differs from the one in the header ${CLIENT_SECRET_HEADER}`)
  }
  return sent ?? written
}

/**
 * Refuses a client whose secret is another one's, also where none is needed: it means another invoice than it names. A
 * server is not asked here, since it needs none.
 */
export function refuseWrongSecret(ctx: ApiContext, vault: Pick<Vault, 'isClientSecretOf'>, invoiceId: string): void {
  if (callerOf(ctx).kind === 'key') return
  const secret = clientSecretIn(ctx)
  if (secret !== null && !vault.isClientSecretOf(invoiceId, secret)) throw wrongClientSecret(NOT_OF_INVOICE)
}

export const NOT_OF_INVOICE = 'is not the client secret of this invoice'

export function wrongClientSecret(message: string): ApiError {
  return invalidInput([{ name: 'client_secret', message, code: 'request.validation.invalid-client-secret' }])
}
