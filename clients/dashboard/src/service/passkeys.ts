/** Passkeys of the browser. What the service asks and gets is the JSON that browsers themselves read and write. */
import type { NewPasskeyRequest } from '../../../../src/dashboard/contract.ts'
import { ApiError } from './api.ts'

type Passkey = NewPasskeyRequest['passkey']

/** An address of numbers has no passkeys. */
const IS_NUMBERS = /^[\d.]+$|^\[/

/** Why this browser has no passkeys here; null where it has. */
export function passkeyProblem(): string | null {
  if (IS_NUMBERS.test(location.hostname))
    return location.hostname === '127.0.0.1'
      ? 'Passkeys need a name in the address: open the dashboard by localhost.'
      : 'Passkeys need a name in the address of the dashboard.'
  const isKnown = 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  return isKnown ? null : 'This browser has no passkeys.'
}

/** @throws ApiError where the person or the browser has given up. */
export function makePasskey(options: unknown): Promise<Passkey> {
  return answerOf(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
      options as PublicKeyCredentialCreationOptionsJSON,
    )
    return navigator.credentials.create({ publicKey })
  })
}

/** @throws ApiError where the person or the browser has given up. */
export function signWithPasskey(options: unknown): Promise<Passkey> {
  return answerOf(() => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
    return navigator.credentials.get({ publicKey })
  })
}

async function answerOf(ask: () => Promise<Credential | null>): Promise<Passkey> {
  const problem = passkeyProblem()
  if (problem !== null) throw new ApiError(400, { message: problem })
  try {
    const credential = await ask()
    if (credential instanceof PublicKeyCredential) return { ...credential.toJSON() }
  } catch (error) {
    if (error instanceof Error && error.name === 'InvalidStateError')
      throw new ApiError(400, { message: 'This device has a passkey of your account.' })
  }
  throw new ApiError(400, { message: 'No passkey was given. Try again.' })
}
