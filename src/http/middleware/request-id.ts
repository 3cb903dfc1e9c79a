import type { Middleware } from 'koa'
import { type RandomBytes, randomText } from '../../../domain/identifiers.ts'
import type { ApiState } from '../context.ts'
import { readCredentials } from '../credentials.ts'
import { redactText } from '../request-log/redaction.ts'

const HEADER = 'X-Request-Id'

/** The ids that a caller may choose: safe in log lines and headers, and of usual length. */
const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/

/**
 * Gives every request an id. A caller's own id is used if it is valid and comes with a secret key: otherwise a client could
 * use the ids of its merchant's requests. An id with a card number or a secret in it is not valid.
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
