import { EVENT_FILTERS } from '../../persistence/queries/lists/list-definitions.ts'
import { listEvents as findPage } from '../../persistence/queries/lists/list-events.ts'
import { type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { readExpansion } from '../expansion/paths.ts'
import { represent } from '../expansion/represent.ts'
import { readFilters } from '../lists/filter.ts'
import { listBody } from '../lists/list-body.ts'
import { retrieve } from '../lists/retrieve.ts'
import { isIdentifier } from '../schemas/fields/identifier.ts'
import { readPageRequest, unknownCursor } from '../schemas/fields/query.ts'

/** Events in the order in which they were committed, which no other list has: see `list-events.ts`. */
export function listEvents({ orm, clock }: Pick<AppDeps, 'orm' | 'clock'>): ApiMiddleware {
  return async (ctx) => {
    const reader = { em: orm.em.fork(), scope: scopeOf(ctx), now: clock.now() }
    const request = readPageRequest(ctx, (id) => isIdentifier('event', id))
    const conditions = readFilters(ctx, EVENT_FILTERS)
    const expansion = readExpansion(ctx, 'event')
    const page = await findPage(reader.em, reader.scope, { ...request, conditions })
    if (page === null) throw unknownCursor(request)
    ctx.body = listBody('events', request, page, await represent(reader, 'event', page.rows, expansion))
  }
}

/** Fetching an event by its id is how a merchant proves that a webhook came from here. */
export function retrieveEvent(deps: Pick<AppDeps, 'orm' | 'clock'>): ApiMiddleware {
  return retrieve(deps, 'event')
}
