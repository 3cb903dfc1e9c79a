import type {
  AuthorizeCommand,
  CaptureCommand,
  CommandAnswer,
  DecidedCommand,
  RefundCommand,
  ReverseOrphanCommand,
  ScheduleCaptureCommand,
} from './command.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import { exponentOf, formatAmount, largestAmountMinor } from './money.ts'
import {
  type AttemptInFlight,
  activeAttempts,
  attemptOfCustomer,
  CAPTURES_MAX,
  capturesInFlight,
  exclusiveAttempt,
  isCapturable,
  isCaptureDue,
  isDisputed,
  isSchedulable,
  isUnpaid,
  type Payment,
  refundableMinor,
  remainingMinor,
  reservedMinor,
} from './payment.ts'
import type { TransactionStatus } from './transaction.ts'

/** Increments of one authorization, declined ones included, that gateways allow. Source: Stripe's documentation. */
export const INCREMENT_ATTEMPTS_MAX = 10

/** Refunds of one payment that may be under way at once. The payment carries each of them through all its steps. */
export const REFUNDS_IN_FLIGHT_MAX = 50

/** Statuses in which captured money may be refunded. */
const REFUNDABLE: readonly (TransactionStatus | null)[] = [
  'completed',
  'partially-refunded',
  'refunded',
  'retrieval-request',
  'fraud-notification',
  'chargeback-initiated',
  'solved',
  'reversed',
]

/**
 * Whether an authorization goes on to its capture: it was approved, and its capture is due by now. A refused authorization
 * ends the sale, even if another command has authorized the payment meanwhile.
 */
export function goesOnToCapture(
  { kind }: Pick<DecidedCommand, 'kind'>,
  answer: CommandAnswer,
  payment: Payment,
  at: number,
): boolean {
  return kind === 'authorize' && answer.kind === 'done' && isCapturable(payment) && isCaptureDue(payment, at)
}

/** Whether a command may go to the gateway, and for how much; or the answer that needs no gateway. */
export type Decision =
  | { kind: 'proceed'; amountMinor: number }
  /** The customer has answered: go on with this authorization. */
  | { kind: 'continue'; operationId: string }
  /** The merchant voids an authorization without an outcome: close its attempt. */
  | { kind: 'give up'; operationId: string }
  | { kind: 'answer'; answer: Extract<CommandAnswer, { kind: 'unchanged' | 'pending' | 'refused' }> }

export const NO_CHANGE: Decision = { kind: 'answer', answer: { kind: 'unchanged' } }
export const PENDING: Decision = { kind: 'answer', answer: { kind: 'pending' } }

export function refuse(code: ErrorCode, message: string = ERRORS[code].message): Decision {
  return { kind: 'answer', answer: { kind: 'refused', code, message } }
}

const refuseState = (message: string) => refuse('request.validation.invalid-state', message)
const refuseAmount = (message: string) => refuse('request.validation.invalid-amount', message)

const refuseCapability = (message: string) => refuse('request.gateway.operation-not-supported', message)

/** The answer to lines that cost nothing. */
const MORE_THAN_ZERO = 'The amount must be more than zero.'

/** @param rest what there is in minor units, and what may be done with it: `can still be captured`. */
function refuseMoreThan(rest: { minor: number; may: string }, wantedMinor: number, { currency }: Payment): Decision {
  const left = `${formatAmount(rest.minor, currency)} ${currency}`
  return refuseAmount(
    `The amount is more than the ${left} that ${rest.may}.${hintAtUnits(wantedMinor, rest.minor, currency)}`,
  )
}

/** For somebody who wrote 2000 and meant 20.00, as other services take it: then it is far more than is left. */
function hintAtUnits(wantedMinor: number, restMinor: number, currency: string): string {
  const written = wantedMinor / 10 ** exponentOf(currency)
  if (!Number.isInteger(written) || written > restMinor || wantedMinor < 10 * restMinor) return ''
  return ` Amounts are not written in minor units: ${written} of them are ${formatAmount(written, currency)}.`
}

export const VOIDED = 'The payment was voided. Create a new invoice.'

const stillProcessing = ({ type, awaitsCustomerUntil }: AttemptInFlight): Decision =>
  refuse(
    'request.still-processing',
    awaitsCustomerUntil === undefined
      ? `The outcome of the last ${type.replaceAll('_', ' ')} is not known yet. Try again shortly.`
      : 'The customer has not finished the authentication yet. Try again later, or void the payment.',
  )

/**
 * Decides whether a command may run on a payment. Deadlines are judged at `at`, workflow time in epoch ms: now, or the
 * instant at which a scheduled step was due. The workflow's validators call it first, to refuse without a trace in the
 * history. The activity calls it again under the row lock, where the answer is final.
 */
export function decide(payment: Payment, command: DecidedCommand, at: number): Decision {
  switch (command.kind) {
    case 'authorize':
      return decideAuthorize(payment, command, at)
    case 'capture':
      return decideCapture(payment, command, at)
    case 'schedule-capture':
      return decideScheduleCapture(payment, command, at)
    case 'increment':
      return decideIncrement(payment, command.amountMinor, at)
    case 'void':
      return decideVoid(payment, command.amountMinor)
    case 'refund':
      return decideRefund(payment, command)
    case 'reverse-orphan':
      return decideReversal(payment, command)
  }
}

function decideAuthorize(payment: Payment, command: AuthorizeCommand, at: number): Decision {
  if (!isUnpaid(payment.status) || exclusiveAttempt(payment) !== null) return NO_CHANGE
  if (payment.payableUntil !== null && at > payment.payableUntil)
    return refuseState('The invoice has expired. Create a new one.')
  if (command.source === null) return refuse('request.validation.missing-source')
  return { kind: 'proceed', amountMinor: payment.amountMinor }
}

/** An answer that comes again finds the payment as it is. A voided one must not read like a success. */
export function decideContinuation(payment: Payment): Decision {
  const waiting = attemptOfCustomer(payment)
  if (waiting !== null) return { kind: 'continue', operationId: waiting.operationId }
  return payment.status === 'voided' ? refuseState(VOIDED) : NO_CHANGE
}

function decideCapture(payment: Payment, command: CaptureCommand, at: number): Decision {
  const { status, capabilities } = payment
  const exclusive = exclusiveAttempt(payment)
  if (exclusive !== null) return stillProcessing(exclusive)
  const underWay = capturesInFlight(payment)
  // A final capture releases the rest, so every other capture must have ended first.
  const blocking = underWay.find(({ isFinal }) => isFinal || command.isFinal || !capabilities.multipleCaptures)
  if (underWay[0] !== undefined && command.amountMinor === null) return stillProcessing(underWay[0])
  if (blocking !== undefined) return stillProcessing(blocking)
  if (isUnpaid(status)) return refuse('request.validation.missing-source')
  if (status === 'voided') return refuseVoided(payment)
  const repeats = payment.capturedMinor > 0 && command.amountMinor === payment.capturedMinor
  if (repeats && reservedMinor(payment) === 0) return NO_CHANGE
  if (reservedMinor(payment) === 0) return refuseState(`The payment is ${status}; nothing is left to capture.`)
  if (isDisputed(status)) return refuseState(`The payment is ${status}; it cannot be captured further.`)
  if (payment.capturesCount + underWay.length >= CAPTURES_MAX)
    return refuseState(`An authorization can be captured ${CAPTURES_MAX} times at most.`)
  if (!command.isFinal && !capabilities.multipleCaptures)
    return refuseCapability('The gateway does not support multiple captures; capture_type must be final.')
  return decideAmount(payment, command.amountMinor ?? selectedMinor(payment), at)
}

/** The amount of the lines chosen with the authorization, in minor units; null if none were chosen. */
function selectedMinor(payment: Payment): number | null {
  return payment.autoCaptureDetailIds === null ? null : payment.autoCaptureAmountMinor
}

function decideScheduleCapture(payment: Payment, command: ScheduleCaptureCommand, at: number): Decision {
  const [underWay] = capturesInFlight(payment)
  const attempt = exclusiveAttempt(payment) ?? underWay
  if (attempt !== undefined) return stillProcessing(attempt)
  if (payment.status === 'voided') return refuseVoided(payment)
  if (isUnpaid(payment.status)) return refuse('request.validation.missing-source')
  const { autoCaptureAt } = command
  // A schedule that a partial capture has left can always be dropped: it would take the rest.
  const mayTakeMore = !isDisputed(payment.status) && payment.capturesCount < CAPTURES_MAX
  if (!isSchedulable(payment) || (autoCaptureAt !== null && !mayTakeMore))
    return refuseState(`The payment is ${payment.status}; its capture can no longer be scheduled.`)
  if (autoCaptureAt !== null && autoCaptureAt > (payment.authorizationExpiresAt ?? 0))
    return refuse('request.validation.invalid-date', 'auto_capture_at is after the end of the authorization.')
  if (autoCaptureAt === null && command.autoCaptureAmountMinor === null) {
    return isExpired(payment, at)
      ? refuse('gateway.expired')
      : { kind: 'proceed', amountMinor: remainingMinor(payment) }
  }
  return decideAmount(payment, command.autoCaptureAmountMinor, at)
}

function decideIncrement(payment: Payment, amountMinor: number, at: number): Decision {
  const [capture] = capturesInFlight(payment)
  const underWay = exclusiveAttempt(payment) ?? capture
  if (underWay !== undefined) return stillProcessing(underWay)
  if (payment.status !== 'authorized' || payment.capturedMinor > 0 || payment.authorizedMinor === 0)
    return refuseState('Only an authorized payment that was not captured can be incremented.')
  if (!payment.capabilities.incrementalAuthorization)
    return refuseCapability('The gateway of this payment does not support incremental authorization.')
  if (!payment.incremental) return refuseState('The payment was not authorized with incremental true.')
  if (isExpired(payment, at)) return refuse('gateway.expired')
  if (payment.incrementAttempts >= INCREMENT_ATTEMPTS_MAX)
    return refuseState(`An authorization can be incremented ${INCREMENT_ATTEMPTS_MAX} times at most.`)
  const total = Math.max(payment.amountMinor, payment.authorizedMinor) + amountMinor
  if (amountMinor <= 0 || total > largestAmountMinor(payment.currency))
    return refuseAmount('The amount would exceed the largest supported amount.')
  return { kind: 'proceed', amountMinor }
}

function decideVoid(payment: Payment, amountMinor: number | null): Decision {
  const { status } = payment
  if (capturesInFlight(payment).length > 0)
    return refuseState('A capture of this money is under way. Refund it once it is captured.')
  const exclusive = exclusiveAttempt(payment)
  const isOpen = status === 'pending' || exclusive?.awaitsCustomerUntil !== undefined
  if (exclusive?.type === 'authorization' && isOpen) {
    return amountMinor === null || amountMinor === exclusive.amountMinor
      ? { kind: 'give up', operationId: exclusive.operationId }
      : refuseAmount('An authorization whose outcome is unknown can only be voided in full.')
  }
  if (exclusive !== null) return stillProcessing(exclusive)
  if (isVoidedFor(payment, amountMinor)) return NO_CHANGE
  const remaining = remainingMinor(payment)
  if (status === 'voided' || (status !== 'authorized' && remaining === 0)) {
    return refuseState(
      status === null ? 'Nothing is authorized.' : `The payment is ${status}; nothing is left to void.`,
    )
  }
  const wanted = amountMinor ?? remaining
  // A verification reserves nothing and can still be voided.
  if (wanted < 0 || (wanted === 0 && remaining > 0)) return refuseAmount(MORE_THAN_ZERO)
  if (wanted > remaining) return refuseMoreThan({ minor: remaining, may: 'can still be voided' }, wanted, payment)
  if (wanted < remaining && !payment.capabilities.partialVoid)
    return refuseCapability('The gateway of this payment does not support partial voids.')
  return { kind: 'proceed', amountMinor: wanted }
}

/**
 * Whether a void asks for what has been done: its money is released, whoever has released it. Another amount is refused, so
 * that it does not read as if that much had been released. What was never approved was voided as a whole.
 */
function isVoidedFor({ status, amountMinor: whole, voidedMinor }: Payment, wantedMinor: number | null): boolean {
  return status === 'voided' && (wantedMinor === null || wantedMinor === (voidedMinor === 0 ? whole : voidedMinor))
}

function decideRefund(payment: Payment, { amountMinor }: RefundCommand): Decision {
  const { status, capabilities } = payment
  const [capture] = capturesInFlight(payment)
  if (capture !== undefined && payment.capturedMinor === 0) return stillProcessing(capture)
  if (!REFUNDABLE.includes(status)) {
    return refuseState(
      status === null
        ? 'Nothing was captured.'
        : `The payment is ${status}; only captured money can be refunded${status === 'authorized' ? ': void it instead' : ''}.`,
    )
  }
  if (activeAttempts(payment).filter(({ type }) => type === 'refund').length >= REFUNDS_IN_FLIGHT_MAX)
    return refuse(
      'request.still-processing',
      'Too many refunds of this payment are not confirmed yet. Try again later.',
    )
  if (!capabilities.refund) return refuseCapability('The gateway of this payment does not refund.')
  const refundable = refundableMinor(payment)
  const wanted = amountMinor ?? refundable
  if (refundable === 0 && isDisputed(status))
    return refuseState(`The payment is ${status}; the disputed money cannot be refunded as well.`)
  if (amountMinor !== null && amountMinor <= 0) return refuseAmount(MORE_THAN_ZERO)
  if (refundable === 0) return refuseAmount('Nothing is left to refund.')
  if (wanted > refundable) return refuseMoreThan({ minor: refundable, may: 'can still be refunded' }, wanted, payment)
  if (wanted < payment.capturedMinor && !capabilities.partialRefund)
    return refuseCapability('The gateway of this payment does not support partial refunds.')
  return { kind: 'proceed', amountMinor: wanted }
}

function decideReversal(payment: Payment, { orphanOperationId }: ReverseOrphanCommand): Decision {
  const orphan = payment.orphans.find(({ operationId }) => operationId === orphanOperationId)
  const isUnderWay = payment.attemptsInFlight.some(({ reverses }) => reverses === orphanOperationId)
  return orphan === undefined || isUnderWay ? NO_CHANGE : { kind: 'proceed', amountMinor: orphan.amountMinor }
}

function decideAmount(payment: Payment, amountMinor: number | null, at: number): Decision {
  if (isExpired(payment, at)) return refuse('gateway.expired')
  const remaining = remainingMinor(payment)
  const wanted = amountMinor ?? remaining
  if (wanted <= 0) return refuseAmount(MORE_THAN_ZERO)
  if (wanted > remaining) return refuseMoreThan({ minor: remaining, may: 'can still be captured' }, wanted, payment)
  if (wanted < remaining && !payment.capabilities.partialCapture)
    return refuseCapability(
      'The gateway of this payment does not support partial captures; capture all and refund the rest.',
    )
  return { kind: 'proceed', amountMinor: wanted }
}

function refuseVoided(payment: Payment): Decision {
  return payment.expired ? refuse('gateway.expired') : refuseState('The payment was voided.')
}

/** A capture at exactly `authorizationExpiresAt` is still accepted. */
function isExpired(payment: Payment, at: number): boolean {
  return payment.authorizationExpiresAt !== null && at > payment.authorizationExpiresAt
}
