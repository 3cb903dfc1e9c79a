import { findObject } from '../../persistence/queries/lists/list-entity.ts'
import type { RowMaker } from '../../persistence/rows.ts'
import type { ApiContext } from '../context.ts'
import type { Reader } from '../expansion/resource.ts'
import { type AddressedName, RESOURCES } from '../expansion/resources.ts'
import { foundIn, notFound } from '../input/identifier.ts'

export interface NamedRow {
  id: string
  invoiceId?: string | null
}

/** The address parameter with the row's id, and further conditions on the row. */
interface RowAddress {
  parameter?: string
  keys?: Readonly<Record<string, string>>
}

/**
 * The row named by its id in the address.
 *
 * @throws ApiError 404 where the caller has none with that id.
 */
export async function rowIn(
  ctx: ApiContext,
  { em, scope }: Pick<Reader, 'em' | 'scope'>,
  resource: AddressedName,
  { parameter, keys }: RowAddress = {},
): Promise<NamedRow> {
  const { entity, kind } = RESOURCES[resource]
  const row = await foundIn(ctx, kind, (_, id) => findObject(em, scope, entity, { ...keys, id }), parameter)
  return noted(ctx, resource, row)
}

/**
 * The same for a row read with the caller's admission; undefined where no row was requested then.
 *
 * @throws ApiError 404 where the caller has none with that id.
 */
export function admittedRowIn(
  ctx: ApiContext,
  reader: Reader,
  resource: AddressedName,
  makeRow: RowMaker,
): NamedRow | undefined {
  const { found } = ctx.state
  if (found === undefined) return undefined
  if (found === null) throw notFound(RESOURCES[resource].kind)
  const row = makeRow(found.row)
  if (found.beside !== null) reader.beside.set(row, found.beside)
  const named = noted(ctx, resource, row)
  ctx.state.objectId = named.id
  return named
}

/** The access log shows the invoice of a request. */
function noted(ctx: ApiContext, resource: AddressedName, row: object): NamedRow {
  const named = row as NamedRow
  const invoiceId = resource === 'invoice' ? named.id : named.invoiceId
  if (invoiceId != null) ctx.state.invoiceId = invoiceId
  return named
}
