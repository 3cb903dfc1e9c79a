import { type ApiError, unauthenticated } from '../api-error.ts'
import { type ApiContext, callerOf, isMerchant } from '../context.ts'
import { type InputDefinition, invalidInput, type Problem, problem } from '../input/input.ts'
import { bodyOf } from '../middleware/body.ts'

/**
 * Refuses a client's fields that only the merchant may set. Null and empty fields are ignored, because client libraries
 * send all fields they know. What is no field at all is left to the reading of the input, which says so.
 *
 * @param ofClients the fields that a client may send.
 */
export function refuseMerchantFields(
  ctx: ApiContext,
  { names }: Pick<InputDefinition<unknown>, 'names'>,
  ofClients: readonly string[],
): void {
  if (isMerchant(ctx)) return
  const { fields } = bodyOf(ctx)
  const isField = (name: string) => names.some((known) => known === name || known.startsWith(`${name}.`))
  const refused = Object.keys(fields).filter(
    (name) => isGiven(fields[name]) && isField(name) && !ofClients.includes(name),
  )
  if (refused.length > 0) throw invalidInput(refused.map((name) => problem(name, 'can be set with a secret key only')))
}

/** The problem of a field that a client may send where the project has this setting. */
export function unlessAllowed(name: string, setting: string): Problem {
  return problem(name, `can be set with a secret key only, unless the project has ${setting}`)
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
