import { fitsContinuation } from '../customer-authentication.ts'

/** What of an action is needed when the customer has answered it. Null where the action has no such field. */
export interface Continuation {
  step: 'redirect' | 'fingerprint' | 'challenge'
  /** Our reference of the authorization, for which alone it may be used. */
  reference: string
  /** Adyen's own state of the payment, which goes back as it came. */
  paymentData: string | null
  authorisationToken: string | null
  threeDSServerTransID: string | null
  acsTransID: string | null
  messageVersion: string | null
  /** Whether the issuer's fingerprint page was loaded: yes, no, or there is none. */
  threeDSCompInd: 'Y' | 'N' | 'U' | null
}

/** Null for one that is too long to be kept. */
export function writeContinuation(continuation: Continuation): string | null {
  const text = JSON.stringify(continuation)
  return fitsContinuation(text) ? text : null
}

const STEPS: ReadonlySet<unknown> = new Set<Continuation['step']>(['redirect', 'fingerprint', 'challenge'])
const COMPLETIONS: ReadonlySet<unknown> = new Set<Continuation['threeDSCompInd']>(['Y', 'N', 'U', null])

/** Null for what `writeContinuation` has not written, or not for this reference. */
export function readContinuation(text: string, reference: string): Continuation | null {
  if (!fitsContinuation(text)) return null
  try {
    const value: unknown = JSON.parse(text)
    return isContinuation(value) && value.reference === reference ? value : null
  } catch {
    return null
  }
}

function isContinuation(value: unknown): value is Continuation {
  if (typeof value !== 'object' || value === null) return false
  const { step, threeDSCompInd, ...texts } = value as Record<keyof Continuation, unknown>
  const { paymentData, authorisationToken, threeDSServerTransID, acsTransID, messageVersion } = texts
  return (
    STEPS.has(step) &&
    COMPLETIONS.has(threeDSCompInd) &&
    [paymentData, authorisationToken, threeDSServerTransID, acsTransID, messageVersion].every(isTextOrNull)
  )
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string'
}
