import type { AuthorizeCommand, Command, CommandAnswer } from './command.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import type { GatewayOperationType, Outcome } from './operation.ts'
import { type TransactionStatus, type TransactionTrigger, transition } from './transaction.ts'
import type { EventName } from './webhook-event.ts'

/** A capture may happen up to seven days after the authorization. Source: specification, section 1. */
export const AUTHORIZATION_VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

/** Attempts to raise one authorization, declined ones included, after which gateways refuse. Source: Stripe's documentation. */
export const INCREMENT_ATTEMPTS_MAX = 10

/** A step that was sent, or may have been sent, to the gateway and whose outcome is not final. */
export interface AttemptInFlight {
  operationId: string
  type: GatewayOperationType
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
  incrementedMinor: number
  incremental: boolean
  incrementAttempts: number
  /** Epoch ms, all of them. */
  authorizationExpiresAt: number | null
  autoCaptureAt: number | null
  autoCaptureAmountMinor: number | null
  /** True when the void was our own, because nobody captured in time. */
  expired: boolean
  attemptInFlight: AttemptInFlight | null
}

/** A payment before its first command. */
export function newPayment(invoice: { currency: string; amountMinor: number; incremental: boolean }): Payment {
  return {
    status: null,
    currency: invoice.currency,
    amountMinor: invoice.amountMinor,
    authorizedMinor: 0,
    capturedMinor: 0,
    voidedMinor: 0,
    incrementedMinor: 0,
    incremental: invoice.incremental,
    incrementAttempts: 0,
    authorizationExpiresAt: null,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    expired: false,
    attemptInFlight: null,
  }
}

/** What may still be captured or voided, in minor units. */
export function remainingMinor(payment: Payment): number {
  return payment.authorizedMinor - payment.capturedMinor - payment.voidedMinor
}

/** Money is reserved, and no step on it is under way. */
export function isCapturable(payment: Payment): boolean {
  return payment.status === 'authorized' && payment.attemptInFlight === null
}

/** Whether a command may go to the gateway, and for how much; or the answer that needs no gateway. */
export type Decision =
  | { kind: 'proceed'; amountMinor: number }
  | { kind: 'answer'; answer: Extract<CommandAnswer, { kind: 'unchanged' | 'pending' | 'refused' }> }

const unchanged: Decision = { kind: 'answer', answer: { kind: 'unchanged' } }

function refuse(code: ErrorCode, message: string = ERRORS[code].message): Decision {
  return { kind: 'answer', answer: { kind: 'refused', code, message } }
}

const stillProcessing = (attempt: AttemptInFlight): Decision =>
  refuse(
    'request.still-processing',
    `The outcome of the last ${attempt.type.replaceAll('_', ' ')} is not known yet. Try again shortly.`,
  )

/**
 * The rule book: may this command run on this payment? `at` is the instant by which deadlines are judged, in epoch ms
 * of workflow time: now, or the instant at which a scheduled step was due.
 * The same function serves the workflow's validators, which leave no trace, and the activity, which asks it again
 * under the row lock, where the answer is final.
 */
export function decide(payment: Payment, command: Command, at: number): Decision {
  switch (command.kind) {
    case 'authorize':
      return decideAuthorize(payment, command)
    case 'capture':
      return decideCapture(payment, command.amountMinor, at)
    case 'schedule-capture':
      return decideScheduleCapture(payment, command.autoCaptureAt, command.autoCaptureAmountMinor, at)
    case 'increment':
      return decideIncrement(payment, command.amountMinor, at)
    case 'void':
      return decideVoid(payment, command.amountMinor)
  }
}

function decideAuthorize(payment: Payment, command: AuthorizeCommand): Decision {
  if (payment.attemptInFlight !== null) return unchanged
  if (payment.status === 'voided')
    return refuse('request.validation.invalid-state', 'The payment was voided. Create a new invoice.')
  if (payment.status !== null && payment.status !== 'failed') return unchanged
  if (command.source === null) return refuse('request.validation.missing-source')
  return { kind: 'proceed', amountMinor: payment.amountMinor }
}

function decideCapture(payment: Payment, amountMinor: number | null, at: number): Decision {
  const { attemptInFlight, status } = payment
  if (attemptInFlight !== null) {
    const asksForTheSame = attemptInFlight.type === 'capture' && amountMinor === null
    // Not `unchanged`: the status may still be `authorized`, and must not read as if the capture were done.
    return asksForTheSame ? { kind: 'answer', answer: { kind: 'pending' } } : stillProcessing(attemptInFlight)
  }
  if (status === null || status === 'failed') return refuse('request.validation.missing-source')
  if (status === 'voided') return refuseVoided(payment)
  if (status !== 'authorized') {
    const repeatsWhatWasDone = amountMinor === null || amountMinor === payment.capturedMinor
    return repeatsWhatWasDone
      ? unchanged
      : refuse('request.validation.invalid-state', `The payment is ${status}; nothing is left to capture.`)
  }
  return decideAmount(payment, amountMinor, at)
}

function decideScheduleCapture(
  payment: Payment,
  autoCaptureAt: number,
  amountMinor: number | null,
  at: number,
): Decision {
  if (payment.attemptInFlight !== null) return stillProcessing(payment.attemptInFlight)
  if (payment.status === 'voided') return refuseVoided(payment)
  if (payment.status === null || payment.status === 'failed') return refuse('request.validation.missing-source')
  if (payment.status !== 'authorized') {
    return refuse(
      'request.validation.invalid-state',
      `The payment is ${payment.status}; its capture can no longer be scheduled.`,
    )
  }
  if (autoCaptureAt > (payment.authorizationExpiresAt ?? 0)) {
    return refuse('request.validation.invalid-date', 'auto_capture_at lies after the end of the authorization.')
  }
  return decideAmount(payment, amountMinor, at)
}

function decideIncrement(payment: Payment, amountMinor: number, at: number): Decision {
  if (payment.attemptInFlight !== null) return stillProcessing(payment.attemptInFlight)
  if (payment.status !== 'authorized' || payment.capturedMinor > 0) {
    return refuse(
      'request.validation.invalid-state',
      'Only an authorized payment that was not captured can be incremented.',
    )
  }
  if (!payment.incremental)
    return refuse('request.validation.invalid-state', 'The payment was not authorized with incremental true.')
  if (isExpired(payment, at)) return refuse('gateway.expired')
  if (payment.incrementAttempts >= INCREMENT_ATTEMPTS_MAX) {
    return refuse(
      'request.validation.invalid-state',
      `An authorization can be incremented ${INCREMENT_ATTEMPTS_MAX} times at most.`,
    )
  }
  if (amountMinor <= 0 || !Number.isSafeInteger(payment.amountMinor + amountMinor))
    return refuse('request.validation.invalid-amount')
  return { kind: 'proceed', amountMinor }
}

function decideVoid(payment: Payment, amountMinor: number | null): Decision {
  const { attemptInFlight, status } = payment
  if (attemptInFlight?.type === 'capture') {
    return refuse(
      'request.validation.invalid-state',
      'A capture of this money is under way. Refund it once it is captured.',
    )
  }
  if (attemptInFlight !== null) return stillProcessing(attemptInFlight)
  if (status === 'voided') return unchanged
  if (status !== 'authorized') {
    return refuse(
      'request.validation.invalid-state',
      status === null ? 'Nothing is authorized.' : `The payment is ${status}; only an authorized one can be voided.`,
    )
  }
  const remaining = remainingMinor(payment)
  const wanted = amountMinor ?? remaining
  if (wanted <= 0 || wanted > remaining)
    return refuse('request.validation.invalid-amount', 'The amount is more than what is still authorized.')
  return { kind: 'proceed', amountMinor: wanted }
}

function decideAmount(payment: Payment, amountMinor: number | null, at: number): Decision {
  if (isExpired(payment, at)) return refuse('gateway.expired')
  const remaining = remainingMinor(payment)
  const wanted = amountMinor ?? remaining
  if (wanted <= 0 || wanted > remaining)
    return refuse('request.validation.invalid-amount', 'The amount is more than what is still authorized.')
  return { kind: 'proceed', amountMinor: wanted }
}

function refuseVoided(payment: Payment): Decision {
  return payment.expired
    ? refuse('gateway.expired')
    : refuse('request.validation.invalid-state', 'The payment was voided.')
}

/** The last instant still counts: a capture at exactly `authorizationExpiresAt` is accepted. */
function isExpired(payment: Payment, at: number): boolean {
  return payment.authorizationExpiresAt !== null && at > payment.authorizationExpiresAt
}

/** A change of a payment with the events that tell of it, in the order in which they happened. */
export interface Change {
  payment: Payment
  fires: readonly EventName[]
}

/**
 * The attempt is about to be written: nothing else may touch the payment until it ends.
 * A sale is an authorization whose capture is due at once, so that the wish to capture survives a crash or an
 * unknown authorization like any other schedule.
 */
export function beginAttempt(payment: Payment, attempt: AttemptInFlight, command: Command, at: number): Change {
  const begun: Payment = { ...payment, attemptInFlight: attempt }
  if (attempt.type === 'increment_authorization') begun.incrementAttempts += 1
  if (command.kind !== 'authorize') return { payment: begun, fires: [] }
  const { to, fires } = transition(payment.status, 'authorization-requested')
  return {
    payment: {
      ...begun,
      status: to,
      incremental: command.incremental,
      autoCaptureAt: command.capture === null ? command.autoCaptureAt : at,
      autoCaptureAmountMinor: command.capture === null ? command.autoCaptureAmountMinor : command.capture.amountMinor,
    },
    fires,
  }
}

/** What the attempt in flight asked for. */
export interface AttemptFacts {
  type: GatewayOperationType
  amountMinor: number
  /** Workflow time in epoch ms at which the gateway was about to be asked. */
  begunAt: number
  /** True where the void is our own, at the end of the authorization. */
  isExpiry: boolean
}

/**
 * The gateway's word, applied: amounts, status, and events.
 * At the end of an authorization the money is free whether the gateway still wants to void it or not.
 */
export function applyOutcome(payment: Payment, attempt: AttemptFacts, said: Outcome['kind']): Change {
  const outcome = attempt.isExpiry && said === 'declined' ? 'approved' : said
  const isFinal = outcome === 'approved' || outcome === 'declined'
  const before: Payment = { ...payment, attemptInFlight: isFinal ? null : payment.attemptInFlight }
  const changed = outcome === 'approved' ? approve(before, attempt) : before
  const { to, fires } = transition(payment.status, triggerOf(changed, attempt, outcome))
  return { payment: settleSchedule({ ...changed, status: to }, attempt, outcome), fires }
}

function approve(payment: Payment, { type, amountMinor, begunAt, isExpiry }: AttemptFacts): Payment {
  switch (type) {
    case 'authorization':
      // The issuer's days began when it was asked, however late we learn of its answer.
      return { ...payment, authorizedMinor: amountMinor, authorizationExpiresAt: begunAt + AUTHORIZATION_VALIDITY_MS }
    case 'increment_authorization':
      return {
        ...payment,
        amountMinor: payment.amountMinor + amountMinor,
        authorizedMinor: payment.authorizedMinor + amountMinor,
        incrementedMinor: payment.incrementedMinor + amountMinor,
      }
    case 'capture':
      // A capture is final, so that what it leaves is released at once.
      return {
        ...payment,
        capturedMinor: payment.capturedMinor + amountMinor,
        voidedMinor: payment.voidedMinor + remainingMinor(payment) - amountMinor,
      }
    case 'void':
      return { ...payment, voidedMinor: payment.voidedMinor + amountMinor, expired: isExpiry }
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
} as const satisfies Record<GatewayOperationType, Record<'approved' | 'declined' | 'open', TransactionTrigger>>

function triggerOf(payment: Payment, { type }: AttemptFacts, outcome: Outcome['kind']): TransactionTrigger {
  if (type === 'void' && outcome === 'approved' && remainingMinor(payment) === 0) return 'full-void-approved'
  return TRIGGERS[type][outcome === 'approved' || outcome === 'declined' ? outcome : 'open']
}

/** A schedule ends with the authorization it belongs to, and with a capture that the gateway refused for good. */
function settleSchedule(payment: Payment, { type }: AttemptFacts, outcome: Outcome['kind']): Payment {
  const isOver =
    payment.status !== 'authorized' &&
    payment.status !== 'pending' &&
    payment.status !== 'waiting' &&
    payment.status !== 'pending-capture'
  const wasRefused = type === 'capture' && outcome === 'declined'
  return isOver || wasRefused ? { ...payment, autoCaptureAt: null, autoCaptureAmountMinor: null } : payment
}

/** What the clock will ask for next. At equal instants the capture comes first. */
export type Due = { kind: 'auto-capture'; at: number; amountMinor: number } | { kind: 'expiry'; at: number }

/**
 * The next thing that becomes due on a payment, or null where nothing is awaited of the clock. A capture that was
 * scheduled in time stays due even when we come late to it: whether the money is still held, the gateway knows.
 */
export function nextDue(payment: Payment): Due | null {
  const { authorizationExpiresAt, autoCaptureAt } = payment
  if (!isCapturable(payment) || authorizationExpiresAt === null) return null
  if (autoCaptureAt !== null && autoCaptureAt <= authorizationExpiresAt) {
    const remaining = remainingMinor(payment)
    return {
      kind: 'auto-capture',
      at: autoCaptureAt,
      amountMinor: Math.min(payment.autoCaptureAmountMinor ?? remaining, remaining),
    }
  }
  return { kind: 'expiry', at: authorizationExpiresAt }
}

/**
 * Waits between look-ups of an unknown outcome, in seconds; the last one repeats. Most lost answers are known a second
 * later, the rest when a gateway is back or its day is booked: from 1 s to 24 h, and for as long as it takes.
 */
export const LOOK_UP_DELAYS_SECONDS: readonly number[] = [1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600]
