import { type AuthenticationResult, shiftsLiability, type TransStatus } from '../../../domain/authentication.ts'
import type { Continuation } from './continuation.ts'
import { idOf, transStatusOf } from './messages.ts'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<TransStatus, AuthenticationResult['status']>> = {
  Y: 'authenticated',
  A: 'attempted',
  N: 'failed',
  R: 'rejected',
  U: 'unavailable',
  C: 'unavailable',
  I: 'unavailable',
}

/** Adyen's reason for a payment whose customer was not authenticated. */
const NOT_AUTHENTICATED = '11'

const VERSION = /^[12]\.\d{1,2}\.\d{1,2}$/

/**
 * How the customer was authenticated; null if Adyen reports no authentication, or not which version it had. The
 * liability has shifted only if Adyen says so. Source: Adyen's reference of `additionalData` and `threeDS2Result`; in
 * version 2 `threeDOfferedResponse` is the issuer's first answer, and `threeDAuthenticatedResponse` the last.
 *
 * @param data `additionalData` of an answer or a notification
 * @param result `threeDS2Result` of an answer
 * @param reason `refusalReasonCode`
 * @param known what the actions of the payment have told; null if there were none, or if it is not known
 */
export function authenticationOf(
  data: Fields,
  result: Fields,
  reason: unknown,
  known: Continuation | null,
): AuthenticationResult | null {
  const version = [data.threeDSVersion, result.messageVersion, known?.messageVersion].find(isVersion)
  const first = transStatusOf(data.threeDOfferedResponse)
  const last = transStatusOf(data.threeDAuthenticatedResponse) ?? transStatusOf(result.transStatus)
  const isReported = first !== null || last !== null || data.threeDOffered === 'true' || reason === NOT_AUTHENTICATED
  if (version === undefined || !isReported) return null
  const isVersion1 = version.startsWith('1.')
  const status = statusOf(last ?? first, data, reason)
  const wasChallenged = isVersion1 ? last !== null : first === 'C' || known?.step === 'challenge'
  return {
    version,
    status,
    aresTransStatus: isVersion1 ? null : wasChallenged ? 'C' : (first ?? last),
    cresTransStatus: !isVersion1 && wasChallenged ? last : null,
    eci: [data.eci, result.eci].find(isEci) ?? null,
    dsTransId: isVersion1 ? null : (idOf(data.dsTransID) ?? idOf(result.dsTransID)),
    serverTransId: idOf(result.threeDSServerTransID) ?? known?.threeDSServerTransID ?? null,
    fingerprintCompleted: completionOf(known),
    wasChallenged,
    hasLiabilityShift: data.liabilityShift === 'true' && shiftsLiability(status),
  }
}

function statusOf(transStatus: TransStatus | null, data: Fields, reason: unknown): AuthenticationResult['status'] {
  if (reason === NOT_AUTHENTICATED) return transStatus === 'R' ? 'rejected' : 'failed'
  if (transStatus !== null) return STATUSES[transStatus]
  return data.threeDAuthenticated === 'true' ? 'authenticated' : 'unavailable'
}

function completionOf(known: Continuation | null): boolean | null {
  const indicator = known?.threeDSCompInd ?? 'U'
  return indicator === 'U' ? null : indicator === 'Y'
}

function isVersion(value: unknown): value is string {
  return typeof value === 'string' && VERSION.test(value)
}

function isEci(value: unknown): value is string {
  return typeof value === 'string' && /^\d{2}$/.test(value)
}
