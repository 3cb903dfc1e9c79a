import { plainRows, type RowMaker } from '../../persistence/rows.ts'
import { type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { readExpansion } from '../expansion/paths.ts'
import { represent } from '../expansion/represent.ts'
import { readerOn } from '../expansion/resource.ts'
import { type AddressedName, resourceOf } from '../expansion/resources.ts'
import { admittedRowIn, rowIn } from './row-in.ts'

/** An object addressed below another: `/transactions/{id}/refunds/{refund_id}`. */
export interface Below {
  owner: AddressedName
  /** The address parameter with the object's id, and the object's property that refers to the owner. */
  parameter: string
  property: string
}

/** One object by the id in the address, expanded by the query. */
export function retrieve(
  { orm, clock }: Pick<AppDeps, 'orm' | 'clock'>,
  resource: AddressedName,
  below?: Below,
): ApiMiddleware {
  let made: RowMaker | undefined
  const makeRow: RowMaker = (json) => {
    made ??= plainRows(orm.em, resourceOf(resource).entity)
    return made(json)
  }
  return async (ctx) => {
    const reader = readerOn(orm, scopeOf(ctx), clock.now())
    const expansion = readExpansion(ctx, resource)
    const row =
      below === undefined
        ? (admittedRowIn(ctx, reader, resource, makeRow) ?? (await rowIn(ctx, reader, resource)))
        : await rowBelow(below)
    const [object] = await represent(reader, resource, [row], expansion)
    ctx.body = { success: true, [resource]: object }

    async function rowBelow({ owner, parameter, property }: Below) {
      const { id } = await rowIn(ctx, reader, owner)
      return rowIn(ctx, reader, resource, { parameter, keys: { [property]: id } })
    }
  }
}
