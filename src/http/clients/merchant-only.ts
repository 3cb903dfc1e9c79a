import { type ApiError, unauthenticated } from '../api-error.ts'
import { type ApiContext, callerOf, isMerchant } from '../context.ts'
import { invalidInput, type Problem, problem } from '../input/input.ts'
import { bodyOf } from '../middleware/body.ts'

/**
 * Refuses a client's fields that only the merchant may set. Null and empty fields are ignored, because client libraries
 * send all fields they know.
 *
 * @param ofClients the fields that a client may send.
 */
export function refuseMerchantFields(ctx: ApiContext, ofClients: readonly string[]): void {
  if (isMerchant(ctx)) return
  const { fields } = bodyOf(ctx)
  const names = Object.keys(fields).filter((name) => isGiven(fields[name]) && !ofClients.includes(name))
  if (names.length > 0) throw invalidInput(names.map(ofMerchant))
}

export function ofMerchant(name: string): Problem {
  return problem(name, 'can be set with a secret key only')
}

export function needsSecretKey(what: string): ApiError {
  return unauthenticated({ message: `${what} needs a secret key.` })
}

/**
 * True for the merchant, and for clients of a project that lets them capture and increment existing
 * authorizations.
 */
export function mayCaptureExisting(ctx: ApiContext): boolean {
  return isMerchant(ctx) || callerOf(ctx).allowsClientCaptures
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== ''
}
