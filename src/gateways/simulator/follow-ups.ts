import type { Outcome } from '../../../domain/operation.ts'
import { gatewayOperationId } from './ids.ts'
import type { Entry, HeldAuthorization, LedgerRequest, Result } from './ledger.ts'
import { decline } from './scenarios.ts'
import { scriptOf } from './test-cards.ts'

interface FollowedUp {
  result: Result
  /** The authorization afterwards, if there is one. */
  held: HeldAuthorization | null
}

/**
 * The result of a step on an authorization.
 *
 * @param targetTotalMinor of an increment: the total after it
 * @param failure the outcome where the gateway itself fails at a step that it would approve
 */
export function followUp(
  step: LedgerRequest,
  held: HeldAuthorization | null,
  targetTotalMinor: number | undefined,
  failure: Outcome | null,
): FollowedUp {
  const { type, reference, amountMinor, currency } = step
  if (held === null) {
    const outcome = decline('gateway.transaction-not-found')
    return { result: { scenario: null, outcome, later: null, delivery: null }, held }
  }
  const { scenario } = held
  const script = scriptOf(scenario, type)
  const { decline: scripted, from = 1, times = Number.POSITIVE_INFINITY, delivery = null } = script
  const result = (outcome: Outcome, later: Outcome | null = null): Result => ({ scenario, outcome, later, delivery })
  const refusal = refusalOf(step, held, targetTotalMinor)
  if (refusal !== null) return { result: result(refusal), held }
  const operation = { gatewayOperationId: gatewayOperationId(type, reference) }
  const isDeclined = scripted !== undefined && held.captures + 1 >= from && held.failedCaptures < times
  const outcome: Outcome = isDeclined
    ? { kind: 'declined', ...scripted }
    : (failure ?? { kind: 'approved', ...operation, amountMinor, currency })
  return script.isPendingFirst
    ? { result: result({ kind: 'pending', ...operation }, outcome), held: reserve(step, held, 1) }
    : { result: result(outcome), held: afterStep(step, outcome, held) }
}

/** Refusals of any gateway, independent of the scenario. */
function refusalOf({ type, amountMinor, currency }: LedgerRequest, held: HeldAuthorization, targetTotalMinor?: number) {
  if (held.currency !== currency) return decline('gateway.validation-error')
  const remaining = held.authorizedMinor - held.capturedMinor - held.capturingMinor - held.voidedMinor
  const refundable = held.capturedMinor - held.refundedMinor - held.refundingMinor
  const isReleased = type === 'void' && remaining === 0 && held.voidedMinor >= amountMinor
  if (isReleased) return decline('gateway.invalid-state', { holdsNothing: true })
  const available = type === 'refund' ? refundable : remaining
  const isRaisable = held.incremental && held.captures === 0 && held.capturingMinor === 0
  if (available === 0 || (type === 'increment_authorization' && !isRaisable)) return decline('gateway.invalid-state')
  const isPossible =
    type === 'increment_authorization'
      ? targetTotalMinor === held.authorizedMinor + amountMinor
      : amountMinor <= available
  return amountMinor > 0 && isPossible ? null : decline('gateway.validation-error')
}

/** Reserves money for a pending step, or returns it; other steps cannot use it meanwhile. */
function reserve({ type, amountMinor }: LedgerRequest, held: HeldAuthorization, sign: 1 | -1): HeldAuthorization {
  const reserved = type === 'capture' ? 'capturingMinor' : 'refundingMinor'
  return { ...held, [reserved]: held[reserved] + sign * amountMinor }
}

function afterStep({ type, amountMinor, isFinal }: LedgerRequest, { kind }: Outcome, held: HeldAuthorization) {
  if (kind !== 'approved') return { ...held, failedCaptures: held.failedCaptures + (type === 'capture' ? 1 : 0) }
  if (type === 'increment_authorization') return { ...held, authorizedMinor: held.authorizedMinor + amountMinor }
  if (type === 'void') return { ...held, voidedMinor: held.voidedMinor + amountMinor }
  if (type === 'refund') return { ...held, refundedMinor: held.refundedMinor + amountMinor }
  const capturedMinor = held.capturedMinor + amountMinor
  const rest = held.authorizedMinor - capturedMinor - held.capturingMinor
  return { ...held, capturedMinor, voidedMinor: isFinal ? rest : held.voidedMinor, captures: held.captures + 1 }
}

/** Ends a pending step; null for any other. */
export function endPending(step: Entry, held: HeldAuthorization) {
  const { outcome, later } = step
  if (outcome.kind !== 'pending' || later === null) return null
  return { outcome: later, held: afterStep(step, later, reserve(step, held, -1)) }
}

/** Fails a refund after its approval; null for any other step. */
export function failRefund({ type, amountMinor, outcome }: Entry, held: HeldAuthorization) {
  if (type !== 'refund' || outcome.kind !== 'approved') return null
  return { outcome: decline('gateway.declined'), held: { ...held, refundedMinor: held.refundedMinor - amountMinor } }
}
