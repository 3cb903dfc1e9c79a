import { AUTHORIZATION_VALIDITY_MS } from './authorization-validity.ts'
import { CAPTURE_RETRY_DELAYS_SECONDS } from './backoff.ts'
import { ALL_CAPABILITIES, type Capabilities } from './capabilities.ts'
import type { Command } from './command.ts'
import type { GatewayOperationType } from './operation.ts'
import { type TransactionStatus, transition } from './transaction.ts'
import type { EventName } from './webhook-event.ts'

/** How long before the end of an authorization its merchant is told that nobody has captured it. */
const EXPIRY_ANNOUNCED_BEFORE_MS = 24 * 60 * 60 * 1000

/** Captures of one authorization, after which gateways refuse. Source: Stripe's documentation of multicapture. */
export const CAPTURES_MAX = 50

/** A step that was sent, or may have been sent, to the gateway and whose outcome is not final. */
export interface AttemptInFlight {
  operationId: string
  type: GatewayOperationType
  amountMinor: number
  /** Of a capture: whether it releases what it leaves. */
  isFinal: boolean
  /** Workflow time in epoch ms at which the gateway was about to be asked. */
  begunAt: number
  /**
   * True where support staff, or the merchant by a void, closed the case without the gateway's word. It reserves
   * nothing any more and stands in nobody's way, but is still looked up: an approval that comes late must not go
   * unseen.
   */
  isAbandoned: boolean
  /** Of the void of an orphan: the attempt that brought the orphan. It concerns nothing that the payment stands on. */
  reverses: string | null
  /** How many look-ups of the schedule were made, and when the next one is due, in workflow time as epoch ms. */
  lookUpsMade: number
  nextLookUpAt: number
}

/** An approved authorization that the payment does not stand on, and that is therefore voided. */
export interface Orphan {
  /** The attempt that brought it. */
  operationId: string
  gatewayAuthorizationId: string
  amountMinor: number
  reason: 'late_approval' | 'partial_approval'
  /** Workflow time in epoch ms at which it was recorded. */
  foundAt: number
}

/**
 * Where a payment stands: the money columns of its transaction. PostgreSQL holds the truth; a workflow keeps the
 * copy that its last activity returned.
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
  /** What the gateway of the payment can do; all of it as long as none is chosen. */
  capabilities: Capabilities
  /** Epoch ms, all of the following. The invoice cannot be paid after this one. */
  payableUntil: number | null
  authorizationValidityMs: number
  authorizationExpiresAt: number | null
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  /** The lines of the invoice that are subject to capture, where the merchant chose; the amount is theirs. */
  autoCaptureDetailIds: string[] | null
  /** False where the capture of a sale is to leave the rest for further ones. */
  autoCaptureIsFinal: boolean
  /** When a scheduled capture that failed for a passing reason is tried again, and how often it has failed so. */
  autoCaptureRetryAt: number | null
  autoCaptureFailures: number
  /** True once the merchant was told that the authorization is about to expire. */
  expiryAnnounced: boolean
  /** True when the void was our own, because nobody captured in time. */
  expired: boolean
  attemptsInFlight: AttemptInFlight[]
  orphans: Orphan[]
  /** Something happened that the record cannot hold; staff find the payment by it. */
  needsAttention: boolean
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

/** The attempts that hold something or somebody up. */
export function activeAttempts(payment: Pick<Payment, 'attemptsInFlight'>): AttemptInFlight[] {
  return payment.attemptsInFlight.filter(({ isAbandoned, reverses }) => !isAbandoned && reverses === null)
}

/** The attempt that nothing but a refund may pass: it changes what is reserved in whole. */
export function exclusiveAttempt(payment: Payment): AttemptInFlight | null {
  return activeAttempts(payment).find(({ type }) => type !== 'capture' && type !== 'refund') ?? null
}

export function capturesInFlight(payment: Payment): AttemptInFlight[] {
  return activeAttempts(payment).filter(({ type }) => type === 'capture')
}

const sum = (attempts: readonly AttemptInFlight[]) =>
  attempts.reduce((total, { amountMinor }) => total + amountMinor, 0)

/** What captures under way may still take, in minor units. */
export function capturingMinor(payment: Payment): number {
  return sum(capturesInFlight(payment))
}

/** What refunds under way may still give back, in minor units. */
export function refundingMinor(payment: Payment): number {
  return sum(activeAttempts(payment).filter(({ type }) => type === 'refund'))
}

/** What is reserved, and neither captured nor released, in minor units; captures under way included. */
export function reservedMinor(payment: Payment): number {
  return payment.authorizedMinor - payment.capturedMinor - payment.voidedMinor
}

/** What may still be captured or voided, in minor units. */
export function remainingMinor(payment: Payment): number {
  return reservedMinor(payment) - capturingMinor(payment)
}

/** What may still be refunded, in minor units. */
export function refundableMinor(payment: Payment): number {
  return payment.capturedMinor - payment.refundedMinor - refundingMinor(payment)
}

/** Money is reserved, nothing of it was taken, and no step on it is under way. */
export function isCapturable(payment: Payment): boolean {
  return payment.status === 'authorized' && activeAttempts(payment).length === 0
}

/** Money that the issuer takes back, or has taken back, is not to be taken further nor given back a second time. */
export function isDisputed(status: TransactionStatus | null): boolean {
  return status === 'chargeback-initiated' || status === 'reversed'
}

/** A change of a payment with the events that tell of it, in the order in which they happened. */
export interface Change {
  payment: Payment
  fires: readonly EventName[]
}

/**
 * The attempt is about to be written, and is held until it ends.
 * A sale is an authorization whose capture is due at once, so that the wish to capture survives a crash or an
 * unknown authorization like any other schedule.
 */
export function beginAttempt(payment: Payment, attempt: AttemptInFlight, command: Command): Change {
  const begun: Payment = { ...payment, attemptsInFlight: [...payment.attemptsInFlight, attempt] }
  if (attempt.type === 'increment_authorization') begun.incrementAttempts += 1
  if (command.kind !== 'authorize') return { payment: begun, fires: [] }
  const { to, fires } = transition(payment.status, 'authorization-requested')
  const { capture } = command
  return {
    payment: {
      ...begun,
      status: to,
      incremental: command.incremental,
      autoCaptureAt: capture === null ? command.autoCaptureAt : attempt.begunAt,
      autoCaptureAmountMinor: capture === null ? command.autoCaptureAmountMinor : capture.amountMinor,
      autoCaptureDetailIds: capture === null ? command.autoCaptureDetailIds : capture.detailIds,
      autoCaptureIsFinal: capture === null || capture.isFinal,
      autoCaptureRetryAt: null,
      autoCaptureFailures: 0,
    },
    fires,
  }
}

/**
 * An attempt has failed at one gateway, for certain, and goes on at another as part of the same command: neither status nor
 * events tell of it, because the payment is still being tried.
 */
export function fallBack(
  payment: Payment,
  failedOperationId: string,
  { attempt, incremental }: { attempt: AttemptInFlight; incremental: boolean },
): Payment {
  const others = payment.attemptsInFlight.filter(({ operationId }) => operationId !== failedOperationId)
  return { ...payment, incremental, attemptsInFlight: [...others, attempt] }
}

/** Why a payment ends before any gateway hears of it. */
export type RejectionReason = 'refused-by-rule' | 'authorization-declined'

/** The payment was asked for, and ends without an attempt. */
export function rejectLocally(payment: Payment, reason: RejectionReason): Change {
  const requested = transition(payment.status, 'authorization-requested')
  const ended = transition(requested.to, reason)
  return { payment: { ...payment, status: ended.to }, fires: [...requested.fires, ...ended.fires] }
}

type Schedule = Pick<Payment, 'autoCaptureAt' | 'autoCaptureAmountMinor' | 'autoCaptureDetailIds'>

/** Another schedule in place of the one that there is. */
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
 * The payment with its capture at another instant, or at none. What is to be captured stays as it was chosen, unless
 * something else is chosen now: to move the instant of a part must not make it all. Lines that were chosen with the
 * authorization stay chosen when the instant is dropped.
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

/** Whether the payment stands as `moveSchedule` would leave it, and can still be captured so. */
export function hasSchedule(payment: Payment, wanted: Schedule): boolean {
  const moved = moveSchedule(payment, wanted)
  return (
    isCapturable(payment) &&
    payment.autoCaptureAt === moved.autoCaptureAt &&
    payment.autoCaptureAmountMinor === moved.autoCaptureAmountMinor &&
    linesOf(payment) === linesOf(moved)
  )
}

/** The lines that are to be captured, as a text to compare; in which order they were chosen does not matter. */
export function linesOf({ autoCaptureDetailIds }: Pick<Payment, 'autoCaptureDetailIds'>): string | null {
  return autoCaptureDetailIds?.toSorted().join() ?? null
}

export const NO_SCHEDULE = { autoCaptureAt: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null } as const

/** What the clock will ask for next. */
export type Due =
  | { kind: 'reverse-orphan'; at: number; orphan: Orphan }
  | { kind: 'auto-capture'; at: number; amountMinor: number; detailIds: string[] | null; isFinal: boolean }
  | { kind: 'expiry-announcement'; at: number }
  | { kind: 'expiry'; at: number }

/**
 * The next thing that becomes due on a payment, or null where nothing is awaited of the clock. A capture that was
 * scheduled in time stays due even when we come late to it: whether the money is still held, the gateway knows. At equal
 * instants the capture comes first.
 * What is due is always something that `decide` lets run; else it would be due again at once, for ever.
 */
export function nextDue(payment: Payment): Due | null {
  const { authorizationExpiresAt, attemptsInFlight, orphans } = payment
  // Orphans may be of several gateways: one that answers late keeps none at another waiting.
  const orphan = orphans.find(({ operationId }) => !attemptsInFlight.some(({ reverses }) => reverses === operationId))
  if (orphan !== undefined) return { kind: 'reverse-orphan', at: orphan.foundAt, orphan }
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

/** The scheduled capture as it can be made now; null where none is scheduled in time, or none is allowed. */
function scheduledCapture(payment: Payment, expiresAt: number): Extract<Due, { kind: 'auto-capture' }> | null {
  const { autoCaptureAt, autoCaptureAmountMinor: wanted, autoCaptureDetailIds, autoCaptureRetryAt } = payment
  if (autoCaptureAt === null || autoCaptureAt > expiresAt) return null
  const remaining = remainingMinor(payment)
  const amountMinor = Math.min(wanted ?? remaining, remaining)
  if (amountMinor < remaining && !payment.capabilities.partialCapture) return null
  if (isDisputed(payment.status) || payment.capturesCount >= CAPTURES_MAX) return null
  return {
    kind: 'auto-capture',
    at: Math.max(autoCaptureAt, autoCaptureRetryAt ?? 0),
    amountMinor,
    // The lines are captured whole or not at all: where less is left than they come to, it is taken without them.
    detailIds: amountMinor === wanted ? autoCaptureDetailIds : null,
    isFinal: payment.autoCaptureIsFinal,
  }
}

/**
 * The payment after a scheduled capture that could not be made, for a reason that passes: it comes again until the
 * authorization ends, and then no more.
 */
export function postponeCapture(payment: Payment, at: number): Payment {
  if (payment.autoCaptureAt === null || at >= (payment.authorizationExpiresAt ?? 0))
    return reschedule(payment, NO_SCHEDULE)
  return {
    ...payment,
    autoCaptureRetryAt: captureRetryAt(payment, at),
    autoCaptureFailures: payment.autoCaptureFailures + 1,
  }
}

/** When a scheduled capture that failed for a passing reason is tried again: later each time, and at the deadline at last. */
export function captureRetryAt(payment: Payment, at: number): number {
  const delays = CAPTURE_RETRY_DELAYS_SECONDS
  const delay = delays[Math.min(payment.autoCaptureFailures, delays.length - 1)] ?? 0
  return Math.min(at + delay * 1000, payment.authorizationExpiresAt ?? at)
}
