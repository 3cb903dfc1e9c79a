import type { ErrorCode } from '../../../domain/errors.ts'
import {
  beginningsOf,
  type IdentifierKind,
  isIdentifier,
  nameOfKind,
  otherKindIn,
} from '../../../domain/identifiers.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, scopeOf } from '../context.ts'

/** Objects with an id in addresses, and the error where one is not found. */
export const NOT_FOUND = {
  card: 'resource.card.not-found',
  customer: 'resource.customer.not-found',
  event: 'resource.event.not-found',
  gatewayConfiguration: 'resource.gateway-configuration.not-found',
  invoice: 'resource.invoice.not-found',
  reconciliation: 'resource.reconciliation.not-found',
  reconciliationDifference: 'resource.reconciliation-difference.not-found',
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
 * @throws ApiError 404 for an impossible id, as for an unknown one.
 */
export function identifierIn(ctx: ApiContext, kind: AddressedKind, parameter = 'id'): string {
  const id = ctx.params[parameter] ?? ''
  if (!isIdentifier(kind, id)) throw new ApiError(NOT_FOUND[kind], impossibleId(id, kind))
  return id
}

function impossibleId(id: string, kind: AddressedKind): string {
  const other = otherKindIn(id, kind)
  return other === null
    ? `There is no such ${nameOfKind(kind).replace(/^an? /, '')}: ${beginningsOf(kind)}.`
    : `This ${other}.`
}

/**
 * Finds the object named in the address, within the caller's scope. The access log shows the id of what was found.
 *
 * @throws ApiError 404 where there is none.
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
  if (parameter === undefined) ctx.state.objectId = id
  if (kind === 'invoice') ctx.state.invoiceId = id
  return found
}
