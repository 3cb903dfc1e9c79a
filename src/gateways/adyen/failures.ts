import { notSent, type Outcome } from '../../../domain/operation.ts'
import type { CallFailure } from './http-client.ts'
import { ALREADY_PROCESSED, VALIDATION_CODES } from './refusal-codes.ts'

/** Answers by which Adyen refuses a request before it does anything. Source: Adyen, "HTTP status codes". */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 422])

/**
 * What becomes of a call that brought no result. A refused request is certain; so are credentials that do not hold. A
 * server error, an answer that got lost, and a reference that is being worked on are unknown: the payment may exist.
 */
export function failureOutcome(failure: CallFailure): Outcome {
  if (failure.kind === 'not-sent') return notSent(failure.reason)
  if (failure.kind === 'lost') return { kind: 'unknown', reason: failure.reason }
  const { status, errorCode, isTransient } = failure
  const gatewayCode = errorCode ?? `http-${status}`
  const unknown: Outcome = { kind: 'unknown', reason: gatewayCode }
  // Both say that the same reference is, or was, under way.
  if (isTransient || errorCode === ALREADY_PROCESSED) return unknown
  // Adyen has looked at nothing of it.
  if (status === 401) return { kind: 'declined', code: 'gateway.invalid-credentials', gatewayCode, isNotSent: true }
  if (status === 404) return { kind: 'declined', code: 'gateway.not-found', gatewayCode }
  if (status === 429) return { kind: 'declined', code: 'gateway.rate-limit-exceeded', gatewayCode, isNotSent: true }
  if (!REFUSALS.has(status)) return unknown
  const code = VALIDATION_CODES.get(errorCode ?? '')
  return {
    kind: 'declined',
    code: code ?? (status === 403 ? 'gateway.forbidden' : 'gateway.validation-error'),
    gatewayCode,
  }
}
