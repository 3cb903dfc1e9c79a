import type { Middleware } from 'koa'
import { type RandomBytes, randomText } from '../../../domain/identifiers.ts'
import type { ApiState } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import { redactText } from '../request-log/redaction.ts'

const HEADER = 'X-Request-Id'

/** What a caller may choose: safe in a log line and in a header, and no longer than ids usually are. */
const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Names every request, by the caller's own id where it is usable and comes with a secret key: a client could otherwise
 * give its requests the ids of its merchant's. An id with a card number or a secret in it is not usable.
 */
export function requestId(randomBytes: RandomBytes): Middleware<ApiState> {
  return (ctx, next) => {
    const given = ctx.get(HEADER)
    const isUsable = ACCEPTED.test(given) && comesWithSecret(ctx.get('Authorization')) && redactText(given) === given
    ctx.state.requestId = isUsable ? given : `req_${randomText(randomBytes)}`
    ctx.set(HEADER, ctx.state.requestId)
    return next()
  }
}

function comesWithSecret(authorization: string): boolean {
  const credentials = readCredentials(authorization)
  return credentials !== null && credentials.secret !== ''
}
