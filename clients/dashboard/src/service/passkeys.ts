/** Passkeys of the browser. What the service asks and gets is the JSON that browsers themselves read and write. */
import type { NewPasskeyRequest } from '../../../../src/dashboard/contract.ts'
import { t } from '../words/words.ts'
import { ApiError } from './api.ts'

type Passkey = NewPasskeyRequest['passkey']

/** An address of numbers has no passkeys. */
const IS_NUMBERS = /^[\d.]+$|^\[/

/** Why this browser has no passkeys here; null where it has. */
export function passkeyProblem(): string | null {
  if (IS_NUMBERS.test(location.hostname))
    return location.hostname === '127.0.0.1' ? t('account.factor.localhost') : t('account.factor.needsName')
  const isKnown = 'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  return isKnown ? null : t('account.factor.noPasskeys')
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
      throw new ApiError(400, { message: t('account.factor.hasPasskey') })
  }
  throw new ApiError(400, { message: t('account.factor.noneGiven') })
}
