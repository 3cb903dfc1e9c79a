import type { Middleware } from 'koa'
import type { Logger } from '../../logger.ts'
import type { ApiState } from '../context.ts'

/** One line a request. It names the route and not the address, so that no query and no made-up id gets into a log. */
export function accessLog(logger: Logger): Middleware<ApiState> {
  // The fields of its lines are these and no others, so that none is left to be looked for that must not be shown.
  const lines = logger.child({}, { redact: [] })
  return async (ctx, next) => {
    const startedAt = performance.now()
    try {
      await next()
    } finally {
      const { requestId, caller, invoiceId, errorType } = ctx.state
      lines.info(
        {
          request_id: requestId,
          method: ctx.method,
          route: String(ctx._matchedRoute ?? 'none'),
          status: ctx.status,
          duration_ms: Math.round(performance.now() - startedAt),
          project_id: caller?.projectId,
          environment: caller?.environment,
          caller: caller?.kind,
          // By which key money was moved is told nowhere else, and is asked when one was stolen.
          api_key_id: caller?.apiKeyId ?? undefined,
          invoice_id: invoiceId,
          error_type: errorType,
        },
        'request',
      )
    }
  }
}
