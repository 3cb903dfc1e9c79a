import {
  type ChargebackStep,
  chargebackStatus,
  type Dispute,
  type DisputeFacts,
  type DisputeStep,
  withStep,
} from './dispute.ts'
import { type ErrorCode, isPassing } from './errors.ts'
import { closedAttempt, endWait } from './look-up.ts'
import type { Decline, GatewayOperationType, Outcome } from './operation.ts'
import {
  type AttemptInFlight,
  activeAttempts,
  type Change,
  capturesInFlight,
  capturingMinor,
  exclusiveAttempt,
  isDisputed,
  NO_SCHEDULE,
  type Orphan,
  type Payment,
  postponeCapture,
  postponeReversal,
  remainingMinor,
  reschedule,
  reservedMinor,
  unrefundedMinor,
} from './payment.ts'
import { findTransition, type TransactionTrigger, transition } from './transaction.ts'

/** The attempt in flight, with facts of its operation that the payment does not keep. */
export interface AttemptFacts extends AttemptInFlight {
  /** True for our own void of an expired authorization. */
  isExpiry: boolean
  /** True for a step that the workflow's timer started and may repeat. */
  isScheduled: boolean
  /** For an increment: the requested new total of the authorization, in minor units. */
  targetTotalMinor?: number | null | undefined
}

/** The part of an outcome that matters for amounts and status. */
export type ReportedResult =
  | { kind: 'approved'; amountMinor: number; isSale: boolean; gatewayOperationId: string; validForMs?: number }
  /** `isPassing`: nothing was done, for a temporary reason. */
  | { kind: 'declined'; isPassing: boolean }
  | { kind: 'open' }

const EXPIRED: ErrorCode = 'gateway.expired'

/**
 * Whether the refusal to void an expired authorization says that the money is free: the authorization expired at the gateway,
 * or was released before. Any other refusal may mean that the money was captured.
 */
export function isFreedBy({ code, holdsNothing }: Pick<Decline, 'code' | 'holdsNothing'>): boolean {
  return holdsNothing === true || code === EXPIRED
}

/**
 * What an outcome means for the payment. A decline of the void of an expired authorization counts as approved, since it says
 * that the money is free (see `isFreedBy`). The operation keeps the gateway's answer.
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
  if (result.kind === 'open') return applyOpen(payment, attempt, at)
  const ended: Payment = {
    ...payment,
    attemptsInFlight: payment.attemptsInFlight.filter(({ operationId }) => operationId !== attempt.operationId),
  }
  if (attempt.reverses !== null) return applyReversal(ended, attempt, result, at)
  if (attempt.isAbandoned && (result.kind === 'declined' || !fits(ended, attempt)))
    return applyLate(ended, attempt, result, at)
  const changed = result.kind === 'approved' ? approve(ended, attempt, result) : ended
  const { to, fires } = transition(payment.status, triggerOf(changed, attempt, result))
  return { payment: updateSchedule({ ...changed, status: to }, attempt, result, at), fires }
}

/**
 * The attempt stays in flight, and waits for nobody but the gateway. A closed attempt, or the void of an orphan, changes
 * nothing.
 */
function applyOpen(payment: Payment, attempt: AttemptFacts, at: number): Change {
  if (attempt.isAbandoned || attempt.reverses !== null) return { payment, fires: [] }
  const { to, fires } = transition(payment.status, TRIGGERS[attempt.type].open)
  return { payment: { ...endWait(payment, attempt.operationId, at), status: to }, fires }
}

/**
 * The void or refund of an orphan, which changes neither amounts nor status. One that fails for a temporary reason is
 * repeated for as long as the money may be held; any other failure is for staff.
 */
function applyReversal(payment: Payment, attempt: AttemptInFlight, result: ReportedResult, at: number): Change {
  const { reverses, isAbandoned, type } = attempt
  const others = payment.orphans.filter(({ operationId }) => operationId !== reverses)
  const orphan = payment.orphans.find(({ operationId }) => operationId === reverses)
  if (result.kind === 'approved')
    return { payment: { ...payment, orphans: others }, fires: type === 'refund' ? ['transaction.refunded'] : [] }
  // The failure of a closed attempt was announced when it was closed.
  const fires = isAbandoned ? [] : ([`transaction.operation.${type === 'refund' ? 'refund' : 'void'}.failed`] as const)
  const isPassing = result.kind === 'declined' && result.isPassing && !isAbandoned
  const postponed = isPassing && orphan !== undefined ? postponeReversal(orphan, at) : null
  return postponed === null
    ? { payment: { ...payment, orphans: others, needsAttention: true }, fires }
    : { payment: { ...payment, orphans: [...others, postponed] }, fires }
}

/**
 * Whether the late approval of a closed attempt can be recorded like one in time: the amounts have room for it, and no step
 * under way depends on the amount that it changes.
 */
function fits(payment: Payment, { type, amountMinor, targetTotalMinor }: AttemptFacts): boolean {
  const isFree = exclusiveAttempt(payment) === null
  const isIdle = isFree && capturesInFlight(payment).length === 0
  switch (type) {
    case 'authorization':
      return false
    case 'increment_authorization':
      // The requested total is absolute. It is valid only if the authorized amount is still the one it was computed from.
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
      return amountMinor <= unrefundedMinor(payment)
  }
}

/** A late approval that cannot be recorded: an authorization or a sale becomes an orphan, anything else is left to staff. */
function applyLate(payment: Payment, attempt: AttemptFacts, result: ReportedResult, at: number): Change {
  if (result.kind !== 'approved') return { payment, fires: [] }
  if (attempt.type !== 'authorization') return { payment: { ...payment, needsAttention: true }, fires: [] }
  const { operationId } = attempt
  const { gatewayOperationId: gatewayAuthorizationId, amountMinor, isSale } = result
  const orphan: Orphan = {
    operationId,
    gatewayAuthorizationId,
    amountMinor,
    isSale,
    reason: 'late_approval',
    foundAt: at,
  }
  return { payment: { ...payment, orphans: [...payment.orphans, orphan] }, fires: [] }
}

function approve(
  payment: Payment,
  attempt: AttemptFacts,
  result: Extract<ReportedResult, { kind: 'approved' }>,
): Payment {
  const { type, amountMinor, begunAt, isFinal, isExpiry } = attempt
  // A gateway may report a shorter validity than is configured for it, never a longer one.
  const validityMs = Math.min(payment.authorizationValidityMs, result.validForMs ?? payment.authorizationValidityMs)
  switch (type) {
    case 'authorization':
      return {
        ...payment,
        authorizedMinor: result.amountMinor,
        capturedMinor: result.isSale ? result.amountMinor : 0,
        capturesCount: result.isSale ? 1 : 0,
        // The issuer counts from the request, however late its answer arrives.
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

/** The trigger of a final result. `payment` includes that result. */
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
 * A capture schedule ends when no money is left for it, when its capture succeeds, or when a capture fails permanently.
 * A scheduled capture that fails for a temporary reason is repeated until the authorization ends. A merchant's own capture
 * before the scheduled instant leaves the schedule in place if it takes only a part or fails for a temporary reason.
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

/** Support staff close an attempt without an answer of the gateway. It counts as failed, and its look-ups go on. */
export function abandonAttempt(payment: Payment, attempt: AttemptFacts, at: number): Change {
  const change = applyOutcome(payment, attempt, { kind: 'declined', isPassing: false }, at)
  const { isExpiry: _, isScheduled: __, targetTotalMinor: ___, ...inFlight } = attempt
  const attemptsInFlight = [...change.payment.attemptsInFlight, closedAttempt(inFlight, at)]
  return { payment: { ...change.payment, attemptsInFlight }, fires: change.fires }
}

/** The merchant voids a payment whose authorization has no outcome yet. Look-ups go on; a late approval is reversed. */
export function giveUpAuthorization(payment: Payment, operationId: string, at: number): Change {
  const { to, fires } = transition(payment.status, 'authorization-given-up')
  const attemptsInFlight = payment.attemptsInFlight.map((attempt) =>
    attempt.operationId === operationId ? closedAttempt(attempt, at) : attempt,
  )
  return { payment: withoutSchedule({ ...payment, status: to, attemptsInFlight }), fires }
}

/** Applies a reported step of a dispute. A chargeback ends the capture schedule. If the status does not allow it, staff must look. */
export function applyDispute(payment: Payment, reported: DisputeFacts & { step: DisputeStep }): Change {
  const { step, id } = reported
  const before = payment.disputes ?? []
  const disputes = withStep(before, reported)
  const trigger = isInquiry(step) ? step : disputes && triggerOfDispute(before, disputes, { step, id })
  const found = trigger && findTransition(payment.status, trigger)
  if (!found || disputes === null) return { payment: { ...payment, needsAttention: true }, fires: [] }
  const isNews = !isQuiet(step) || disputes.some((one, index) => one !== before[index])
  return endDisputedSchedule({ payment: { ...payment, disputes, status: found.to }, fires: isNews ? found.fires : [] })
}

/**
 * Money that a chargeback takes back is not captured further, so it ends the schedule. The merchant hears of it at once: a
 * chargeback is seldom decided before the authorization ends. A capture under way that leaves nothing for the schedule, such
 * as the scheduled one itself, tells its own outcome.
 */
function endDisputedSchedule({ payment, fires }: Change): Change {
  if (payment.autoCaptureAt === null || !isDisputed(payment.status)) return { payment, fires }
  const isLastUnderWay = remainingMinor(payment) === 0 || capturesInFlight(payment).some(({ isFinal }) => isFinal)
  return {
    payment: withoutSchedule(payment),
    fires: isLastUnderWay ? fires : [...fires, 'transaction.operation.capture.failed'],
  }
}

function isInquiry(step: DisputeStep): step is Exclude<DisputeStep, ChargebackStep> {
  return step === 'retrieval-request' || step === 'fraud-notification' || isQuiet(step)
}

/** Nothing of it is news to anybody where it changes nothing. */
function isQuiet(step: DisputeStep): step is 'inquiry-closed' | 'dispute-answered' {
  return step === 'inquiry-closed' || step === 'dispute-answered'
}

/** The status follows from all disputes of the payment: one that is open comes before one that is lost, and that before won. */
function triggerOfDispute(
  before: readonly Dispute[],
  after: readonly Dispute[],
  { step, id }: { step: ChargebackStep; id: string | null },
): TransactionTrigger {
  const statusIn = (disputes: readonly Dispute[]) => chargebackStatus(disputes, id)
  const others = after.filter((one) => one.id !== id).map(({ status }) => status)
  if (step === 'chargeback-created') {
    const isNew = statusIn(before) === undefined
    return isNew ? 'chargeback-created' : 'chargeback-created-late'
  }
  if (statusIn(before) === statusIn(after)) return 'chargeback-told-again'
  if (others.includes('open'))
    return step === 'chargeback-won' ? 'chargeback-won-another-open' : 'chargeback-lost-another-open'
  return step === 'chargeback-won' && others.includes('lost') ? 'chargeback-won-another-lost' : step
}

/**
 * Reverses a refund that fails after it had succeeded: its amount may be refunded again. If its late approval was never
 * recorded in the amounts, for lack of room, staff must look.
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

/** A gateway's report that an authorization has ended there, with the total that was captured of it. */
export interface EndedAuthorization {
  capturedMinor: number
  currency: string
  /** False if the payment uses another authorization, or none. */
  isOfPayment: boolean
}

/**
 * The payment after its gateway reported that the authorization has ended. If the captured amount agrees with the record, the
 * gateway has released the rest, so the authorization expires now. If it differs, staff must look. `waiting`: the outcome of
 * a step under way may explain the difference. `at` is workflow time in epoch ms.
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
  // An announcement of the coming expiry would be too late.
  return { ...payment, authorizationExpiresAt: Math.min(endsAt, at), expiryAnnounced: true }
}
