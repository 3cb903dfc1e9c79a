import type { Middleware, ParameterizedContext } from 'koa'
import type { ApiState } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { loggableError } from '../loggable-error.ts'
import { entryOf } from './entry.ts'

/**
 * Has every request of a known caller written to the request log. The row is made after the answer was handed over,
 * and whatever goes wrong with it is no concern of the caller's.
 */
export function logRequests({
  requestLog,
  clock,
  randomBytes,
  logger,
}: Pick<AppDeps, 'requestLog' | 'clock' | 'randomBytes' | 'logger'>): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedAt = clock.now()
    const begun = performance.now()
    try {
      await next()
    } finally {
      const latencyMs = performance.now() - begun
      setImmediate(() => add(ctx, { startedAt, latencyMs }))
    }
  }

  function add(ctx: ParameterizedContext<ApiState>, measured: { startedAt: Date; latencyMs: number }): void {
    const { caller, requestId } = ctx.state
    if (caller === undefined) return
    try {
      requestLog.add(entryOf(ctx, caller, measured, randomBytes))
    } catch (error) {
      logger.error({ request_id: requestId, err: loggableError(error) }, 'A request could not be put into its log')
    }
  }
}
