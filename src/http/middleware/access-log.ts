import type { Middleware } from 'koa'
import type { Logger } from '../../logger.ts'
import type { ApiState } from '../context.ts'
import { isPolling } from '../request-log/polling.ts'

/** One line per request. It has the route and not the address: no query and no made-up id gets into a log. */
export function accessLog(logger: Logger): Middleware<ApiState> {
  // Lines have exactly these fields, so redaction has nothing to search for.
  const lines = logger.child({}, { redact: [] })
  return async (ctx, next) => {
    const startedAt = performance.now()
    try {
      await next()
    } finally {
      const { requestId, caller, signedIn, invoiceId, objectId, errorType } = ctx.state
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
          // The only place that shows which key moved the money; needed when a key is stolen.
          api_key_id: caller?.apiKeyId ?? undefined,
          person_id: caller?.personId ?? signedIn?.personId,
          invoice_id: invoiceId,
          object_id: objectId === invoiceId ? undefined : objectId,
          // What is in no request log is here.
          is_polling: isPolling(ctx) || undefined,
          error_type: errorType,
        },
        'request',
      )
    }
  }
}
