import type { ApiContext, ApiMiddleware } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { mutation } from '../http/idempotency.ts'
import type { EntityManager } from '../persistence/orm.ts'
import type { Changes } from '../persistence/queries/webhooks/project-event.ts'

/** A request that changes our own rows in one database transaction, with this EntityManager only, and moves no money. */
export interface Change {
  deps: AppDeps
  ctx: ApiContext
  em: EntityManager
  /** Fires events, which are announced after the commit. */
  changes: Changes
}

/** What answers such a request: with the objects that it shows, kept for its idempotency key. */
export function changing(change: (request: Change) => Promise<object>): (deps: AppDeps) => ApiMiddleware {
  return (deps) =>
    mutation(deps, async (ctx, em, changes) => ({ success: true, ...(await change({ deps, ctx, em, changes })) }))
}
