import { NOT_INCREMENTAL } from '../../../domain/authorization-terms.ts'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import type {
  Author,
  AuthorizeCommand,
  CaptureCommand,
  Continuation,
  IdempotencyClaim,
  ScheduleCaptureCommand,
} from '../../../domain/command.ts'
import { AUTHORIZATION_TERMS, type AuthorizationTerm } from '../../../domain/command.ts'
import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import { paymentTime } from '../../../domain/test-clock.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { ApiError } from '../api-error.ts'
import { invalidField } from '../schemas/fields/input.ts'
import type { PaymentOptions } from '../schemas/payment-options.ts'

/** The endpoints that pay an invoice. They take the same options and differ in their defaults; `three-d-s` never captures. */
export type Verb = 'authorize' | 'capture' | 'three-d-s'

/** A request to authorize or capture, with its rows read before the lock. */
export interface PaymentRequest extends Author {
  verb: Verb
  options: PaymentOptions
  /** Null for a request without a key. */
  idempotency: IdempotencyClaim | null
  invoice: InvoiceRow
  transaction: TransactionRow | null
  /** The answer to an action of the customer; null for every other request. */
  continues: Continuation | null
}

/**
 * How late a command may still begin: twice the 30 s for which its caller waits. Later the merchant no longer expects the
 * money to move.
 */
const COMMAND_VALIDITY_MS = 60_000

/** The statuses in which a capture may be scheduled, now or after the attempt under way. */
const BEFORE_THE_CAPTURE: readonly TransactionStatus[] = ['waiting', 'pending', 'authorized', 'pending-capture']

const INVALID_DATE = 'request.validation.invalid-date'

/** The fields of every command of a merchant or a client. */
export function commandBase(
  randomBytes: RandomBytes,
  now: Date,
  { idempotency, actor, personId }: Author & { idempotency: IdempotencyClaim | null },
) {
  return {
    idempotency,
    operationId: makeIdentifier('operation', randomBytes),
    actor,
    ...(personId !== undefined && { personId }),
    deadline: now.getTime() + COMMAND_VALIDITY_MS,
  }
}

export type Planned = AuthorizeCommand | CaptureCommand | ScheduleCaptureCommand

/**
 * Translates a call of `authorize` or `capture` into a command, by the payment's state just before. The payment itself
 * decides whether the command may run; a repeated call therefore becomes a command that changes nothing.
 *
 * @throws ApiError for options that do not fit the payment or each other.
 */
export function planCommand(request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { verb, options, transaction } = request
  if (request.continues !== null) return planContinuation(request, request.continues, randomBytes, now)
  const { source, autoCaptureAt, selection } = options
  if (request.invoice.verification && autoCaptureAt !== null)
    throw invalidField('auto_capture_at', 'must be left out: a verification takes no money', INVALID_DATE)
  const status = transaction?.status ?? null
  // The same call again, while the outcome of the first is open.
  const repeatsTheFirst = source !== null && (status === 'waiting' || status === 'pending')

  if (isUnpaid(status) || repeatsTheFirst) return planAuthorization(request, randomBytes, now)
  if (verb === 'capture' ? captureSchedules(request) : authorizeSchedules(request)) {
    refuseToLeaveRest(request)
    if (verb !== 'capture') refuseToBecomeIncremental(request)
    return {
      ...commandBase(randomBytes, now, request),
      kind: 'schedule-capture',
      autoCaptureAt: autoCaptureAt?.getTime() ?? null,
      autoCaptureAmountMinor: selection.amountMinor,
      autoCaptureDetailIds: selection.detailIds,
    }
  }
  // A call that only authorizes must not take what a partial capture has left.
  const leavesTheRest = options.authorizeOnly === true && leavesRest(transaction)
  const repeatsCapture = verb === 'capture' && !isBeforeCapture(status) && !leavesTheRest
  if (capturesAtOnce(request, now) || repeatsCapture) return planCapture(request, randomBytes, now)
  return planAuthorization(request, randomBytes, now)
}

/** Goes on with the authorization under way, on the terms of the request that began it. */
function planContinuation(
  request: PaymentRequest,
  continues: Continuation,
  randomBytes: RandomBytes,
  now: Date,
): AuthorizeCommand {
  const { options, invoice, transaction } = request
  const isSale = transaction !== null && hasPassed(transaction.autoCaptureAt, request, now)
  return {
    ...commandBase(randomBytes, now, request),
    kind: 'authorize',
    currency: invoice.currency,
    source: null,
    continues,
    ...(options.handlesActions && { handlesActions: true as const }),
    preferredScheme: null,
    initialSchemeTransactionId: null,
    incremental: transaction?.incremental === true,
    mayFallBackToSale: false,
    saveSource: false,
    autoCaptureAt: null,
    autoCaptureAmountMinor: null,
    autoCaptureDetailIds: null,
    capture: isSale ? captureOfSale(transaction, request, randomBytes, now) : null,
  }
}

/** The capture that the first request of a sale has asked for, which is due as soon as the authorization is approved. */
function captureOfSale(
  { autoCaptureAmountMinor, autoCaptureDetailIds, autoCaptureIsFinal }: TransactionRow,
  request: PaymentRequest,
  randomBytes: RandomBytes,
  now: Date,
): CaptureCommand {
  return {
    ...commandBase(randomBytes, now, request),
    kind: 'capture',
    amountMinor: autoCaptureAmountMinor ?? null,
    detailIds: autoCaptureDetailIds ?? null,
    isFinal: autoCaptureIsFinal,
    wantsRest: false,
  }
}

function isBeforeCapture(status: TransactionStatus | null): boolean {
  return status !== null && BEFORE_THE_CAPTURE.includes(status)
}

/** True where `capture` schedules a capture, or moves or drops the scheduled one, instead of capturing at once. */
function captureSchedules(request: PaymentRequest): boolean {
  const { options, transaction } = request
  const { source, autoCaptureAt, selection, captureType } = options
  const drops = dropsSchedule(request)
  if (isBeforeCapture(transaction?.status ?? null)) return autoCaptureAt !== null || drops
  // An amount or a kind of capture asks for a further capture: at the instant, or at once where there is none.
  const wantsMore = selection.amountMinor !== null || captureType !== null
  // A capture that has left a rest has left the schedule, too. It would take the rest although the merchant drops it.
  if (autoCaptureAt === null) return drops && !wantsMore && transaction?.autoCaptureAt != null
  // The first call again, with its source, changes nothing after a capture.
  return wantsMore || (source === null && leavesRest(transaction))
}

/** Whether money is still reserved that may be captured. */
function leavesRest(transaction: TransactionRow | null): boolean {
  if (transaction === null) return false
  return transaction.authorizedMinor > transaction.capturedMinor + transaction.voidedMinor
}

/**
 * True where `authorize` reschedules the capture of an existing payment, as `capture` does. A repetition of the call that
 * brought the source reschedules nothing.
 */
function authorizeSchedules({ options, invoice, transaction }: PaymentRequest): boolean {
  if (options.autoCaptureAt === null) return false
  const isBeforeTheCapture = isBeforeCapture(transaction?.status ?? null)
  return options.source === null || (isBeforeTheCapture && invoice.autoCaptureAt == null)
}

/** The payment was not authorized yet, or failed. */
function isUnpaid(status: TransactionStatus | null): boolean {
  return status === null || status === 'failed' || status === 'blocked'
}

/**
 * True where the call takes the money now: `authorize` with `authorize_only` false, `capture` without it. A capture date in
 * the call, or in an invoice that the call pays first, means later. A date of the invoice that has passed before the
 * authorization means now.
 */
function capturesAtOnce(request: PaymentRequest, now: Date): boolean {
  const { verb, options, invoice, transaction } = request
  if (invoice.verification) return false
  if (isUnpaid(transaction?.status ?? null) && hasPassed(invoice.autoCaptureAt, request, now)) return true
  if (verb === 'three-d-s') return false
  const isWanted = verb === 'authorize' ? options.authorizeOnly === false : options.authorizeOnly !== true
  const invoiceSchedules = invoice.autoCaptureAt != null && (verb === 'authorize' || options.source !== null)
  return isWanted && options.autoCaptureAt === null && !invoiceSchedules
}

/** By the payment's clock, which may be ahead. */
function hasPassed(instant: Date | null | undefined, { transaction }: PaymentRequest, now: Date): boolean {
  return instant != null && instant.getTime() <= paymentTime(transaction, now.getTime())
}

function planCapture(request: PaymentRequest, randomBytes: RandomBytes, now: Date): CaptureCommand {
  const { selection, captureType } = request.options
  return {
    ...commandBase(randomBytes, now, request),
    kind: 'capture',
    amountMinor: selection.amountMinor,
    detailIds: selection.detailIds,
    isFinal: captureType !== 'non-final',
    wantsRest: captureType !== null,
  }
}

/** Plans an authorization, with the capture that follows where the call is a sale. */
export function planAuthorization(request: PaymentRequest, randomBytes: RandomBytes, now: Date): AuthorizeCommand {
  const { options, invoice, transaction } = request
  const { source, selection } = options
  // A verification takes no money: not at the instant of its invoice, and not where only a sale is possible.
  const autoCaptureAt = invoice.verification ? null : (invoice.autoCaptureAt ?? options.autoCaptureAt)
  if (isUnpaid(transaction?.status ?? null)) refuseImpossible(request, autoCaptureAt, now)
  const isSale = capturesAtOnce(request, now)
  const named = namedTerms(request, isSale)
  // Lines chosen with the authorization apply to a later capture, with a date for it or without.
  const isChosen = autoCaptureAt !== null || selection.detailIds !== null || named.includes('capture_amount')
  return {
    ...commandBase(randomBytes, now, request),
    kind: 'authorize',
    currency: invoice.currency,
    source,
    preferredScheme: options.preferredScheme,
    initialSchemeTransactionId: options.initialSchemeTransactionId,
    incremental: options.incremental ?? invoice.incremental,
    mayFallBackToSale: options.mayFallBackToSale && !invoice.verification,
    saveSource: options.saveSource,
    ...(named.length > 0 ? { named } : {}),
    ...(options.overrideMacBlocking ? { overrideMacBlocking: true as const } : {}),
    ...(options.newSourceOnly ? { newSourceOnly: true as const } : {}),
    ...(options.handlesActions ? { handlesActions: true as const } : {}),
    ...(options.externalAuthentication === null ? {} : { hasExternalAuthentication: true as const }),
    autoCaptureAt: autoCaptureAt?.getTime() ?? null,
    autoCaptureAmountMinor: isChosen ? selection.amountMinor : null,
    autoCaptureDetailIds: selection.detailIds,
    capture: isSale ? planCapture(request, randomBytes, now) : null,
  }
}

/** The terms that the request itself names. A date of the invoice takes priority over that of the request. */
function namedTerms({ options, invoice, transaction }: PaymentRequest, isSale: boolean): AuthorizationTerm[] {
  const { source, selection } = options
  const status = transaction?.status ?? null
  const isAnsweredByState = source !== null && !isUnpaid(status) && !isBeforeCapture(status)
  const saysWhatIsCaptured = !isSale && !isAnsweredByState
  const isNamed: Record<AuthorizationTerm, boolean> = {
    // The invoice accepts a non-incremental authorization where the gateway offers no other.
    incremental: options.incremental === true && !invoice.bypassIncrementalAuthorization,
    auto_capture_at: saysWhatIsCaptured && options.autoCaptureAt !== null && invoice.autoCaptureAt == null,
    invoice_detail_ids: saysWhatIsCaptured && selection.detailIds !== null,
    capture_amount: saysWhatIsCaptured && selection.amountMinor !== null && selection.detailIds === null,
  }
  return AUTHORIZATION_TERMS.filter((term) => isNamed[term])
}

/** Refuses options that would fail later and leave money reserved. */
function refuseImpossible(request: PaymentRequest, autoCaptureAt: Date | null, now: Date): void {
  const { options, invoice } = request
  const { source, selection } = options
  if (source === null) throw invalidField('source', 'is missing', 'request.validation.missing-source')
  if (selection.amountMinor !== null) {
    const name = selection.detailIds === null ? 'capture_amount' : 'invoice_detail_ids'
    const wrong = (message: string) => invalidField(name, message, 'request.validation.invalid-amount')
    if (selection.amountMinor > invoice.amountMinor) throw wrong('is more than the amount of the invoice')
    if (autoCaptureAt === null && selection.detailIds === null && !capturesAtOnce(request, now)) {
      throw wrong('applies only together with auto_capture_at, or where the payment is captured at once')
    }
  }
  if (!capturesAtOnce(request, now)) refuseToLeaveRest(request)
  if (autoCaptureAt !== null) refuseInstant(request, autoCaptureAt, now)
}

/** A later capture is final and releases the rest, which this merchant wants to keep. */
function refuseToLeaveRest({ options }: PaymentRequest): void {
  if (options.captureType !== 'non-final') return
  const message = 'must be final, or left out, where nothing is captured at once'
  throw invalidField('capture_type', message, 'service.not-supported')
}

/** The call that moves the capture of an authorized payment must not read as if the payment had become incremental, too. */
function refuseToBecomeIncremental(request: PaymentRequest): void {
  const isWanted = namedTerms(request, false).includes('incremental')
  if (isWanted && request.transaction?.incremental !== true)
    throw new ApiError(NOT_INCREMENTAL.code, NOT_INCREMENTAL.message)
}

/**
 * The date of an invoice was valid when the invoice was made. If it has passed, the capture is due at once, unless the call
 * asks for a later one.
 */
function refuseInstant(request: PaymentRequest, autoCaptureAt: Date, now: Date): void {
  const { options, invoice, transaction } = request
  const wrong = (message: string) => invalidField('auto_capture_at', message, INVALID_DATE)
  if (hasPassed(invoice.autoCaptureAt, request, now) && options.autoCaptureAt !== null)
    throw wrong('of the invoice has passed and takes priority: leave yours out, or give the invoice another')
  if (autoCaptureAt.getTime() > paymentTime(transaction, now.getTime()) + AUTHORIZATION_VALIDITY_MS) {
    throw wrong('of the invoice lies later than an authorization lasts, which is 7 days')
  }
}

/**
 * True for an explicit null, which cancels a scheduled capture; capturing at once would be the opposite. An amount beside
 * the null, or a source without a schedule, shows that the merchant wants the money now.
 */
function dropsSchedule({ options, transaction }: PaymentRequest): boolean {
  const isScheduled = transaction?.autoCaptureAt != null
  const wantsMoney = options.selection.amountMinor !== null || (options.source !== null && !isScheduled)
  return options.cancelsAutoCapture && !wantsMoney
}
