import { findRow } from '../../persistence/queries/lists/list-row.ts'
import { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import type { Reader } from '../expansion/resource.ts'
import { type ResourceName, resourceOf } from '../expansion/resources.ts'
import { isIdentifier } from '../schemas/fields/identifier.ts'

/** A row that an address can name. */
export interface NamedRow {
  id: string
  invoiceId?: string | null
}

/** Which part of the address names the row, and what else must be true of it. */
interface RowAddress {
  parameter?: string
  keys?: Readonly<Record<string, string>>
}

/**
 * The row that the address names by its id.
 *
 * @throws ApiError 404 where the caller has none of that id.
 */
export async function rowIn(
  ctx: ApiContext,
  { em, scope }: Reader,
  resource: ResourceName,
  { parameter = 'id', keys = {} }: RowAddress = {},
): Promise<NamedRow> {
  const { entity, kind, notFound } = resourceOf(resource)
  if (notFound === null) throw new Error(`No address names a ${resource}.`)
  const id = ctx.params[parameter] ?? ''
  const row = isIdentifier(kind, id) ? await findRow(em, scope, entity, { ...keys, id }) : null
  if (row === null) throw new ApiError(notFound)
  const named = row as NamedRow
  // The access log names the invoice that a request is about.
  const invoiceId = resource === 'invoice' ? named.id : named.invoiceId
  if (invoiceId != null) ctx.state.invoiceId = invoiceId
  return named
}
