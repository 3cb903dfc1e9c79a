import type { Middleware } from 'koa'
import { clientView } from '../../objects/client-view.ts'
import { ApiError, unauthenticated } from '../api-error.ts'
import type { ApiState } from '../context.ts'

/**
 * Reduces the answers to clients to the fields that they may see. A kept answer is text; equal texts become equal views,
 * byte for byte.
 */
export function clientViews(): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      throw ctx.state.caller?.kind === 'client' ? refusalOfClient(error) : error
    }
    if (ctx.state.caller?.kind !== 'client') return
    const { body } = ctx
    if (typeof body === 'string') ctx.body = JSON.stringify(clientView(JSON.parse(body)))
    else if (typeof body === 'object' && body !== null) ctx.body = clientView(body)
  }
}

/** The client secret is a client's only authentication, so a wrong one is answered as 401 and not as a wrong field. */
function refusalOfClient(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'request.validation.invalid-client-secret') return error
  const { message, invalidFields } = error
  return unauthenticated({ message, invalidFields })
}
