import type { ErrorCode } from '../../../domain/errors.ts'
import type { LookUp, Outcome } from '../../../domain/operation.ts'

/**
 * Declines by which a gateway says that it failed itself, as with an answer of HTTP's 5xx class: nothing was done, and the
 * next payment will fare no better.
 */
const OWN_FAILURES: ReadonlySet<string> = new Set<ErrorCode>([
  'gateway.internal-error',
  'gateway.maintenance',
  'gateway.network-error',
  'gateway.timeout',
])

/** Not taken up either, but whoever counts requests is well. */
const RATE_LIMIT = 'gateway.rate-limit-exceeded' satisfies ErrorCode

/**
 * Whether a call tells that its gateway is not well. A lost answer and a call that could not be sent do, and so does an
 * answer that cannot be read, because the payments after it would be as unknown. Whatever the gateway decided, a decline
 * by the issuer too, was decided by a gateway that works.
 */
export function isFailure(outcome: Outcome): boolean {
  if (outcome.kind === 'unknown') return true
  if (outcome.kind !== 'declined' || outcome.code === RATE_LIMIT) return false
  return outcome.isNotSent === true || OWN_FAILURES.has(outcome.code)
}

/** Whether a look-up was answered, whatever the answer. That it was not proves nothing: some gateways have no look-up. */
export function isAnswered(lookUp: LookUp): boolean {
  return lookUp.kind !== 'unreachable'
}

/** What a call failed with, for staff: nothing of what was sent. */
export function describeFailure(failure: { value: unknown } | { error: unknown } | undefined): string {
  if (failure === undefined) return 'No call has failed.'
  if ('error' in failure) return failure.error instanceof Error ? failure.error.name : 'The call was broken off.'
  const outcome = failure.value as Outcome
  if (outcome.kind === 'unknown') return outcome.reason
  return outcome.kind === 'declined' ? `${outcome.code} (${outcome.gatewayCode})` : outcome.kind
}
