import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import type {
  AuthorizeCommand,
  CaptureCommand,
  IdempotencyClaim,
  ScheduleCaptureCommand,
} from '../../../domain/command.ts'
import { AUTHORIZATION_TERMS, type AuthorizationTerm } from '../../../domain/command.ts'
import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { invalidField } from '../schemas/fields/input.ts'
import type { PaymentOptions } from '../schemas/payment-options.ts'

/** The two endpoints that get an invoice paid. They take the same options and differ in what they do by default. */
export type Verb = 'authorize' | 'capture'

/** A request to authorize or capture, with its rows as they were read before the lock. */
export interface PaymentRequest {
  verb: Verb
  options: PaymentOptions
  actor: 'merchant' | 'client'
  /** Null where the request came without a key. */
  idempotency: IdempotencyClaim | null
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/**
 * How late a command may still begin: twice the 30 s for which its caller waits. Later nobody expects the money to move
 * any more.
 */
const COMMAND_VALIDITY_MS = 60_000

/** In these a capture may be scheduled, now or as soon as a step under way has ended. */
const BEFORE_THE_CAPTURE: readonly TransactionStatus[] = ['waiting', 'pending', 'authorized', 'pending-capture']

/** What every command of a merchant, or of a client, carries. */
export function commandBase(
  randomBytes: RandomBytes,
  now: Date,
  idempotency: IdempotencyClaim | null,
  actor: 'merchant' | 'client' = 'merchant',
) {
  return {
    idempotency,
    operationId: makeIdentifier('operation', randomBytes),
    actor,
    deadline: now.getTime() + COMMAND_VALIDITY_MS,
  }
}

export type Planned = AuthorizeCommand | CaptureCommand | ScheduleCaptureCommand

/**
 * Which command a call of `authorize` or `capture` means, given where the payment stood a moment ago. Whether it may
 * run is decided by the payment itself; repeated calls therefore come out as commands that change nothing.
 *
 * @throws ApiError for options that fit neither the payment nor each other.
 */
export function planCommand(request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { verb, options, transaction } = request
  const { source, autoCaptureAt, selection, captureType } = options
  const status = transaction?.status ?? null
  // The same call again, while the outcome of the first is open.
  const repeatsTheFirst = source !== null && (status === 'waiting' || status === 'pending')

  if (isUnpaid(status) || repeatsTheFirst) return planAuthorization(request, randomBytes, now)
  const isBeforeTheCapture = isBeforeCapture(status)
  // After a capture the same call again changes nothing, but what names an instant for more must not be captured at once.
  const schedulesMore = autoCaptureAt !== null && (selection.amountMinor !== null || captureType !== null)
  const schedules = isBeforeTheCapture ? autoCaptureAt !== null || dropsSchedule(request) : schedulesMore
  if (verb === 'capture' ? schedules : authorizeSchedules(request)) {
    refuseToLeaveRest(request)
    return {
      ...commandBase(randomBytes, now, request.idempotency, request.actor),
      kind: 'schedule-capture',
      autoCaptureAt: autoCaptureAt?.getTime() ?? null,
      autoCaptureAmountMinor: selection.amountMinor,
      autoCaptureDetailIds: selection.detailIds,
    }
  }
  if (capturesAtOnce(request, now) || (verb === 'capture' && !isBeforeTheCapture))
    return planCapture(request, randomBytes, now)
  return planAuthorization(request, randomBytes, now)
}

function isBeforeCapture(status: TransactionStatus | null): boolean {
  return status !== null && BEFORE_THE_CAPTURE.includes(status)
}

/**
 * True where `authorize` moves the capture of a payment that is there already, as `capture` does. The call that brought
 * the source, sent again, moves nothing.
 */
function authorizeSchedules({ options, invoice, transaction }: PaymentRequest): boolean {
  if (options.autoCaptureAt === null) return false
  const isBeforeTheCapture = isBeforeCapture(transaction?.status ?? null)
  return options.source === null || (isBeforeTheCapture && invoice.autoCaptureAt == null)
}

/** Nothing was authorized yet, or nothing came of it. */
function isUnpaid(status: TransactionStatus | null): boolean {
  return status === null || status === 'failed' || status === 'blocked'
}

/**
 * True where the call wants money now: `authorize` with `authorize_only` false, `capture` without it. An instant for
 * the capture, of the call or of an invoice that it pays first, means later; an instant of the invoice that has passed
 * before anything was authorized means now.
 */
function capturesAtOnce(request: PaymentRequest, now: Date): boolean {
  const { verb, options, invoice, transaction } = request
  if (invoice.verification) return false
  if (isUnpaid(transaction?.status ?? null) && isOverdue(invoice, now)) return true
  const isWanted = verb === 'authorize' ? options.authorizeOnly === false : options.authorizeOnly !== true
  const invoiceSchedules = invoice.autoCaptureAt != null && (verb === 'authorize' || options.source !== null)
  return isWanted && options.autoCaptureAt === null && !invoiceSchedules
}

function isOverdue({ autoCaptureAt }: PaymentRequest['invoice'], now: Date): boolean {
  return autoCaptureAt != null && autoCaptureAt <= now
}

function planCapture(
  { options, idempotency, actor }: PaymentRequest,
  randomBytes: RandomBytes,
  now: Date,
): CaptureCommand {
  const { selection, captureType } = options
  return {
    ...commandBase(randomBytes, now, idempotency, actor),
    kind: 'capture',
    amountMinor: selection.amountMinor,
    detailIds: selection.detailIds,
    isFinal: captureType !== 'non-final',
    wantsRest: captureType !== null,
  }
}

/** An authorization, with the capture that follows it where the call is a sale. */
export function planAuthorization(request: PaymentRequest, randomBytes: RandomBytes, now: Date): AuthorizeCommand {
  const { options, invoice, transaction } = request
  const { source, selection } = options
  const autoCaptureAt = invoice.autoCaptureAt ?? options.autoCaptureAt
  if (isUnpaid(transaction?.status ?? null)) refuseImpossible(request, autoCaptureAt, now)
  const isSale = capturesAtOnce(request, now)
  const named = namedTerms(request, isSale)
  // Lines chosen with the authorization are what a later capture takes, whether an instant is given for it or not.
  const isChosen = autoCaptureAt !== null || selection.detailIds !== null || named.includes('capture_amount')
  return {
    ...commandBase(randomBytes, now, request.idempotency, request.actor),
    kind: 'authorize',
    currency: invoice.currency,
    source,
    preferredScheme: options.preferredScheme,
    initialSchemeTransactionId: options.initialSchemeTransactionId,
    incremental: options.incremental ?? invoice.incremental,
    mayFallBackToSale: options.mayFallBackToSale,
    saveSource: options.saveSource,
    ...(named.length > 0 ? { named } : {}),
    ...(options.overrideMacBlocking ? { overrideMacBlocking: true as const } : {}),
    ...(options.newSourceOnly ? { newSourceOnly: true as const } : {}),
    autoCaptureAt: autoCaptureAt?.getTime() ?? null,
    autoCaptureAmountMinor: isChosen ? selection.amountMinor : null,
    autoCaptureDetailIds: selection.detailIds,
    capture: isSale ? planCapture(request, randomBytes, now) : null,
  }
}

/**
 * What the request itself says of the authorization. An instant of the invoice takes priority over that of the request.
 */
function namedTerms({ options, invoice, transaction }: PaymentRequest, isSale: boolean): AuthorizationTerm[] {
  const { source, selection } = options
  const status = transaction?.status ?? null
  const isAnsweredByState = source !== null && !isUnpaid(status) && !isBeforeCapture(status)
  const saysWhatIsCaptured = !isSale && !isAnsweredByState
  const isNamed: Record<AuthorizationTerm, boolean> = {
    // The invoice accepts an authorization that is not incremental, where the gateway has no other.
    incremental: options.incremental === true && !invoice.bypassIncrementalAuthorization,
    auto_capture_at: saysWhatIsCaptured && options.autoCaptureAt !== null && invoice.autoCaptureAt == null,
    invoice_detail_ids: saysWhatIsCaptured && selection.detailIds !== null,
    capture_amount: saysWhatIsCaptured && selection.amountMinor !== null && selection.detailIds === null,
  }
  return AUTHORIZATION_TERMS.filter((term) => isNamed[term])
}

/** What would leave money reserved and the merchant with an error is refused before anything begins. */
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

/** A later capture releases what it leaves, and would give up money that the merchant wanted to keep. */
function refuseToLeaveRest({ options }: PaymentRequest): void {
  if (options.captureType !== 'non-final') return
  const message = 'must be final, or left out, where nothing is captured at once'
  throw invalidField('capture_type', message, 'service.not-supported')
}

/**
 * The instant of an invoice was valid when the invoice was made. One that has passed is due at once, unless the call
 * asks for a later capture.
 */
function refuseInstant({ options, invoice }: PaymentRequest, autoCaptureAt: Date, now: Date): void {
  const wrong = (message: string) => invalidField('auto_capture_at', message, 'request.validation.invalid-date')
  if (isOverdue(invoice, now) && options.autoCaptureAt !== null)
    throw wrong('of the invoice has passed and takes priority: leave yours out, or give the invoice another')
  if (autoCaptureAt.getTime() > now.getTime() + AUTHORIZATION_VALIDITY_MS) {
    throw wrong('of the invoice lies later than an authorization lasts, which is 7 days')
  }
}

/**
 * True for an explicit null, which drops a scheduled capture: to capture at once would be the opposite. An amount
 * beside the null, or a source where nothing is scheduled, says that money is wanted now.
 */
function dropsSchedule({ options, transaction }: PaymentRequest): boolean {
  const isScheduled = transaction?.autoCaptureAt != null
  const wantsMoney = options.selection.amountMinor !== null || (options.source !== null && !isScheduled)
  return options.cancelsAutoCapture && !wantsMoney
}
