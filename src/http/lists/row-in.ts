import type { ErrorCode } from '../../../domain/errors.ts'
import type { RowMaker } from '../../persistence/queries/json-rows.ts'
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
  { em, scope }: Pick<Reader, 'em' | 'scope'>,
  resource: ResourceName,
  { parameter = 'id', keys = {} }: RowAddress = {},
): Promise<NamedRow> {
  const { entity, kind } = resourceOf(resource)
  const id = ctx.params[parameter] ?? ''
  const row = isIdentifier(kind, id) ? await findRow(em, scope, entity, { ...keys, id }) : null
  if (row === null) throw new ApiError(notFoundOf(resource))
  return noted(ctx, resource, row)
}

/**
 * The same of a row that was read as the caller was admitted; undefined where none was asked for then.
 *
 * @throws ApiError 404 where the caller has none of that id.
 */
export function admittedRowIn(
  ctx: ApiContext,
  reader: Reader,
  resource: ResourceName,
  makeRow: RowMaker,
): NamedRow | undefined {
  const { found } = ctx.state
  if (found === undefined) return undefined
  if (found === null) throw new ApiError(notFoundOf(resource))
  const row = makeRow(found.row)
  if (found.beside !== null) reader.beside.set(row, found.beside)
  return noted(ctx, resource, row)
}

function notFoundOf(resource: ResourceName): ErrorCode {
  const { notFound } = resourceOf(resource)
  if (notFound === null) throw new Error(`No address names a ${resource}.`)
  return notFound
}

/** The access log names the invoice that a request is about. */
function noted(ctx: ApiContext, resource: ResourceName, row: object): NamedRow {
  const named = row as NamedRow
  const invoiceId = resource === 'invoice' ? named.id : named.invoiceId
  if (invoiceId != null) ctx.state.invoiceId = invoiceId
  return named
}
