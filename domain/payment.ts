import type { Command } from './command.ts'
import type { GatewayOperationType, Outcome } from './operation.ts'
import { type TransactionStatus, type TransactionTrigger, transition } from './transaction.ts'
import type { EventName } from './webhook-event.ts'

/** A capture may happen up to seven days after the authorization. Source: specification, section 1. */
export const AUTHORIZATION_VALIDITY_MS = 7 * 24 * 60 * 60 * 1000

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
