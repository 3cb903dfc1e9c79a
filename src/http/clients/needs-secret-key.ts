import { ApiError } from '../api-error.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { CHALLENGE } from '../middleware/authenticate.ts'

/** What only the merchant's server may do, wherever a client may do something else. */
export function needsSecretKey(what: string): ApiError {
  return new ApiError('request.authentication.invalid', {
    message: `${what} needs a secret key.`,
    headers: CHALLENGE,
  })
}

/** True for the merchant's server, and for clients of a project that lets them capture and increment what is authorized. */
export function mayCaptureExisting(ctx: ApiContext): boolean {
  const { kind, allowsClientCaptures } = callerOf(ctx)
  return kind === 'key' || allowsClientCaptures
}
