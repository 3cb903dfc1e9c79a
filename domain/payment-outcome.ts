import type { DisputeStep } from './dispute.ts'
import { type ErrorCode, isPassing } from './errors.ts'
import type { Decline, GatewayOperationType, Outcome } from './operation.ts'
import {
  type AttemptInFlight,
  activeAttempts,
  type Change,
  capturesInFlight,
  capturingMinor,
  exclusiveAttempt,
  NO_SCHEDULE,
  type Orphan,
  type Payment,
  postponeCapture,
  refundableMinor,
  remainingMinor,
  reschedule,
  reservedMinor,
} from './payment.ts'
import { findTransition, type TransactionTrigger, transition } from './transaction.ts'

/** What the attempt in flight asked for, beside what the payment remembers of it. */
export interface AttemptFacts extends AttemptInFlight {
  /** True where the void is our own, at the end of the authorization. */
  isExpiry: boolean
  /** True where our own clock asked, and may ask again. */
  isScheduled: boolean
  /** Of an increment: the total that the gateway was asked to raise the authorization to. */
  targetTotalMinor?: number | null | undefined
}

/** An outcome as far as the amounts and the status of a payment are concerned. */
export type ReportedResult =
  | { kind: 'approved'; amountMinor: number; isSale: boolean; gatewayOperationId: string; validForMs?: number }
  /** `isPassing`: nothing was done, for a reason that passes. */
  | { kind: 'declined'; isPassing: boolean }
  | { kind: 'open' }

const EXPIRED: ErrorCode = 'gateway.expired'

/**
 * Whether a gateway that refuses the void at the end of an authorization says that the money is free: it has expired, or was
 * released before. Any other refusal may mean that the money was taken.
 */
export function isFreedBy({ code, holdsNothing }: Pick<Decline, 'code' | 'holdsNothing'>): boolean {
  return holdsNothing === true || code === EXPIRED
}

/**
 * What an outcome means for the payment. A refusal that is an outcome of the void at the end of an authorization says that
 * the money is free; the operation keeps what the gateway said.
 */
export function reportedResult(
  outcome: Outcome,
  { isExpiry, amountMinor: asked }: Pick<AttemptFacts, 'isExpiry' | 'amountMinor'>,
): ReportedResult {
  switch (outcome.kind) {
    case 'approved': {
      const { amountMinor, gatewayOperationId, isSale = false, validForMs } = outcome
      const approved = { kind: 'approved', amountMinor, gatewayOperationId, isSale } as const
      return validForMs === undefined ? approved : { ...approved, validForMs }
    }
    case 'declined':
      return isExpiry
        ? { kind: 'approved', amountMinor: asked, gatewayOperationId: '', isSale: false }
        : { kind: 'declined', isPassing: isPassing(outcome.code) }
    default:
      return { kind: 'open' }
  }
}

/** The payment after an outcome: amounts, status, and events. `at` is workflow time in epoch ms. */
export function applyOutcome(payment: Payment, attempt: AttemptFacts, result: ReportedResult, at: number): Change {
  if (result.kind === 'open') return applyOpen(payment, attempt)
  const ended: Payment = {
    ...payment,
    attemptsInFlight: payment.attemptsInFlight.filter(({ operationId }) => operationId !== attempt.operationId),
  }
  if (attempt.reverses !== null) return applyReversal(ended, attempt, result)
  if (attempt.isAbandoned && (result.kind === 'declined' || !fits(ended, attempt)))
    return applyLate(ended, attempt, result, at)
  const changed = result.kind === 'approved' ? approve(ended, attempt, result) : ended
  const { to, fires } = transition(payment.status, triggerOf(changed, attempt, result))
  return { payment: updateSchedule({ ...changed, status: to }, attempt, result, at), fires }
}

/** The attempt stays in flight. One that nobody waits for any more changes nothing. */
function applyOpen(payment: Payment, attempt: AttemptFacts): Change {
  if (attempt.isAbandoned || attempt.reverses !== null) return { payment, fires: [] }
  const { to, fires } = transition(payment.status, TRIGGERS[attempt.type].open)
  return { payment: { ...payment, status: to }, fires }
}

/** The void of an authorization that the payment does not stand on: neither amounts nor status speak of it. */
function applyReversal(payment: Payment, { reverses, isAbandoned }: AttemptInFlight, result: ReportedResult): Change {
  const orphans = payment.orphans.filter(({ operationId }) => operationId !== reverses)
  if (result.kind === 'approved') return { payment: { ...payment, orphans }, fires: [] }
  // That it failed was told when its case was closed.
  const fires = isAbandoned ? [] : (['transaction.operation.void.failed'] as const)
  return { payment: { ...payment, orphans, needsAttention: true }, fires }
}

/**
 * Whether an approval that comes after its case was closed can still be recorded like one in time: there is room for it, and
 * no step under way reckons with the sum that it changes.
 */
function fits(payment: Payment, { type, amountMinor, targetTotalMinor }: AttemptFacts): boolean {
  const isFree = exclusiveAttempt(payment) === null
  const isIdle = isFree && capturesInFlight(payment).length === 0
  switch (type) {
    case 'authorization':
      return false
    case 'increment_authorization':
      // Totals are absolute: one that reckons with another sum than is authorized now says nothing about what is held.
      return (
        payment.status === 'authorized' &&
        isIdle &&
        payment.authorizedMinor + amountMinor === (targetTotalMinor ?? payment.authorizedMinor + amountMinor)
      )
    case 'capture':
      return isFree && amountMinor <= remainingMinor(payment)
    case 'void':
      return payment.status !== 'voided' && isIdle && amountMinor <= remainingMinor(payment)
    case 'refund':
      return amountMinor <= refundableMinor(payment)
  }
}

/** An approval that comes too late to be recorded: a reserved sum is given back, anything else is shown to staff. */
function applyLate(payment: Payment, attempt: AttemptFacts, result: ReportedResult, at: number): Change {
  if (result.kind !== 'approved') return { payment, fires: [] }
  if (attempt.type !== 'authorization' || result.isSale)
    return { payment: { ...payment, needsAttention: true }, fires: [] }
  const { operationId } = attempt
  const { gatewayOperationId: gatewayAuthorizationId, amountMinor } = result
  const orphan: Orphan = { operationId, gatewayAuthorizationId, amountMinor, reason: 'late_approval', foundAt: at }
  return { payment: { ...payment, orphans: [...payment.orphans, orphan] }, fires: [] }
}

function approve(
  payment: Payment,
  attempt: AttemptFacts,
  result: Extract<ReportedResult, { kind: 'approved' }>,
): Payment {
  const { type, amountMinor, begunAt, isFinal, isExpiry } = attempt
  // A gateway may tell that this authorization holds less long than others there, never that it holds longer.
  const validityMs = Math.min(payment.authorizationValidityMs, result.validForMs ?? payment.authorizationValidityMs)
  switch (type) {
    case 'authorization':
      return {
        ...payment,
        authorizedMinor: result.amountMinor,
        capturedMinor: result.isSale ? result.amountMinor : 0,
        capturesCount: result.isSale ? 1 : 0,
        // The issuer's days began when it was asked, however late we learn of its answer.
        authorizationExpiresAt: begunAt + validityMs,
        authorizationValidityMs: validityMs,
        expiryAnnounced: false,
      }
    case 'increment_authorization':
      return {
        ...payment,
        amountMinor: payment.amountMinor + amountMinor,
        authorizedMinor: payment.authorizedMinor + amountMinor,
        incrementedMinor: payment.incrementedMinor + amountMinor,
      }
    case 'capture': {
      const rest = reservedMinor(payment) - amountMinor - capturingMinor(payment)
      return {
        ...payment,
        capturedMinor: payment.capturedMinor + amountMinor,
        capturesCount: payment.capturesCount + 1,
        voidedMinor: isFinal ? payment.voidedMinor + rest : payment.voidedMinor,
      }
    }
    case 'void':
      return { ...payment, voidedMinor: payment.voidedMinor + amountMinor, expired: isExpiry || payment.expired }
    case 'refund':
      return { ...payment, refundedMinor: payment.refundedMinor + amountMinor }
  }
}

const TRIGGERS = {
  authorization: {
    approved: 'authorization-approved',
    declined: 'authorization-declined',
    open: 'authorization-pending',
  },
  increment_authorization: {
    approved: 'increment-approved',
    declined: 'increment-declined',
    open: 'increment-pending',
  },
  capture: { approved: 'capture-approved', declined: 'capture-declined', open: 'capture-pending' },
  void: { approved: 'partial-void-approved', declined: 'void-declined', open: 'void-pending' },
  refund: { approved: 'partial-refund-approved', declined: 'refund-declined', open: 'refund-pending' },
} as const satisfies Record<GatewayOperationType, Record<'approved' | 'declined' | 'open', TransactionTrigger>>

/** The trigger of a final result; `payment` is as it is after it. */
function triggerOf(
  payment: Payment,
  { type }: AttemptFacts,
  result: Exclude<ReportedResult, { kind: 'open' }>,
): TransactionTrigger {
  if (result.kind === 'declined') {
    const isAnotherOpen = type === 'capture' && capturesInFlight(payment).length > 0
    return isAnotherOpen ? 'capture-declined-another-open' : TRIGGERS[type].declined
  }
  if (type === 'authorization' && result.isSale) return 'sale-approved'
  if (type === 'void' && reservedMinor(payment) === 0) return 'full-void-approved'
  if (type === 'refund' && payment.refundedMinor === payment.capturedMinor) return 'full-refund-approved'
  return TRIGGERS[type].approved
}

const BEFORE_THE_CAPTURE: readonly Payment['status'][] = ['waiting', 'pending', 'authorized', 'pending-capture']

/**
 * A schedule ends with the money it is for, with the capture that it asked for, and with one that the gateway refused for
 * good. One of our own that failed for a passing reason is tried again until the authorization ends. What the merchant does
 * before its instant leaves it as it is where money is left: a capture of a part, or one that failed for a passing reason.
 */
function updateSchedule(payment: Payment, attempt: AttemptFacts, result: ReportedResult, at: number): Payment {
  if (attempt.type !== 'capture') {
    const mayBeCaptured = BEFORE_THE_CAPTURE.includes(payment.status) || reservedMinor(payment) > 0
    return mayBeCaptured ? payment : withoutSchedule(payment)
  }
  const dueAt = payment.autoCaptureAt === null ? 0 : Math.max(payment.autoCaptureAt, payment.autoCaptureRetryAt ?? 0)
  const isStillWanted =
    result.kind === 'approved' ? reservedMinor(payment) > 0 : result.kind === 'declined' && result.isPassing
  if (isStillWanted && !attempt.isScheduled && at < dueAt) return payment
  const mayTryAgain = result.kind === 'declined' && result.isPassing && attempt.isScheduled
  return mayTryAgain ? postponeCapture(payment, at) : withoutSchedule(payment)
}

function withoutSchedule(payment: Payment): Payment {
  return reschedule(payment, NO_SCHEDULE)
}

/** Support staff end a step without an answer of the gateway, as if it had failed; its look-ups go on. */
export function abandonAttempt(payment: Payment, attempt: AttemptFacts, at: number): Change {
  const change = applyOutcome(payment, attempt, { kind: 'declined', isPassing: false }, at)
  const { isExpiry: _, isScheduled: __, targetTotalMinor: ___, ...inFlight } = attempt
  const attemptsInFlight = [...change.payment.attemptsInFlight, { ...inFlight, isAbandoned: true }]
  return { payment: { ...change.payment, attemptsInFlight }, fires: change.fires }
}

/**
 * The merchant voids a payment whose authorization has no outcome yet. That is looked up further on, and given back where it
 * turns out approved.
 */
export function giveUpAuthorization(payment: Payment, operationId: string): Change {
  const { to, fires } = transition(payment.status, 'authorization-given-up')
  const attemptsInFlight = payment.attemptsInFlight.map((attempt) =>
    attempt.operationId === operationId ? { ...attempt, isAbandoned: true } : attempt,
  )
  return { payment: withoutSchedule({ ...payment, status: to, attemptsInFlight }), fires }
}

/** A step of a dispute, as the gateway tells it. Where the state knows no such step, staff have to look. */
export function applyDispute(payment: Payment, step: DisputeStep): Change {
  const found = findTransition(payment.status, step)
  if (found === null) return { payment: { ...payment, needsAttention: true }, fires: [] }
  return { payment: { ...payment, status: found.to }, fires: found.fires }
}

/**
 * A refund that had succeeded has failed after all: the money is back, and may be refunded again. One that the record
 * does not hold, because its approval came when there was no room for it any more, is for staff.
 */
export function reverseRefund(payment: Payment, amountMinor: number): Change {
  const refundedMinor = payment.refundedMinor - amountMinor
  if (refundedMinor < 0) return { payment: { ...payment, needsAttention: true }, fires: [] }
  const { to, fires } = transition(
    payment.status,
    refundedMinor === 0 ? 'refund-reversed-in-full' : 'refund-reversed-in-part',
  )
  return { payment: { ...payment, refundedMinor, status: to }, fires }
}

/** What a gateway tells of an authorization that has ended there: it holds nothing any more, and took this in all. */
export interface EndedAuthorization {
  capturedMinor: number
  currency: string
  /** False where the payment stands on another authorization, or on none. */
  isOfPayment: boolean
}

/**
 * The payment after its gateway has told that the authorization has ended. Where as much was captured as is recorded,
 * whatever is still reserved was released there: the authorization ends now, and its end is recorded like any other.
 * Where another amount was captured, staff have to look. `waiting`: the outcome of a step under way may explain it.
 * `at` is workflow time.
 */
export function endAuthorization(
  payment: Payment,
  { capturedMinor, currency, isOfPayment }: EndedAuthorization,
  at: number,
): Payment | 'waiting' {
  if (activeAttempts(payment).some(({ type }) => type !== 'refund')) return 'waiting'
  if (!isOfPayment) return capturedMinor === 0 ? payment : { ...payment, needsAttention: true }
  if (capturedMinor !== payment.capturedMinor || currency !== payment.currency)
    return { ...payment, needsAttention: true }
  const { authorizationExpiresAt: endsAt } = payment
  if (endsAt === null || reservedMinor(payment) === 0) return payment
  // The merchant need not be told that it is about to end.
  return { ...payment, authorizationExpiresAt: Math.min(endsAt, at), expiryAnnounced: true }
}
