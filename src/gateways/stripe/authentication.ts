import type Stripe from 'stripe'
import { type AuthenticationResult, shiftsLiability, type TransStatus } from '../../../domain/authentication.ts'

/** Stripe's `result`. What is exempted, not supported or only shared with the issuer is not authenticated. */
const STATUSES: Readonly<Record<string, AuthenticationResult['status']>> = {
  authenticated: 'authenticated',
  attempt_acknowledged: 'attempted',
  failed: 'failed',
}

/** The issuer's answer where it was the only one. */
const ANSWERS: Readonly<Record<AuthenticationResult['status'], TransStatus | null>> = {
  authenticated: 'Y',
  attempted: 'A',
  failed: 'N',
  rejected: 'R',
  unavailable: null,
}

const NO_DETAILS = {
  aresTransStatus: null,
  cresTransStatus: null,
  eci: null,
  dsTransId: null,
  serverTransId: null,
  fingerprintCompleted: null,
} as const

/**
 * A failed authentication, which makes no charge: Stripe reports that it failed, and nothing else. Version 2 is the one
 * that schemes still operate.
 */
export const FAILED_AUTHENTICATION: AuthenticationResult = {
  ...NO_DETAILS,
  version: '2',
  status: 'failed',
  wasChallenged: false,
  hasLiabilityShift: false,
}

/**
 * How the customer of a charge was authenticated; null if Stripe reports no authentication. An exemption that the
 * issuer has accepted leaves the liability with the merchant. Sources: Stripe's reference of `three_d_secure` of a
 * charge; its pages "Strong Customer Authentication (SCA) exemptions" and "Why are some payments successful without
 * authentication even when 3D Secure was requested?".
 */
export function authenticationOf(charge: Stripe.Charge | null): AuthenticationResult | null {
  const secure = charge?.payment_method_details?.card?.three_d_secure ?? null
  if (secure === null || typeof secure.result !== 'string' || typeof secure.version !== 'string') return null
  const isRejected = secure.result === 'failed' && secure.result_reason === 'rejected'
  const status = isRejected ? 'rejected' : (STATUSES[secure.result] ?? 'unavailable')
  const wasChallenged = secure.authentication_flow === 'challenge'
  const isExempt = (secure.exemption_indicator ?? 'none') !== 'none'
  const isVersion1 = secure.version.startsWith('1.')
  return {
    ...NO_DETAILS,
    version: secure.version,
    status,
    ...(!isVersion1 && {
      aresTransStatus: wasChallenged ? 'C' : ANSWERS[status],
      cresTransStatus: wasChallenged ? ANSWERS[status] : null,
      dsTransId: textOf(secure.transaction_id),
    }),
    eci: eciOf(secure.electronic_commerce_indicator),
    wasChallenged,
    hasLiabilityShift: shiftsLiability(status) && !isExempt,
  }
}

function eciOf(indicator: unknown): string | null {
  return typeof indicator === 'string' && /^\d{2}$/.test(indicator) ? indicator : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
