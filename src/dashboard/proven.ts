import type { ApiContext } from '../http/context.ts'
import { invalidField } from '../http/input/input.ts'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { CallDeps } from './call.ts'
import { admitTry, noteWrong, type Try } from './sign-in-tries.ts'

/**
 * Has the person of a session give the password once more. Source: PCI DSS 4.0.1, requirement 8.3.3.
 *
 * @throws ApiError 400 for a wrong one, 429 for too many.
 */
export async function proven(deps: CallDeps, ctx: ApiContext, person: PersonRow, password: string): Promise<Try> {
  const tried = await admitTry(deps, ctx, { email: person.email, person, proof: 'password' })
  if (await deps.passwords.matches(password, person.passwordHash, tried.place)) return tried
  noteWrong(deps, ctx, tried)
  throw invalidField('current_password', 'is not your password')
}
