import type { Outcome } from '../../../domain/operation.ts'
import { gatewayOperationId } from './ids.ts'
import type { Asked, Entry, HeldAuthorization, Result } from './ledger.ts'
import { decline } from './scenarios.ts'
import { scriptOf } from './test-cards.ts'

/** A step on an authorization. */
export interface FollowUp extends Asked {
  /** Of an increment: the total after it. */
  targetTotalMinor: number | null
}

/** What becomes of a step, and its authorization afterwards, where there is one. */
interface FollowedUp extends Pick<Result, 'outcome' | 'later'> {
  held: HeldAuthorization | null
}

/** @param failure the outcome where the gateway itself fails at a step that it would approve. */
export function followUp(step: FollowUp, held: HeldAuthorization | null, failure: Outcome | null): FollowedUp {
  if (held === null) return { outcome: decline('gateway.transaction-not-found'), later: null, held }
  const refusal = refusalOf(step, held)
  if (refusal !== null) return { outcome: refusal, later: null, held }
  const { type, reference, amountMinor, currency } = step
  const operation = { gatewayOperationId: gatewayOperationId(type, reference) }
  const {
    decline: scripted,
    from = 1,
    times = Number.POSITIVE_INFINITY,
    isPendingFirst,
  } = scriptOf(held.scenario, type)
  const isDeclined = scripted !== undefined && held.captures + 1 >= from && held.failedCaptures < times
  const outcome: Outcome = isDeclined
    ? { kind: 'declined', ...scripted }
    : (failure ?? { kind: 'approved', ...operation, amountMinor, currency })
  if (isPendingFirst)
    return { outcome: { kind: 'pending', ...operation }, later: outcome, held: reserve(step, held, 1) }
  return { outcome, later: null, held: afterStep(step, outcome, held) }
}

/** What a gateway refuses, whatever the scenario. */
function refusalOf({ type, amountMinor, currency, targetTotalMinor }: FollowUp, held: HeldAuthorization) {
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

/** Takes money for a pending step, or gives it back: meanwhile no other step can have it. */
function reserve({ type, amountMinor }: Asked, held: HeldAuthorization, sign: 1 | -1): HeldAuthorization {
  const reserved = type === 'capture' ? 'capturingMinor' : 'refundingMinor'
  return { ...held, [reserved]: held[reserved] + sign * amountMinor }
}

function afterStep({ type, amountMinor, isFinal }: Asked, { kind }: Outcome, held: HeldAuthorization) {
  if (kind !== 'approved') return { ...held, failedCaptures: held.failedCaptures + (type === 'capture' ? 1 : 0) }
  if (type === 'increment_authorization') return { ...held, authorizedMinor: held.authorizedMinor + amountMinor }
  if (type === 'void') return { ...held, voidedMinor: held.voidedMinor + amountMinor }
  if (type === 'refund') return { ...held, refundedMinor: held.refundedMinor + amountMinor }
  const capturedMinor = held.capturedMinor + amountMinor
  const rest = held.authorizedMinor - capturedMinor - held.capturingMinor
  return { ...held, capturedMinor, voidedMinor: isFinal ? rest : held.voidedMinor, captures: held.captures + 1 }
}

/** The end of a step that is pending; null for every other. */
export function endPending(step: Entry, held: HeldAuthorization) {
  const { outcome, later } = step
  if (outcome.kind !== 'pending' || later === null) return null
  return { outcome: later, held: afterStep(step, later, reserve(step, held, -1)) }
}

/** A refund that fails after it was approved; null for every other. */
export function failRefund({ type, amountMinor, outcome }: Entry, held: HeldAuthorization) {
  if (type !== 'refund' || outcome.kind !== 'approved') return null
  return { outcome: decline('gateway.declined'), held: { ...held, refundedMinor: held.refundedMinor - amountMinor } }
}
