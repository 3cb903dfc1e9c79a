import { contradictionOf, NOT_INCREMENTAL } from './authorization-terms.ts'
import { AUTHORIZATION_VALIDITY_MS } from './authorization-validity.ts'
import { amountOption, type CaptureOption, captureByClient } from './client-capture.ts'
import type {
  AuthorizeCommand,
  CaptureCommand,
  ClientRights,
  PayCommand,
  Refused,
  ScheduleCaptureCommand,
} from './command.ts'
import { answeredBySource, type Continuation, isStillAtBank, type Tried } from './customer-action.ts'
import { type Decision, decide, decideContinuation, NO_CHANGE, PENDING, refuse, VOIDED } from './decision.ts'
import type { ErrorCode } from './errors.ts'
import {
  type AttemptInFlight,
  capturesInFlight,
  exclusiveAttempt,
  isCaptureDue,
  isUnpaid,
  type Payment,
  reservedMinor,
} from './payment.ts'
import type { TransactionStatus } from './transaction.ts'

/** What an invoice, and the last try to pay it, say about a call. */
export interface InvoiceTerms {
  currency: string
  amountMinor: number
  /** The invoice verifies a card and takes no money. */
  verification: boolean
  incremental: boolean
  /** The invoice accepts a non-incremental authorization where the gateway offers no other. */
  bypassIncrementalAuthorization: boolean
  /** Epoch ms; null if the merchant has scheduled no capture. */
  autoCaptureAt: number | null
  /** Only the server of the merchant captures. */
  requireBackendCapture: boolean
  /** `web`, `ios` or `android`. */
  deviceChannel: string
  hasReturnUrl: boolean
  /** The source of the last try and what its customer was asked for; null before the first. */
  tried: Tried | null
}

/** What a call means, and whether that may be done. Null where the answer needs no command. */
export interface DecidedCall {
  command: AuthorizeCommand | CaptureCommand | ScheduleCaptureCommand | null
  decision: Decision
}

/** The facts that a call is judged by. */
interface Case {
  call: PayCommand
  payment: Payment
  invoice: InvoiceTerms
  /** The payment's time, in epoch ms. */
  at: number
}

/**
 * Says what a call of `authorize`, `capture` or `three-d-s` means, and whether it may be done. The payment is read under its
 * lock, so that no other request lies between the meaning and its execution.
 */
export function decidePay(call: PayCommand, payment: Payment, invoice: InvoiceTerms, at: number): DecidedCall {
  const about: Case = { call, payment, invoice, at }
  if (call.continues !== undefined) return goOn(about, call.continues)
  if (invoice.verification && call.autoCaptureAt !== null)
    return refused(invalid('auto_capture_at', 'must be left out: a verification takes no money', INVALID_DATE))
  const wanted = wantedBy(about)
  if (call.actor !== 'client') return decideWanted(about, wanted)
  const allowed = allowedToClient(about, call.client ?? NO_RIGHTS, wanted)
  if (allowed === 'the state') return { command: authorizationFor(about), decision: decideRepeat(payment, null) }
  return typeof allowed === 'string' ? decideWanted(about, allowed) : refused(allowed)
}

/**
 * An authorization under way keeps its own terms, whoever brings the answer of the customer. While the customer is at the
 * bank, the caller is told the same action again.
 */
function goOn({ call, payment, invoice, at }: Case, continues: Continuation): DecidedCall {
  const command = { ...authorizationUnderWay(call, payment, invoice, { goesOn: true, at }), continues }
  return { command, decision: isStillAtBank(continues, invoice.tried, at) ? NO_CHANGE : decideContinuation(payment) }
}

const NO_RIGHTS: ClientRights = { mayCapture: false, mayChooseAmounts: false }

type Wanted = 'authorization' | 'capture' | 'schedule'

function decideWanted(about: Case, wanted: Wanted): DecidedCall {
  switch (wanted) {
    case 'authorization':
      return decideAuthorization(about)
    case 'capture':
      return decideCaptureCall(about)
    case 'schedule':
      return decideSchedule(about)
  }
}

/** What the call asks for, by the state of the payment. */
function wantedBy(about: Case): Wanted {
  const { call, payment } = about
  const { status } = payment
  // The same call again, while the outcome of the first is open.
  const repeatsTheFirst = call.source !== null && (status === 'waiting' || status === 'pending')
  if (isUnpaid(status) || repeatsTheFirst) return 'authorization'
  if (call.call === 'capture' ? captureSchedules(about) : authorizeSchedules(about)) return 'schedule'
  // A call that only authorizes must not take what a partial capture has left.
  const leavesTheRest = call.authorizeOnly === true && reservedMinor(payment) > 0
  const repeatsCapture = call.call === 'capture' && !isBeforeCapture(status) && !leavesTheRest
  return capturesAtOnce(about) || repeatsCapture ? 'capture' : 'authorization'
}

/** The statuses in which a capture may be scheduled, now or after the attempt under way. */
const BEFORE_THE_CAPTURE: readonly (TransactionStatus | null)[] = [
  'waiting',
  'pending',
  'authorized',
  'pending-capture',
]

function isBeforeCapture(status: TransactionStatus | null): boolean {
  return BEFORE_THE_CAPTURE.includes(status)
}

/** True where `capture` schedules a capture, or moves or drops the scheduled one, instead of capturing at once. */
function captureSchedules({ call, payment }: Case): boolean {
  const { source, autoCaptureAt } = call
  const drops = dropsSchedule(call)
  if (isBeforeCapture(payment.status)) return autoCaptureAt !== null || drops
  // A capture that has left a rest has left the schedule, too. It would take the rest although the merchant drops it.
  if (autoCaptureAt === null) return drops && !asksForFurtherCapture(call) && reservedMinor(payment) > 0
  // The first call again, with its source, changes nothing after a capture.
  return asksForFurtherCapture(call) || (source === null && reservedMinor(payment) > 0)
}

/** An amount or a kind of capture asks for a further capture: at the instant, or at once where there is none. */
function asksForFurtherCapture({ amountMinor, captureType }: PayCommand): boolean {
  return amountMinor !== null || captureType !== null
}

/**
 * True for an explicit null, which cancels a scheduled capture; capturing at once would be the opposite. An amount beside
 * the null shows that the merchant wants the money now. The schedule itself must not count: a step that is run again after
 * a crash finds it dropped, and would capture.
 */
function dropsSchedule({ amountMinor, cancelsAutoCapture }: PayCommand): boolean {
  return cancelsAutoCapture === true && amountMinor === null
}

/**
 * True where `authorize` reschedules the capture of an existing payment, as `capture` does. A repetition of the call that
 * brought the source reschedules nothing.
 */
function authorizeSchedules({ call, payment, invoice }: Case): boolean {
  if (call.autoCaptureAt === null) return false
  return call.source === null || (isBeforeCapture(payment.status) && invoice.autoCaptureAt === null)
}

/**
 * True where the call takes the money now: `authorize` with `authorize_only` false, `capture` without it. A capture date in
 * the call, or in an invoice that the call pays first, means later. A date of the invoice that has passed before the
 * authorization means now.
 */
function capturesAtOnce({ call, payment, invoice, at }: Case): boolean {
  if (invoice.verification) return false
  if (isUnpaid(payment.status) && isCaptureDue(invoice, at)) return true
  if (call.call === 'three-d-s') return false
  const isWanted = call.call === 'authorize' ? call.authorizeOnly === false : call.authorizeOnly !== true
  const invoiceSchedules = invoice.autoCaptureAt !== null && (call.call === 'authorize' || call.source !== null)
  return isWanted && call.autoCaptureAt === null && !invoiceSchedules
}

/** An authorization, with the capture that follows where the call is a sale; or the answer to a repetition. */
function decideAuthorization(about: Case): DecidedCall {
  const { call, payment, invoice, at } = about
  const command = authorizationFor(about)
  if (!isUnpaid(payment.status)) return decideRepeatedCall(about, command)
  if (call.currency !== invoice.currency) return { command, decision: refuse(INVALID_STATE, CHANGED) }
  const impossible = impossibleOption(about, command)
  if (impossible !== null) return { command, decision: { kind: 'answer', answer: impossible } }
  return { command, decision: decide(payment, command, at) }
}

/** The call that has begun the payment, again. It goes on where it answers what the customer was asked for. */
function decideRepeatedCall(about: Case, command: AuthorizeCommand): DecidedCall {
  const { call, payment, invoice } = about
  const refusal = contradiction(about)
  const continues = refusal === null ? answeredBySource(call.source, invoice.tried) : null
  return continues === null ? { command, decision: decideRepeat(payment, refusal) } : goOn(about, continues)
}

function authorizationFor(about: Case): AuthorizeCommand {
  const { call, invoice, at } = about
  const isSale = capturesAtOnce(about)
  const autoCaptureAt = isSale ? at : scheduledFor(about)
  return {
    ...optionsOf(call),
    kind: 'authorize',
    mayFallBackToSale: call.mayFallBackToSale && !invoice.verification,
    incremental: call.incremental ?? invoice.incremental,
    capturesAtOnce: isSale,
    autoCaptureAt,
    // Lines chosen with the authorization apply to a later capture, with a date for it or without.
    autoCaptureAmountMinor: autoCaptureAt !== null || call.detailIds !== null ? call.amountMinor : null,
    autoCaptureDetailIds: call.detailIds,
    autoCaptureIsFinal: !isSale || call.captureType !== 'non-final',
  }
}

/** The instant of the capture; that of the invoice takes priority. A verification takes no money. */
function scheduledFor({ call, invoice }: Case): number | null {
  return invoice.verification ? null : (invoice.autoCaptureAt ?? call.autoCaptureAt)
}

/**
 * The authorization that is under way for a call, with the capture that the record has kept for it.
 *
 * @param goesOn the call brings the answer of the customer, and so no options.
 */
export function authorizationUnderWay(
  call: PayCommand,
  payment: Payment,
  invoice: Pick<InvoiceTerms, 'verification' | 'incremental'>,
  { goesOn, at }: { goesOn: boolean; at: number },
): AuthorizeCommand {
  const { autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds, autoCaptureIsFinal } = payment
  return {
    ...optionsOf(goesOn ? withoutOptions(call) : call),
    kind: 'authorize',
    mayFallBackToSale: call.mayFallBackToSale && !goesOn && !invoice.verification,
    incremental: goesOn ? payment.incremental : (call.incremental ?? invoice.incremental),
    capturesAtOnce: isCaptureDue(payment, at),
    autoCaptureAt,
    autoCaptureAmountMinor,
    autoCaptureDetailIds,
    autoCaptureIsFinal,
  }
}

function withoutOptions({ overrideMacBlocking: _, newSourceOnly: __, ...call }: PayCommand): PayCommand {
  return { ...call, source: null, saveSource: false, preferredScheme: null, initialSchemeTransactionId: null }
}

/**
 * The capture that a sale goes on to. It takes what the record says, and no more than was approved: an accepted partial
 * approval is less than was asked for.
 */
export function captureOfSale(call: PayCommand, payment: Payment): CaptureCommand {
  const { autoCaptureAmountMinor: wanted, autoCaptureDetailIds, autoCaptureIsFinal } = payment
  const remaining = reservedMinor(payment)
  const isCovered = wanted === null || wanted <= remaining
  return {
    ...baseOf(call),
    operationId: call.captureOperationId,
    kind: 'capture',
    amountMinor: isCovered ? wanted : remaining,
    detailIds: isCovered ? autoCaptureDetailIds : null,
    isFinal: autoCaptureIsFinal,
  }
}

/** Options that would fail later and leave money reserved. */
function impossibleOption(about: Case, { autoCaptureAt, capturesAtOnce: isSale }: AuthorizeCommand): Refused | null {
  const { call, invoice } = about
  if (call.source === null) return invalid('source', 'is missing', 'request.validation.missing-source')
  if (call.amountMinor !== null) {
    const name = call.detailIds === null ? 'capture_amount' : 'invoice_detail_ids'
    if (call.amountMinor > invoice.amountMinor)
      return invalid(name, 'is more than the amount of the invoice', 'request.validation.invalid-amount')
    if (autoCaptureAt === null && call.detailIds === null) {
      const message = 'applies only together with auto_capture_at, or where the payment is captured at once'
      return invalid(name, message, 'request.validation.invalid-amount')
    }
  }
  return (isSale ? null : leftRest(call)) ?? impossibleInstant(about)
}

/** A later capture is final and releases the rest, which this merchant wants to keep. */
function leftRest({ captureType }: PayCommand): Refused | null {
  if (captureType !== 'non-final') return null
  const message = 'must be final, or left out, where nothing is captured at once'
  return invalid('capture_type', message, 'service.not-supported')
}

/**
 * The date of an invoice was valid when the invoice was made. If it has passed, the capture is due at once, unless the call
 * asks for a later one.
 */
function impossibleInstant(about: Case): Refused | null {
  const { call, invoice, at } = about
  const instant = scheduledFor(about)
  if (instant === null) return null
  const passed = passedInstant(call, at)
  if (passed !== null) return passed
  if (isCaptureDue(invoice, at) && call.autoCaptureAt !== null) {
    const message = 'of the invoice has passed and takes priority: leave yours out, or give the invoice another'
    return invalid('auto_capture_at', message, INVALID_DATE)
  }
  if (instant <= at + AUTHORIZATION_VALIDITY_MS) return null
  const message = 'of the invoice lies later than an authorization lasts, which is 7 days'
  return invalid('auto_capture_at', message, INVALID_DATE)
}

/** It lay ahead when the request was read, or the customer was authenticating then, and the call would have been a repetition. */
function passedInstant({ autoCaptureAt }: PayCommand, at: number): Refused | null {
  return autoCaptureAt !== null && autoCaptureAt < at
    ? invalid('auto_capture_at', 'lies in the past', INVALID_DATE)
    : null
}

/** The answer to a call for what the payment has already; a voided one must not read like a success. */
function decideRepeat(payment: Payment, contradicted: Refused | null): Decision {
  if (exclusiveAttempt(payment) === null && payment.status === 'voided') return refuse(INVALID_STATE, VOIDED)
  return contradicted === null ? NO_CHANGE : { kind: 'answer', answer: contradicted }
}

/**
 * Why a call for an existing payment is refused; null if it may be answered with the payment's state. It must not be answered
 * as if other terms than those of the payment applied.
 */
function contradiction(about: Case): Refused | null {
  const { call, payment, invoice } = about
  const { status } = payment
  const isAnsweredByState = call.source !== null && !isUnpaid(status) && !isBeforeCapture(status)
  const attempt = authorizationInFlight(payment)
  const otherEnd = attempt && contradictionOfSale(about, attempt)
  if (otherEnd !== null) return otherEnd
  const saysWhatIsCaptured = (attempt !== null || !capturesAtOnce(about)) && !isAnsweredByState
  return contradictionOf(payment, {
    incremental: becomesIncremental(call, invoice),
    autoCaptureAt: saysWhatIsCaptured && invoice.autoCaptureAt === null ? call.autoCaptureAt : null,
    detailIds: saysWhatIsCaptured ? call.detailIds : null,
    amountMinor: saysWhatIsCaptured && call.detailIds === null ? call.amountMinor : null,
  })
}

/**
 * A sale in place of the authorization under way, or the reverse. Answered with the state, the money would not be taken
 * although the call says so, or be taken although it says not.
 */
function contradictionOfSale(about: Case, attempt: AttemptInFlight): Refused | null {
  const { call, payment, invoice, at } = about
  // The worker that began the attempt may be ahead of this clock.
  const isSale = attempt.isSale || isCaptureDue(payment, Math.max(at, attempt.begunAt))
  if (capturesAtOnce(about) && !isSale) return { kind: 'refused', code: STILL_PROCESSING, message: ONLY_AUTHORIZES }
  const namesNoInstant = call.autoCaptureAt === null && invoice.autoCaptureAt === null
  const isRefused = call.authorizeOnly === true && namesNoInstant && isSale && !attempt.isSale
  return isRefused ? { kind: 'refused', code: INVALID_STATE, message: TAKES_THE_MONEY } : null
}

function authorizationInFlight(payment: Payment): AttemptInFlight | null {
  const attempt = exclusiveAttempt(payment)
  return attempt?.type === 'authorization' ? attempt : null
}

function becomesIncremental(call: PayCommand, invoice: InvoiceTerms): boolean {
  return call.incremental === true && !invoice.bypassIncrementalAuthorization
}

function decideCaptureCall({ call, payment, at }: Case): DecidedCall {
  const { amountMinor, detailIds } = call
  const isFinal = call.captureType !== 'non-final'
  const command: CaptureCommand = { ...baseOf(call), kind: 'capture', amountMinor, detailIds, isFinal }
  if (!asksForFurtherCapture(call) && exclusiveAttempt(payment) === null) {
    // Not `unchanged`, which would read as a finished capture while the status may still be `authorized`.
    if (capturesInFlight(payment).length > 0) return { command, decision: PENDING }
    if (payment.capturedMinor > 0 && payment.status !== 'voided') return { command, decision: NO_CHANGE }
  }
  return { command, decision: inItsCurrency(call, payment, decide(payment, command, at)) }
}

/** An amount that was read in the currency of an earlier try must not be taken in another one. */
function inItsCurrency({ amountMinor, currency }: PayCommand, payment: Payment, decision: Decision): Decision {
  const isOther = amountMinor !== null && currency !== payment.currency && decision.kind === 'proceed'
  return isOther ? refuse(INVALID_STATE, CHANGED) : decision
}

function decideSchedule({ call, payment, invoice, at }: Case): DecidedCall {
  const command: ScheduleCaptureCommand = {
    ...baseOf(call),
    kind: 'schedule-capture',
    autoCaptureAt: call.autoCaptureAt,
    autoCaptureAmountMinor: call.amountMinor,
    autoCaptureDetailIds: call.detailIds,
  }
  const kept = leftRest(call)
  if (kept !== null) return refused(kept)
  // It must not read as if the payment had become incremental, too.
  if (call.call !== 'capture' && becomesIncremental(call, invoice) && !payment.incremental)
    return refused({ kind: 'refused', ...NOT_INCREMENTAL })
  const decision = inItsCurrency(call, payment, decide(payment, command, at))
  const passed = call.autoCaptureAt === payment.autoCaptureAt ? null : passedInstant(call, at)
  return decision.kind === 'proceed' && passed !== null ? refused(passed) : { command, decision }
}

/** A client's option that says how much is captured. */
const CHOOSES_AMOUNT = 'can be set with a secret key only, unless the project has allows_client_amounts'

/**
 * What a client's call may be: it starts a payment, but leaves an existing authorization to the merchant, unless the project
 * allows more. `the state` answers the same call again.
 */
function allowedToClient(
  about: Case,
  { mayCapture, mayChooseAmounts }: ClientRights,
  wanted: Wanted,
): Wanted | 'the state' | Refused {
  const { call, payment, invoice, at } = about
  const tooMuch = mayChooseAmounts ? null : amountOption(call)
  const amount = tooMuch === null ? null : invalid(tooMuch, CHOOSES_AMOUNT)
  if (wanted !== 'authorization' && mayCapture && !invoice.requireBackendCapture) return amount ?? wanted
  // The call with source and date again. As an authorization it changes nothing.
  const repeatsSchedule = wanted === 'schedule' && call.call === 'authorize' && call.source !== null
  if (wanted === 'authorization' || repeatsSchedule) {
    const option = captureByClient(authorizationFor(about), {
      requireBackendCapture: invoice.requireBackendCapture,
      isScheduled: invoice.autoCaptureAt !== null,
    })
    return noWayBack(invoice) ?? (option === null ? null : leftToMerchant(option)) ?? amount ?? 'authorization'
  }
  // A sale whose capture is due is between its two steps. The clock of the worker that authorized it may be ahead of ours.
  const by = Math.max(at, (payment.authorizationExpiresAt ?? 0) - payment.authorizationValidityMs)
  const isTaken = payment.status !== 'authorized' || capturesInFlight(payment).length > 0 || isCaptureDue(payment, by)
  if (call.source !== null && isTaken) return 'the state'
  const message = 'Capturing an authorization, or scheduling its capture, needs a secret key.'
  return { kind: 'refused', code: 'request.authentication.invalid', message }
}

/** A bank without a native way would leave the customer of an app in the browser. */
function noWayBack({ deviceChannel, hasReturnUrl }: InvoiceTerms): Refused | null {
  if (deviceChannel === 'web' || hasReturnUrl) return null
  const message = `The invoice is for an app on ${deviceChannel} and has no return_url for the way back from a browser session.`
  return { kind: 'refused', code: 'request.validation.invalid-url', message }
}

function leftToMerchant(name: CaptureOption): Refused {
  const message =
    name === 'authorize_only'
      ? 'must be true: this invoice only allows a capture from the server of the merchant'
      : 'would affect the capture, which this invoice only allows from the server of the merchant'
  return invalid(name, message, INVALID_STATE)
}

const STILL_PROCESSING = 'request.still-processing'
const ONLY_AUTHORIZES =
  'The authorization under way takes no money, and has no outcome yet. Capture it once the payment is authorized.'
const TAKES_THE_MONEY =
  'The payment under way takes the money with its authorization. Leave authorize_only out, or void it.'
const CHANGED = 'The invoice was changed in the meantime. Try again.'
const INVALID_STATE = 'request.validation.invalid-state'

const INVALID_DATE = 'request.validation.invalid-date'

/** The refusal of a field. @param message what is wrong with it, after its name */
function invalid(name: string, message: string, code: ErrorCode = 'request.validation.error'): Refused {
  return { kind: 'refused', code, message: `${name} ${message}.`, field: { name, message } }
}

function refused(answer: Refused): DecidedCall {
  return { command: null, decision: { kind: 'answer', answer } }
}

function baseOf({ operationId, actor, personId, deadline, idempotency }: PayCommand) {
  return { operationId, actor, ...(personId !== undefined && { personId }), deadline, idempotency }
}

/** The options of a call that its authorization takes as they are. */
function optionsOf(call: PayCommand) {
  return {
    ...baseOf(call),
    currency: call.currency,
    source: call.source,
    preferredScheme: call.preferredScheme,
    initialSchemeTransactionId: call.initialSchemeTransactionId,
    mayFallBackToSale: call.mayFallBackToSale,
    saveSource: call.saveSource,
    ...(call.handlesActions && { handlesActions: true as const }),
    ...(call.call === 'three-d-s' && { isForAuthentication: true as const }),
    ...(call.hasExternalAuthentication && { hasExternalAuthentication: true as const }),
    ...(call.overrideMacBlocking && { overrideMacBlocking: true as const }),
    ...(call.newSourceOnly && { newSourceOnly: true as const }),
  }
}
