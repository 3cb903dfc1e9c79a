import { findObject } from '../../persistence/queries/lists/list-entity.ts'
import { isFields } from '../bodies/fields.ts'
import { type ApiContext, type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { type Expansion, readExpansion } from './paths.ts'
import { represent } from './represent.ts'
import { readerOn } from './resource.ts'
import { type ResourceName, resourceOf } from './resources.ts'

type Deps = Pick<AppDeps, 'orm' | 'clock' | 'logger'>

/**
 * Expands the object in the answer of a changing route, by `expand` in the query or body, which is checked before any
 * change. Related objects are shown as they are now, also in a kept answer.
 */
export function expandAnswer(deps: Deps, resource: ResourceName): ApiMiddleware {
  return async (ctx, next) => {
    const expansion = readExpansion(ctx, resource)
    // Other readers of the body must not see it as a field.
    delete ctx.request.fields?.expand
    await next()
    if (expansion.size === 0) return
    // The change is done and must be answered: a related object that cannot be read stays null.
    await expand(ctx, deps, resource, expansion).catch((error: unknown) =>
      deps.logger.warn({ err: error, request_id: ctx.state.requestId }, 'an answer could not be expanded'),
    )
  }
}

async function expand(
  ctx: ApiContext,
  { orm, clock }: Deps,
  resource: ResourceName,
  expansion: Expansion,
): Promise<void> {
  // A kept answer is text.
  const body: unknown = typeof ctx.body === 'string' ? JSON.parse(ctx.body) : ctx.body
  const object = isFields(body) ? body[resource] : undefined
  if (!isFields(body) || !isFields(object)) return
  const reader = readerOn(orm, scopeOf(ctx), clock.now())
  const row = await findObject(reader.em, reader.scope, resourceOf(resource).entity, { id: String(object.id) })
  if (row === null) return
  const [whole = {}] = await represent(reader, resource, [row], expansion)
  const related = Object.fromEntries([...expansion.keys()].map((name) => [name, whole[name]]))
  ctx.body = { ...body, [resource]: { ...object, ...related } }
}
