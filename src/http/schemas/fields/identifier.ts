import type { ErrorCode } from '../../../../domain/errors.ts'
import { type IdentifierKind, PREFIXES } from '../../../../domain/identifiers.ts'
import type { Scope } from '../../../persistence/queries/scope.ts'
import { ApiError } from '../../api-error.ts'
import { type ApiContext, scopeOf } from '../../context.ts'

/** Ids of other installations and of earlier versions may be shorter or longer than ours. */
const OPAQUE_PART = /^[0-9A-Za-z]{1,64}$/

/** True for a text that could be an id of this kind; whether there is such an object is another question. */
export function isIdentifier(kind: IdentifierKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]) && OPAQUE_PART.test(text.slice(PREFIXES[kind].length))
}

/** The objects that addresses name by their ids, with the answer where there is none. */
const NOT_FOUND = {
  card: 'resource.card.not-found',
  customer: 'resource.customer.not-found',
  event: 'resource.event.not-found',
  gatewayConfiguration: 'resource.gateway-configuration.not-found',
  invoice: 'resource.invoice.not-found',
  refund: 'resource.refund.not-found',
  ruleSet: 'resource.rule-set.not-found',
  token: 'resource.token.not-found',
  transaction: 'resource.transaction.not-found',
  webhookEndpoint: 'resource.webhook-endpoint.not-found',
} as const satisfies Partial<Record<IdentifierKind, ErrorCode>>

export type AddressedKind = keyof typeof NOT_FOUND

export function notFound(kind: AddressedKind): ApiError {
  return new ApiError(NOT_FOUND[kind])
}

/**
 * The id in the address.
 *
 * @throws ApiError 404 for what cannot be an id: it is as unknown as an id that nobody has.
 */
export function identifierIn(ctx: ApiContext, kind: AddressedKind, parameter = 'id'): string {
  const id = ctx.params[parameter] ?? ''
  if (!isIdentifier(kind, id)) throw notFound(kind)
  return id
}

/**
 * What `find` finds by the id in the address, among what the caller may see. The access log names an invoice that is found.
 *
 * @throws ApiError 404 where it finds nothing.
 */
export async function foundIn<Found>(
  ctx: ApiContext,
  kind: AddressedKind,
  find: (scope: Scope, id: string) => Promise<Found | null>,
  parameter?: string,
): Promise<Found> {
  const id = identifierIn(ctx, kind, parameter)
  const found = await find(scopeOf(ctx), id)
  if (found === null) throw notFound(kind)
  if (kind === 'invoice') ctx.state.invoiceId = id
  return found
}
