import type { AuthorizeCommand, CaptureCommand, ScheduleCaptureCommand } from '../../../domain/command.ts'
import { makeIdentifier, type RandomBytes } from '../../../domain/identifiers.ts'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/payment.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import { invalidInput } from '../schemas/input.ts'
import type { PaymentRequest } from './payment-request.ts'

/**
 * How late a command may still begin: twice the 30 s for which its caller waits. Later nobody expects the money to move
 * any more.
 */
const COMMAND_VALIDITY_MS = 60_000

/** In these a payment can still be captured, now or as soon as a step under way has ended. */
const OPEN: readonly TransactionStatus[] = ['waiting', 'pending', 'authorized', 'pending-capture']

/** What every command of a merchant carries. */
export function commandBase(randomBytes: RandomBytes, now: Date) {
  return {
    operationId: makeIdentifier('operation', randomBytes),
    actor: 'merchant' as const,
    deadline: now.getTime() + COMMAND_VALIDITY_MS,
  }
}

type Planned = AuthorizeCommand | CaptureCommand | ScheduleCaptureCommand

/**
 * Which command a call of `authorize` or `capture` means, given where the payment stood a moment ago. Whether it may
 * run is decided by the payment itself; repeated calls therefore come out as commands that change nothing.
 *
 * @throws ApiError for options that fit neither the payment nor each other.
 */
export function planCommand(request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { verb, options, transaction } = request
  const { source, autoCaptureAt, captureAmountMinor } = options
  const status = transaction?.status ?? null
  const isOpen = status !== null && OPEN.includes(status)
  // The same call again, while the outcome of the first is open.
  const repeatsTheFirst = source !== null && (status === 'waiting' || status === 'pending')

  if (status === null || status === 'failed' || repeatsTheFirst) return planAuthorization(request, randomBytes, now)
  const base = commandBase(randomBytes, now)
  if (verb === 'capture' && isOpen && (autoCaptureAt !== null || dropsSchedule(request))) {
    const at = autoCaptureAt?.getTime() ?? null
    return { ...base, kind: 'schedule-capture', autoCaptureAt: at, autoCaptureAmountMinor: captureAmountMinor }
  }
  if (capturesAtOnce(request) || (verb === 'capture' && !isOpen)) {
    return { ...base, kind: 'capture', amountMinor: captureAmountMinor }
  }
  return planAuthorization(request, randomBytes, now)
}

/**
 * True where the call wants money now: `authorize` with `authorize_only` false, `capture` without it. With an instant
 * for the capture nothing is captured at once; that of the invoice counts for the call that brings the source.
 */
export function capturesAtOnce({ verb, options, invoice }: PaymentRequest): boolean {
  const isWanted = verb === 'authorize' ? options.authorizeOnly === false : options.authorizeOnly !== true
  const invoiceSchedules = invoice.autoCaptureAt != null && (verb === 'authorize' || options.source !== null)
  return isWanted && options.autoCaptureAt === null && !invoiceSchedules
}

function planAuthorization(request: PaymentRequest, randomBytes: RandomBytes, now: Date): AuthorizeCommand {
  const { options, invoice, transaction } = request
  const { source, captureAmountMinor } = options
  const base = commandBase(randomBytes, now)
  const isFirst = transaction === null || transaction.status === 'failed'
  const autoCaptureAt = invoice.autoCaptureAt ?? options.autoCaptureAt
  if (isFirst) refuseImpossible(request, autoCaptureAt, now)
  return {
    ...base,
    kind: 'authorize',
    source,
    preferredScheme: options.preferredScheme,
    initialSchemeTransactionId: options.initialSchemeTransactionId,
    incremental: options.incremental ?? invoice.incremental,
    autoCaptureAt: autoCaptureAt?.getTime() ?? null,
    autoCaptureAmountMinor: autoCaptureAt === null ? null : captureAmountMinor,
    capture: capturesAtOnce(request)
      ? { ...commandBase(randomBytes, now), kind: 'capture', amountMinor: captureAmountMinor }
      : null,
  }
}

/** What would leave money reserved and the merchant with an error is refused before anything begins. */
function refuseImpossible(request: PaymentRequest, autoCaptureAt: Date | null, now: Date): void {
  const { options, invoice } = request
  const { source, captureAmountMinor } = options
  if (source === null) {
    throw invalidInput([{ name: 'source', message: 'is missing', code: 'request.validation.missing-source' }])
  }
  if (captureAmountMinor !== null) {
    const wrong = (message: string) =>
      invalidInput([{ name: 'capture_amount', message, code: 'request.validation.invalid-amount' }])
    if (captureAmountMinor > invoice.amountMinor) throw wrong('is more than the amount of the invoice')
    if (autoCaptureAt === null && !capturesAtOnce(request)) {
      throw wrong('applies only together with auto_capture_at, or where the payment is captured at once')
    }
  }
  if (autoCaptureAt !== null) refuseInstant(autoCaptureAt, now)
}

/** The options were judged already; the instant of the invoice was right when the invoice was made. */
function refuseInstant(autoCaptureAt: Date, now: Date): void {
  const wrong = (message: string) =>
    invalidInput([{ name: 'auto_capture_at', message, code: 'request.validation.invalid-date' }])
  if (autoCaptureAt <= now) throw wrong('of the invoice lies in the past')
  if (autoCaptureAt.getTime() > now.getTime() + AUTHORIZATION_VALIDITY_MS) {
    throw wrong('of the invoice lies later than an authorization lasts, which is 7 days')
  }
}

/**
 * True for an explicit null where a capture is scheduled: it asks for that capture to be dropped, and to capture at once
 * instead would be the opposite. An amount beside the null says that money is wanted now.
 */
function dropsSchedule({ options, transaction }: PaymentRequest): boolean {
  return options.cancelsAutoCapture && options.captureAmountMinor === null && transaction?.autoCaptureAt != null
}
