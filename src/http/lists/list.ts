import { isStatementTimeout } from '../../persistence/database-error.ts'
import type { Condition, SqlCondition } from '../../persistence/queries/lists/list-conditions.ts'
import { findObject } from '../../persistence/queries/lists/list-entity.ts'
import { listRows } from '../../persistence/queries/lists/list-rows.ts'
import type { Page, PageRequest } from '../../persistence/queries/lists/page.ts'
import type { Waits } from '../../waits.ts'
import { type ApiContext, type ApiMiddleware, callerOf, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { readExpansion } from '../expansion/paths.ts'
import { represent } from '../expansion/represent.ts'
import { type Presented, type Reader, readerOn } from '../expansion/resource.ts'
import { type AddressedName, type ResourceName, resourceOf } from '../expansion/resources.ts'
import { invalidField } from '../input/input.ts'
import { readPageRequest, unknownCursor } from '../input/query.ts'
import { readFilters } from './filter.ts'
import { LISTS, type ListName } from './list-definitions.ts'
import { type NamedRow, rowIn } from './row-in.ts'

/** Which rows a list shows. */
export interface ListSource {
  /** The table of the list, and the list's name in the answer. */
  list: ListName
  resource: ResourceName
  /** For a list of one object's rows: the object in the address, and the column that refers to it. */
  of?: AddressedName
  by?: string
  /** Where the rows refer to it indirectly: the resource between, and its property that refers to the object. */
  through?: { resource: ResourceName; property: string }
  /** Fixed values of the list's rows. */
  only?: Readonly<Record<string, string>>
  /** What else holds of the list's rows, as of the moment. */
  where?: SqlCondition
  /** Values of the list's rows by the address, where it names no object. */
  within?(ctx: ApiContext): Readonly<Record<string, string>>
  /** The name of a single row besides the list, for client libraries that read one object. */
  single?: ResourceName
  /** Further fixed values of rows shown to a client. */
  forClients?: Readonly<Record<string, boolean>>
}

/** A page of a list, filtered and expanded by the query. */
export function list(
  { orm, clock, waits }: Pick<AppDeps, 'orm' | 'clock' | 'waits'>,
  source: ListSource,
): ApiMiddleware {
  const definition = LISTS[source.list]
  const { kind, beside } = resourceOf(source.resource)
  return async (ctx) => {
    const reader = readerOn(orm, scopeOf(ctx), clock.now())
    const restrictions = await restrictionsOf(ctx, reader, source)
    const request = readPageRequest(ctx, kind)
    const conditions = readFilters(ctx, definition.filters, reader.now)
    const expansion = readExpansion(ctx, source.resource)
    const asked = {
      ...request,
      ...within(waits, conditions),
      conditions,
      ...(source.where !== undefined && { where: source.where }),
      restrictions: { ...source.only, ...source.within?.(ctx), ...restrictions },
    }
    const together = beside === undefined ? undefined : { sql: beside, kept: reader.beside }
    const page = await listRows(reader.em, reader.scope, definition, asked, together).catch(tellNarrower('created_at'))
    if (page === null) throw unknownCursor(request)
    const objects = await represent(reader, source.resource, page.rows, expansion)
    const [first] = objects
    ctx.body = {
      ...listBody(source.list, request, page, objects),
      ...(source.single === undefined || first === undefined ? {} : { [source.single]: first }),
    }
  }
}

/** Filters without an index of their own are applied row by row, and a project may have millions. */
export function within({ filterMs }: Pick<Waits, 'filterMs'>, conditions: readonly Condition[]): { withinMs?: number } {
  return conditions.length === 0 ? {} : { withinMs: filterMs }
}

/** @param instant the field that narrows the list to fewer rows. */
export const tellNarrower =
  (instant: 'created_at' | 'fired_at') =>
  (error: unknown): never => {
    if (!isStatementTimeout(error)) throw error
    const message = `looks through too many rows; add filter=${instant}>=2026-11-01 and filter=${instant}<2026-12-01, or others`
    throw invalidField('filter', message, 'request.filter.invalid')
  }

async function restrictionsOf(
  ctx: ApiContext,
  reader: Reader,
  { of, by, through, forClients = {} }: ListSource,
): Promise<Record<string, string | boolean | null>> {
  if (callerOf(ctx).kind === 'client') return forClients
  if (of === undefined || by === undefined) return {}
  const { id } = await rowIn(ctx, reader, of)
  if (through === undefined) return { [by]: id }
  const { resource, property } = through
  const between = await findObject(reader.em, reader.scope, resourceOf(resource).entity, { [property]: id })
  return { [by]: (between as NamedRow | null)?.id ?? null }
}

/** The common form of all lists; the objects are under their plural name. */
export function listBody(plural: string, request: PageRequest, page: Page<object>, objects: readonly Presented[]) {
  return {
    success: true,
    has_more: page.hasMore,
    count: objects.length,
    total_count: page.totalCount,
    total_count_capped: page.isTotalCapped,
    limit: request.limit,
    order: request.order,
    [plural]: objects,
  }
}
