import { findEvent } from '../../persistence/queries/find-event.ts'
import { listEvents as findPage } from '../../persistence/queries/list-events.ts'
import type { PageRequest } from '../../persistence/queries/page.ts'
import { presentEvent } from '../../presenters/event.ts'
import { ApiError } from '../api-error.ts'
import { type ApiMiddleware, scopeOf } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { identifierIn, isIdentifier } from '../schemas/identifier.ts'
import { invalidInput } from '../schemas/input.ts'
import { readPageRequest } from '../schemas/query.ts'

export function listEvents({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const request = readPageRequest(ctx, (id) => isIdentifier('event', id))
    const page = await findPage(orm.em.fork(), scopeOf(ctx), request)
    if (page === null) throw unknownCursor(request)
    ctx.body = {
      success: true,
      has_more: page.hasMore,
      count: page.rows.length,
      total_count: page.totalCount,
      limit: request.limit,
      order: request.order,
      events: page.rows.map(presentEvent),
    }
  }
}

function unknownCursor({ cursor }: PageRequest): ApiError {
  const name = cursor?.side === 'before' ? 'end_before' : 'start_after'
  const message = 'is not the id of an event in this list'
  return invalidInput([{ name, message, code: 'request.pagination.invalid' }])
}

/** Fetching an event by its id is how a merchant proves that a webhook came from here. */
export function retrieveEvent({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const id = identifierIn(ctx, 'event', 'resource.event.not-found')
    const row = await findEvent(orm.em.fork(), scopeOf(ctx), id)
    if (row === null) throw new ApiError('resource.event.not-found')
    ctx.state.invoiceId = row.invoiceId
    ctx.body = { success: true, event: presentEvent(row) }
  }
}
