import type { ErrorCode } from '../../../domain/errors.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'

/**
 * Declines that report a failure of the gateway itself, like an HTTP 5xx: nothing was done, and the next payment will fail,
 * too.
 */
const OWN_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  'gateway.internal-error',
  'gateway.maintenance',
  'gateway.network-error',
  'gateway.timeout',
])

/** Not executed either, but a gateway that limits rates is healthy. */
const RATE_LIMIT = 'gateway.rate-limit-exceeded' satisfies ErrorCode

/**
 * True if a call shows an unhealthy gateway: a lost or unreadable answer, or a call that could not be sent. A decision of
 * the gateway, such as a decline by the issuer, shows a healthy one.
 */
export function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true
  if (outcome.kind !== 'declined' || outcome.code === RATE_LIMIT) return false
  return outcome.isNotSent === true || OWN_FAILURES.has(outcome.code)
}

/** True if a look-up was answered, with any answer. No answer proves nothing: some gateways have no look-up. */
export function isAnswered(lookUp: LookUp): boolean {
  return lookUp.kind !== 'unreachable'
}

/** Describes a failure for staff, without data of the call. */
export function describeFailure(failure: { value: unknown } | { error: unknown } | undefined): string {
  if (failure === undefined) return 'No call has failed.'
  if ('error' in failure) return failure.error instanceof Error ? failure.error.name : 'The call was broken off.'
  const outcome = failure.value as Outcome
  if (outcome.kind === 'unknown') return outcome.reason
  return outcome.kind === 'declined' ? `${outcome.code} (${outcome.gatewayCode})` : outcome.kind
}
