import type { Decline, GatewayOperationType, Outcome } from '../../../domain/operation.ts'
import { gatewayOperationId } from './ids.ts'
import { decline } from './scenarios.ts'
import { scriptOf } from './test-cards.ts'

/** What was done with the money of an authorization. */
export interface Totals {
  authorizedMinor: number
  capturedMinor: number
  /** In captures that are pending. */
  capturingMinor: number
  voidedMinor: number
  refundedMinor: number
  /** In refunds that are pending. */
  refundingMinor: number
  captures: number
  failedCaptures: number
}

export interface HeldAuthorization extends Totals {
  id: string
  /** The account that it was given to. */
  gatewayConfigurationId: string
  scenario: string
  currency: string
  incremental: boolean
}

/** A step on an authorization. */
export interface FollowUp {
  type: Exclude<GatewayOperationType, 'authorization'>
  reference: string
  amountMinor: number
  currency: string
  /** Of a capture: whether it releases the rest. */
  isFinal: boolean | null
  /** Of an increment: the total after it. */
  targetTotalMinor: number | null
}

/** What becomes of a step, and the totals of its authorization afterwards, where there is one. */
export interface FollowedUp {
  outcome: Outcome
  /** What a pending outcome becomes. */
  later: Outcome | null
  totals: Totals | null
}

/** @param failure the outcome where the gateway itself fails at a step that it would approve. */
export function followUp(step: FollowUp, held: HeldAuthorization | null, failure: Outcome | null): FollowedUp {
  const refusal = refusalOf(step, held)
  if (held === null || refusal !== null)
    return { outcome: refusal ?? decline('gateway.transaction-not-found'), later: null, totals: held }
  const { type, reference, amountMinor, currency } = step
  const operation = { gatewayOperationId: gatewayOperationId(type, reference) }
  const scripted = scriptedDecline(step, held)
  const outcome: Outcome =
    scripted === null
      ? (failure ?? { kind: 'approved', ...operation, amountMinor, currency })
      : { kind: 'declined', ...scripted }
  if (scriptOf(held.scenario, type).isPendingFirst !== true)
    return { outcome, later: null, totals: afterStep(step, outcome, held) }
  return { outcome: { kind: 'pending', ...operation }, later: outcome, totals: reserve(step, held, 1) }
}

/** What a gateway refuses, whatever the scenario. */
function refusalOf({ type, amountMinor, currency, targetTotalMinor }: FollowUp, held: HeldAuthorization | null) {
  if (held === null) return decline('gateway.transaction-not-found')
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

function scriptedDecline({ type }: FollowUp, held: HeldAuthorization): Decline | null {
  const { decline: scripted, from = 1, times = Number.POSITIVE_INFINITY } = scriptOf(held.scenario, type)
  return held.captures + 1 >= from && held.failedCaptures < times ? (scripted ?? null) : null
}

type Moved = Pick<FollowUp, 'amountMinor' | 'isFinal'> & { type: GatewayOperationType }

/** Takes money for a pending step, or gives it back: meanwhile no other step can have it. */
function reserve({ type, amountMinor }: Moved, totals: Totals, sign: 1 | -1): Totals {
  return {
    ...totals,
    capturingMinor: totals.capturingMinor + (type === 'capture' ? sign * amountMinor : 0),
    refundingMinor: totals.refundingMinor + (type === 'refund' ? sign * amountMinor : 0),
  }
}

function afterStep(step: Moved, { kind }: Outcome, totals: Totals): Totals {
  const { type, amountMinor, isFinal } = step
  if (kind !== 'approved') return { ...totals, failedCaptures: totals.failedCaptures + (type === 'capture' ? 1 : 0) }
  switch (type) {
    case 'capture': {
      const capturedMinor = totals.capturedMinor + amountMinor
      const rest = totals.authorizedMinor - capturedMinor - totals.capturingMinor
      const voidedMinor = isFinal ? rest : totals.voidedMinor
      return { ...totals, capturedMinor, voidedMinor, captures: totals.captures + 1 }
    }
    case 'increment_authorization':
      return { ...totals, authorizedMinor: totals.authorizedMinor + amountMinor }
    case 'void':
      return { ...totals, voidedMinor: totals.voidedMinor + amountMinor }
    case 'refund':
      return { ...totals, refundedMinor: totals.refundedMinor + amountMinor }
    case 'authorization':
      return totals
  }
}

/** A step that was done before. */
export type Done = Moved & Pick<FollowedUp, 'outcome' | 'later'>

/** The end of a step that is pending; null for every other. */
export function settle(step: Done, totals: Totals): { outcome: Outcome; totals: Totals } | null {
  const { outcome, later } = step
  if (outcome.kind !== 'pending' || later === null) return null
  return { outcome: later, totals: afterStep(step, later, reserve(step, totals, -1)) }
}

/** A refund that fails after it was approved; null for every other. */
export function failRefund({ type, amountMinor, outcome }: Done, totals: Totals) {
  if (type !== 'refund' || outcome.kind !== 'approved') return null
  const refundedMinor = totals.refundedMinor - amountMinor
  return { outcome: decline('gateway.declined'), totals: { ...totals, refundedMinor } }
}
