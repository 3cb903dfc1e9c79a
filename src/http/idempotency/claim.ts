import { canonicalJson } from '../../../domain/canonical-json.ts'
import type { IdempotencyClaim } from '../../../domain/command.ts'
import type { Vault } from '../../vault/vault.ts'
import { ApiError } from '../api-error.ts'
import { clientSecretIn } from '../clients/client-secret.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { bodyOf, type Fields } from '../middleware/body.ts'
import { isOnlyNull, withoutNulls } from '../schemas/fields/input.ts'

const HEADER = 'Idempotency-Key'

/** Printable ASCII, as headers carry it, and as long as Stripe takes them: room for a UUID with a prefix. */
const KEY = /^[\x20-\x7e]{1,255}$/

/**
 * What the `Idempotency-Key` of a request stands for; null without one. A key means something within one project,
 * environment, method and address only, however the address is written, and apart for the merchant's server and for clients with different client secrets,
 * so that no client is answered what the merchant or another client was told. Neither the key nor the body can be told from what is returned.
 *
 * @throws ApiError where the key is empty, too long, or has other characters.
 */
export function claimOf(ctx: ApiContext, vault: Pick<Vault, 'hashRequest'>): IdempotencyClaim | null {
  const key = ctx.headers[HEADER.toLowerCase()]
  if (key === undefined) return null
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw new ApiError('request.idempotency-key.invalid', {
      message: `${HEADER} has 1 to 255 printable ASCII characters.`,
    })
  }
  const { projectId, environment, kind } = callerOf(ctx)
  const whose = kind === 'client' ? ['client', clientSecretIn(ctx)] : []
  return {
    id: vault.hashRequest(
      JSON.stringify(['key', projectId, environment, ctx.method, ...addressOf(ctx), key, ...whose]),
    ),
    requestHash: vault.hashRequest(JSON.stringify(['body', canonicalJson(meantBy(bodyOf(ctx).fields))])),
    requestId: ctx.state.requestId,
  }
}

/** The route and the ids that it names: `/invoices` and `/invoices/` are one address, and an id may be percent-encoded. */
function addressOf(ctx: ApiContext): [string, Record<string, string>] {
  return [String(ctx._matchedRoute), ctx.params]
}

/** What a body says: a null is as good as nothing, but for the one that drops a scheduled capture. */
function meantBy(fields: Fields): Fields {
  const given = withoutNulls(fields)
  return isOnlyNull(fields, 'auto_capture_at') ? { ...given, auto_capture_at: null } : given
}
