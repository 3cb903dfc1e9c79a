import { AUTHORIZATION_VALIDITY_MS } from './authorization-validity.ts'
import { CAPTURE_RETRY_DELAYS_SECONDS } from './backoff.ts'
import { ALL_CAPABILITIES, type Capabilities } from './capabilities.ts'
import type { DecidedCommand } from './command.ts'
import { type Dispute, disputedMinor } from './dispute.ts'
import type { GatewayOperationType } from './operation.ts'
import { type TransactionStatus, transition } from './transaction.ts'
import type { EventName } from './webhook-event.ts'

/** How long before the end of an uncaptured authorization its merchant is notified. */
const EXPIRY_ANNOUNCED_BEFORE_MS = 24 * 60 * 60 * 1000

/** Captures of one authorization that gateways allow. Source: Stripe's documentation of multicapture. */
export const CAPTURES_MAX = 50

/** A call that was sent, or may have been sent, to the gateway and has no final outcome. */
export interface AttemptInFlight {
  operationId: string
  type: GatewayOperationType
  amountMinor: number
  /** For a capture: whether it releases the rest. */
  isFinal: boolean
  /** For an authorization: whether its account takes the money with it. Then every approval is a sale, whoever reports it. */
  isSale: boolean
  /** Workflow time in epoch ms, just before the gateway call. */
  begunAt: number
  /**
   * True if support staff, or the merchant by a void, closed the attempt without an outcome of the gateway. It reserves
   * nothing and blocks no other step. Look-ups go on, so that a late approval is noticed.
   */
  isAbandoned: boolean
  /** For an authorization that waits for its customer: the end of that wait, in epoch ms. Absent otherwise. */
  awaitsCustomerUntil?: number
  /** For the void or refund of an orphan: the orphan's attempt. Such a step does not affect the payment's own authorization. */
  reverses: string | null
  /** How many scheduled look-ups were made, and when the next is due (workflow time in epoch ms). */
  lookUpsMade: number
  nextLookUpAt: number
}

/** An approved authorization that the payment does not use. It is reversed: voided, or refunded where it took the money. */
export interface Orphan {
  /** The attempt that was approved. */
  operationId: string
  gatewayAuthorizationId: string
  amountMinor: number
  /** Whether the money was taken. */
  isSale: boolean
  reason: 'late_approval' | 'partial_approval'
  /** Workflow time in epoch ms at which it was recorded. */
  foundAt: number
  /** After a reversal that failed for a temporary reason: when it is repeated, and how often it has failed. */
  retry?: { at: number; failures: number }
}

/** The step that reverses an orphan. */
export function reversalType({ isSale }: Pick<Orphan, 'isSale'>): 'void' | 'refund' {
  return isSale ? 'refund' : 'void'
}

/**
 * The state of a payment: amounts, status and schedule of its transaction. PostgreSQL is the record; a workflow keeps the copy
 * that its last activity returned.
 */
export interface Payment {
  status: TransactionStatus | null
  currency: string
  amountMinor: number
  authorizedMinor: number
  capturedMinor: number
  voidedMinor: number
  refundedMinor: number
  incrementedMinor: number
  incremental: boolean
  incrementAttempts: number
  capturesCount: number
  /** Capabilities of the payment's gateway; all capabilities until a gateway is chosen. */
  capabilities: Capabilities
  /** The invoice cannot be paid after this instant. This and the instants below are epoch ms. */
  payableUntil: number | null
  authorizationValidityMs: number
  authorizationExpiresAt: number | null
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  /** The invoice lines that the merchant chose for the capture; `autoCaptureAmountMinor` is their amount. */
  autoCaptureDetailIds: string[] | null
  /** False if the capture of a sale leaves the rest for further captures. */
  autoCaptureIsFinal: boolean
  /** When a scheduled capture that failed for a temporary reason is repeated, and how often it has failed. */
  autoCaptureRetryAt: number | null
  autoCaptureFailures: number
  /** True once the merchant was notified that the authorization is about to expire. */
  expiryAnnounced: boolean
  /** True if we voided the authorization at its end. */
  expired: boolean
  attemptsInFlight: AttemptInFlight[]
  orphans: Orphan[]
  /** Absent if there was none. */
  disputes?: Dispute[]
  /** Something happened that the record cannot represent. Staff search by this flag. */
  needsAttention: boolean
  /** How far the test clock of the payment is ahead of the wall clock, in ms. Absent if it was never advanced. */
  clockOffsetMs?: number
}

export function newPayment(invoice: {
  currency: string
  amountMinor: number
  incremental: boolean
  payableUntil: number | null
}): Payment {
  return {
    status: null,
    currency: invoice.currency,
    amountMinor: invoice.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    voidedMinor: 0,
    refundedMinor: 0,
    incrementedMinor: 0,
    incremental: invoice.incremental,
    incrementAttempts: 0,
    capturesCount: 0,
    capabilities: ALL_CAPABILITIES,
    payableUntil: invoice.payableUntil,
    authorizationValidityMs: AUTHORIZATION_VALIDITY_MS,
    authorizationExpiresAt: null,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    autoCaptureDetailIds: null,
    autoCaptureIsFinal: true,
    autoCaptureRetryAt: null,
    autoCaptureFailures: 0,
    expiryAnnounced: false,
    expired: false,
    attemptsInFlight: [],
    orphans: [],
    needsAttention: false,
  }
}

/** The attempts that reserve money or block other steps: neither closed ones nor reversals of orphans. */
export function activeAttempts(payment: Pick<Payment, 'attemptsInFlight'>): AttemptInFlight[] {
  return payment.attemptsInFlight.filter(({ isAbandoned, reverses }) => !isAbandoned && reverses === null)
}

/** The authorization, increment or void under way. It changes the reserved amount, so only refunds may run beside it. */
export function exclusiveAttempt(payment: Payment): AttemptInFlight | null {
  return activeAttempts(payment).find(({ type }) => type !== 'capture' && type !== 'refund') ?? null
}

/** The authorization that waits until its customer has authenticated; null if none does. */
export function attemptOfCustomer(payment: Pick<Payment, 'attemptsInFlight'>): AttemptInFlight | null {
  return activeAttempts(payment).find(({ awaitsCustomerUntil }) => awaitsCustomerUntil !== undefined) ?? null
}

export function capturesInFlight(payment: Payment): AttemptInFlight[] {
  return activeAttempts(payment).filter(({ type }) => type === 'capture')
}

const sum = (attempts: readonly AttemptInFlight[]) =>
  attempts.reduce((total, { amountMinor }) => total + amountMinor, 0)

/** The amount of captures under way, in minor units. */
export function capturingMinor(payment: Payment): number {
  return sum(capturesInFlight(payment))
}

/** The amount of refunds under way, in minor units. */
export function refundingMinor(payment: Payment): number {
  return sum(activeAttempts(payment).filter(({ type }) => type === 'refund'))
}

/** The authorized amount that is neither captured nor voided, in minor units. Captures under way are included. */
export function reservedMinor(payment: Payment): number {
  return payment.authorizedMinor - payment.capturedMinor - payment.voidedMinor
}

/** The amount that may still be captured or voided, in minor units. */
export function remainingMinor(payment: Payment): number {
  return reservedMinor(payment) - capturingMinor(payment)
}

/** The captured amount that is neither refunded nor being refunded, in minor units. Disputed money is included. */
export function unrefundedMinor(payment: Payment): number {
  return payment.capturedMinor - payment.refundedMinor - refundingMinor(payment)
}

/** The amount that may still be refunded, in minor units: never money that a dispute takes back as well. */
export function refundableMinor(payment: Payment): number {
  return Math.max(0, unrefundedMinor(payment) - disputedMinor(payment))
}

/** Whether the payment is authorized, nothing is captured, and no step is under way. */
export function isCapturable(payment: Payment): boolean {
  return payment.status === 'authorized' && activeAttempts(payment).length === 0
}

/** The payment was not authorized yet, or failed. */
export function isUnpaid(status: TransactionStatus | null): status is null | 'failed' | 'blocked' {
  return status === null || status === 'failed' || status === 'blocked'
}

/** Whether the capture is due: of a sale at once, otherwise at its instant. */
export function isCaptureDue({ autoCaptureAt }: Pick<Payment, 'autoCaptureAt'>, at: number): boolean {
  return autoCaptureAt !== null && autoCaptureAt <= at
}

/**
 * Whether a capture can be scheduled: money is reserved, and no step that touches it is under way. After a partial capture that
 * is the rest.
 */
export function isSchedulable(payment: Payment): boolean {
  const isBusy = exclusiveAttempt(payment) !== null || capturesInFlight(payment).length > 0
  const leavesRest = payment.capturedMinor > 0 && reservedMinor(payment) > 0
  return !isBusy && (payment.status === 'authorized' || leavesRest)
}

/** Whether the issuer takes money back in a chargeback. Then nothing more is captured. */
export function isDisputed(status: TransactionStatus | null): boolean {
  return status === 'chargeback-initiated' || status === 'reversed'
}

/** A change of a payment with its events, in the order in which they happened. */
export interface Change {
  payment: Payment
  fires: readonly EventName[]
}

/**
 * The payment with a new attempt in flight. A sale is an authorization whose capture is due at once: like any other
 * schedule, it survives a crash and an unknown authorization.
 */
export function beginAttempt(payment: Payment, attempt: AttemptInFlight, command: DecidedCommand): Change {
  const begun: Payment = { ...payment, attemptsInFlight: [...payment.attemptsInFlight, attempt] }
  if (attempt.type === 'increment_authorization') begun.incrementAttempts += 1
  if (command.kind !== 'authorize') return { payment: begun, fires: [] }
  const { to, fires } = transition(payment.status, 'authorization-requested')
  const { incremental, autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds, autoCaptureIsFinal } = command
  return {
    payment: {
      ...begun,
      status: to,
      incremental,
      autoCaptureAt,
      autoCaptureAmountMinor,
      autoCaptureDetailIds,
      autoCaptureIsFinal,
      autoCaptureRetryAt: null,
      autoCaptureFailures: 0,
    },
    fires,
  }
}

/**
 * Replaces an attempt that certainly failed by the next one of the same command. Status and events do not change, because the
 * command is not finished.
 */
export function fallBack(
  payment: Payment,
  failedOperationId: string,
  { attempt, incremental }: { attempt: AttemptInFlight; incremental: boolean },
): Payment {
  const others = payment.attemptsInFlight.filter(({ operationId }) => operationId !== failedOperationId)
  return { ...payment, incremental, attemptsInFlight: [...others, attempt] }
}

/** Why an authorization was rejected without a gateway call. */
export type RejectionReason = 'refused-by-rule' | 'authorization-declined'

/** The payment after an authorization that was rejected locally. */
export function rejectLocally(payment: Payment, reason: RejectionReason): Change {
  const requested = transition(payment.status, 'authorization-requested')
  const ended = transition(requested.to, reason)
  return { payment: { ...payment, status: ended.to }, fires: [...requested.fires, ...ended.fires] }
}

type Schedule = Pick<Payment, 'autoCaptureAt' | 'autoCaptureAmountMinor' | 'autoCaptureDetailIds'>

/** Replaces the capture schedule. */
export function reschedule(payment: Payment, schedule: Schedule): Payment {
  const { autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds } = schedule
  return {
    ...payment,
    autoCaptureAt,
    autoCaptureAmountMinor,
    autoCaptureDetailIds,
    autoCaptureIsFinal: true,
    autoCaptureRetryAt: null,
    autoCaptureFailures: 0,
  }
}

/**
 * Moves the scheduled capture to another instant, or drops it. Without a new amount the chosen amount and lines stay, so that
 * moving a partial capture does not make it a full one. Dropping the instant keeps chosen lines, but no plain amount.
 */
export function moveSchedule(payment: Payment, wanted: Schedule): Payment {
  if (wanted.autoCaptureAmountMinor !== null) return reschedule(payment, wanted)
  const keeps = wanted.autoCaptureAt !== null || payment.autoCaptureDetailIds !== null
  return reschedule(payment, {
    autoCaptureAt: wanted.autoCaptureAt,
    autoCaptureAmountMinor: keeps ? payment.autoCaptureAmountMinor : null,
    autoCaptureDetailIds: payment.autoCaptureDetailIds,
  })
}

/** Whether the payment already has the schedule that `moveSchedule` would give it, and it can still be carried out. */
export function hasSchedule(payment: Payment, wanted: Schedule): boolean {
  const moved = moveSchedule(payment, wanted)
  return (
    isSchedulable(payment) &&
    payment.autoCaptureAt === moved.autoCaptureAt &&
    payment.autoCaptureAmountMinor === moved.autoCaptureAmountMinor &&
    linesOf(payment) === linesOf(moved)
  )
}

/** The lines to capture as comparable text, independent of their order. */
export function linesOf({ autoCaptureDetailIds }: Pick<Payment, 'autoCaptureDetailIds'>): string | null {
  return autoCaptureDetailIds?.toSorted().join() ?? null
}

export const NO_SCHEDULE = { autoCaptureAt: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null } as const

/**
 * The payment after lines of its invoice were captured: a schedule that has chosen them, too, keeps the others, and ends where
 * none is left. It would take their amount a second time.
 */
export function withoutCapturedLines(
  payment: Payment,
  captured: readonly { id: string; amountMinor: number }[],
): Payment {
  const { autoCaptureAmountMinor, autoCaptureDetailIds: chosen } = payment
  const both = captured.filter(({ id }) => chosen?.includes(id))
  if (chosen === null || both.length === 0) return payment
  const left = chosen.filter((id) => !both.some((line) => line.id === id))
  if (left.length === 0) return reschedule(payment, NO_SCHEDULE)
  const capturedMinor = both.reduce((total, { amountMinor }) => total + amountMinor, 0)
  return {
    ...payment,
    autoCaptureDetailIds: left,
    autoCaptureAmountMinor: (autoCaptureAmountMinor ?? capturedMinor) - capturedMinor,
  }
}

/** A step that becomes due by itself. */
export type Due =
  | { kind: 'reverse-orphan'; at: number; orphan: Orphan }
  | { kind: 'auto-capture'; at: number; amountMinor: number; detailIds: string[] | null; isFinal: boolean }
  | { kind: 'expiry-announcement'; at: number }
  | { kind: 'expiry'; at: number }

/**
 * The next step that becomes due, or null. A capture that was scheduled before the authorization ends stays due even after
 * that end: only the gateway knows whether the money is still reserved. At equal instants the capture comes before the expiry.
 * `decide` must allow every step that is due here; otherwise it would be due again at once, for ever.
 */
export function nextDue(payment: Payment): Due | null {
  const reversal = nextReversal(payment)
  const step = nextStepOfPayment(payment)
  // A reversal that is repeated later must not delay the payment itself.
  return reversal !== null && (step === null || reversal.at <= step.at) ? reversal : step
}

/** Orphans may belong to several gateways. A slow gateway must not delay the reversals at another. */
function nextReversal({ attemptsInFlight, orphans }: Payment): Extract<Due, { kind: 'reverse-orphan' }> | null {
  const waiting = orphans.filter(
    ({ operationId }) => !attemptsInFlight.some(({ reverses }) => reverses === operationId),
  )
  const [first] = waiting
    .map((orphan) => ({ kind: 'reverse-orphan' as const, at: orphan.retry?.at ?? orphan.foundAt, orphan }))
    .toSorted((one, other) => one.at - other.at)
  return first ?? null
}

function nextStepOfPayment(payment: Payment): Due | null {
  const { authorizationExpiresAt } = payment
  const isBusy = exclusiveAttempt(payment) !== null || capturesInFlight(payment).length > 0
  if (isBusy || authorizationExpiresAt === null || reservedMinor(payment) <= 0) return null
  const capture = scheduledCapture(payment, authorizationExpiresAt)
  if (capture !== null) return capture
  const announcedAt = authorizationExpiresAt - EXPIRY_ANNOUNCED_BEFORE_MS
  const isWorthAnnouncing = !payment.expiryAnnounced && payment.authorizationValidityMs > EXPIRY_ANNOUNCED_BEFORE_MS
  return isWorthAnnouncing
    ? { kind: 'expiry-announcement', at: announcedAt }
    : { kind: 'expiry', at: authorizationExpiresAt }
}

/** The scheduled capture as it can be made now; null if none is scheduled in time, or none is allowed. */
function scheduledCapture(payment: Payment, expiresAt: number): Extract<Due, { kind: 'auto-capture' }> | null {
  const { autoCaptureAt, autoCaptureAmountMinor: wanted, autoCaptureDetailIds, autoCaptureRetryAt } = payment
  if (autoCaptureAt === null || autoCaptureAt > expiresAt) return null
  const amountMinor = scheduledMinor(payment)
  if (amountMinor < remainingMinor(payment) && !payment.capabilities.partialCapture) return null
  if (isDisputed(payment.status) || payment.capturesCount >= CAPTURES_MAX) return null
  return {
    kind: 'auto-capture',
    at: Math.max(autoCaptureAt, autoCaptureRetryAt ?? 0),
    amountMinor,
    // Lines are captured only as a whole. If less than their amount is left, the capture goes without lines.
    detailIds: amountMinor === wanted ? autoCaptureDetailIds : null,
    isFinal: payment.autoCaptureIsFinal,
  }
}

/** The amount of the scheduled capture as it could be made now, in minor units: no more than is left. */
export function scheduledMinor(payment: Payment): number {
  const remaining = remainingMinor(payment)
  return Math.min(payment.autoCaptureAmountMinor ?? remaining, remaining)
}

/** The payment after a scheduled capture failed for a temporary reason. It is repeated until the authorization ends. */
export function postponeCapture(payment: Payment, at: number): Payment {
  if (payment.autoCaptureAt === null || at >= (payment.authorizationExpiresAt ?? 0))
    return reschedule(payment, NO_SCHEDULE)
  return {
    ...payment,
    autoCaptureRetryAt: captureRetryAt(payment, at),
    autoCaptureFailures: payment.autoCaptureFailures + 1,
  }
}

/** When a failed scheduled capture is repeated: after growing delays, the last time at the end of the authorization. */
export function captureRetryAt(payment: Payment, at: number): number {
  return Math.min(at + retryDelayMs(payment.autoCaptureFailures), payment.authorizationExpiresAt ?? at)
}

/** The orphan after its reversal failed for a temporary reason; null once an issuer has released the money by itself. */
export function postponeReversal(orphan: Orphan, at: number): Orphan | null {
  const failures = orphan.retry?.failures ?? 0
  if (at >= orphan.foundAt + AUTHORIZATION_VALIDITY_MS) return null
  return { ...orphan, retry: { at: at + retryDelayMs(failures), failures: failures + 1 } }
}

function retryDelayMs(failures: number): number {
  const delays = CAPTURE_RETRY_DELAYS_SECONDS
  return (delays[Math.min(failures, delays.length - 1)] ?? 0) * 1000
}
