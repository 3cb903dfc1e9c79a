import type { Middleware } from 'koa'

/** Programs that show an answer to a person as it comes. */
const SHOWN_AS_IT_IS = /^(?:curl|Wget)\//

/** Indents the answers to `curl` and `wget`, which people read; libraries get them without a space too many. */
export function readableAnswers(): Middleware {
  return async (ctx, next) => {
    await next()
    if (!SHOWN_AS_IT_IS.test(ctx.get('User-Agent')) || ctx.response.is('json') === false) return
    const { body } = ctx
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body
    if (isPlain(value)) ctx.body = `${JSON.stringify(value, null, 2)}\n`
  }
}

/** Not a file, nor a stream. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value))
