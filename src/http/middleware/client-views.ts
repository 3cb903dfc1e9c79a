import type { Middleware } from 'koa'
import { clientView } from '../../presenters/client-view.ts'
import type { ApiState } from '../context.ts'

/**
 * Shows clients of every answer what they may see, whatever route made it. A kept answer is text; the same text gives the
 * same view, so that a repetition is still the same to the byte.
 */
export function clientViews(): Middleware<ApiState> {
  return async (ctx, next) => {
    await next()
    if (ctx.state.caller?.kind !== 'client') return
    const { body } = ctx
    if (typeof body === 'string') ctx.body = JSON.stringify(clientView(JSON.parse(body)))
    else if (typeof body === 'object' && body !== null) ctx.body = clientView(body)
  }
}
