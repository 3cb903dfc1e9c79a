import type { Middleware } from 'koa'
import { withoutSecrets } from '../../../domain/secret-text.ts'
import type { Logger } from '../../logger.ts'
import { errorBody } from '../../objects/error-body.ts'
import { isDatabaseUnavailable, isLockTimeout } from '../../persistence/database-error.ts'
import { ApiError } from '../api-error.ts'
import type { ApiState } from '../context.ts'
import { loggableError } from '../loggable-error.ts'

/** When to try again after an answer that is not the caller's fault: late enough against floods, soon enough to wait. */
const RETRY_AFTER_SECONDS: Readonly<Record<number, number>> = { 409: 1, 503: 5 }

/**
 * The one place where errors become answers. Any other error than an ApiError is a defect or an outage: it is logged and
 * hidden.
 */
export function errors(logger: Logger): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const error = thrown instanceof ApiError ? thrown : hidden(ctx.state, thrown)
      if (error !== thrown)
        logger.error({ request_id: ctx.state.requestId, err: loggableError(thrown) }, 'request failed')
      const { requestId } = ctx.state
      const retryAfter = RETRY_AFTER_SECONDS[error.status]
      ctx.state.errorType = error.code
      ctx.status = error.status
      ctx.set(error.headers)
      if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
      ctx.body = errorBody({
        errorType: error.code,
        message: tellable(error.message),
        requestId,
        invalidFields: error.invalidFields?.map(({ name, message, ...place }) => ({
          name: tellable(name),
          message: tellable(message),
          ...place,
        })),
      })
    }
  }
}

/**
 * The text of an error, which may repeat a name or an id of the request: a card number in the wrong field, or half a surrogate
 * pair, with which parsers refuse the whole answer.
 */
const tellable = (text: string): string => withoutSecrets(text).toWellFormed()

function hidden({ caller }: Partial<ApiState>, thrown: unknown): ApiError {
  // Nothing has changed: the transaction is rolled back. Before authentication only the rate limiter locks, so the cause is
  // no other request of the caller.
  if (isLockTimeout(thrown))
    return new ApiError(caller === undefined ? 'server.unavailable' : 'request.still-processing')
  return new ApiError(isDatabaseUnavailable(thrown) ? 'server.unavailable' : 'server.internal-error')
}
