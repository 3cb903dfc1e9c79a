import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { Passkey } from '../persistence/queries/people/second-factors.ts'

/** EdDSA, ES256 and RS256, by their numbers of COSE: what devices sign with. */
const ALGORITHMS = [-8, -7, -257]

/** Loaded with the first passkey: it takes a while, and most processes never need it. */
const library = () => import('@simplewebauthn/server')

/** What a new passkey of a person is made with, by a browser at `origin`. One that the person has is refused by it. */
export async function newPasskeyOptions(
  origin: string,
  { id, email, name }: Pick<PersonRow, 'id' | 'email' | 'name'>,
  known: readonly Passkey[],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Holdfast',
    rpID: rpIdOf(origin),
    userName: email,
    userDisplayName: name,
    userID: new TextEncoder().encode(id),
    excludeCredentials: known.map(descriptorOf),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
  })
}

/**
 * The passkey that a browser at `origin` has made for a challenge, after its person was verified.
 *
 * @param response as the browser sent it, of any shape.
 * @returns null where it is not that.
 */
export async function verifyNewPasskey(origin: string, challenge: string, response: unknown): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await library()
  try {
    if (await isAttested(response as RegistrationResponseJSON)) return null
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      supportedAlgorithmIDs: ALGORITHMS,
      ...expected(origin, challenge),
    })
    if (registrationInfo === undefined) return null
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    const known = transports.filter((one) => /^[a-z-]{1,20}$/.test(one)).slice(0, 8)
    return {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      signCount: counter,
      transports: known.join(','),
    }
  } catch {
    return null
  }
}

/**
 * Whether a device proves by certificates who has made it. Nobody has asked for that, and to look whether the certificates
 * were revoked the library would fetch the addresses in them.
 */
async function isAttested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  return format !== 'none' && !(format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** What one of the passkeys signs. */
export async function passkeyOptions(
  origin: string,
  known: readonly Passkey[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  const allowCredentials = known.map(descriptorOf)
  return generateAuthenticationOptions({ rpID: rpIdOf(origin), allowCredentials, userVerification: 'required' })
}

/**
 * The passkey that has signed a challenge at `origin`, with what it counts now: more than before, where it counts.
 *
 * @param response as the browser sent it, of any shape.
 * @returns null where none of them has.
 */
export async function verifyPasskey(
  origin: string,
  challenge: string,
  response: unknown,
  known: readonly Passkey[],
): Promise<{ passkey: Passkey; signCount: number } | null> {
  const passkey = known.find(({ id }) => id === (response as { id?: unknown } | null)?.id)
  if (passkey === undefined) return null
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      ...expected(origin, challenge),
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.signCount,
      },
    })
    return verified ? { passkey, signCount: authenticationInfo.newCounter } : null
  } catch {
    return null
  }
}

function expected(origin: string, expectedChallenge: string) {
  return {
    expectedChallenge,
    expectedOrigin: origin,
    expectedRPID: rpIdOf(origin),
    requireUserVerification: true,
  }
}

/** The name that passkeys are bound to; a browser takes no address of numbers. */
function rpIdOf(origin: string): string {
  return new URL(origin).hostname
}

function descriptorOf({ id, transports }: Passkey) {
  return { id, transports: transports.split(',').filter((one) => one !== '') }
}
