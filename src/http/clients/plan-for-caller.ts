import { amountOption, type CaptureOption, captureByClient } from '../../../domain/client-capture.ts'
import type { AuthorizeCommand } from '../../../domain/command.ts'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import { ApiError } from '../api-error.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { type PaymentRequest, type Planned, planAuthorization, planCommand } from '../payments/plan.ts'
import { invalidField, invalidInput } from '../schemas/fields/input.ts'
import { mayCaptureExisting, needsSecretKey, ofMerchant } from './merchant-only.ts'

/**
 * Plans a call of `authorize` or `capture` within the rights of its caller: a client may start a payment, but leaves an
 * existing authorization to the merchant, unless the project allows more. It is decided on rows read before the lock. If
 * another request is faster, the client sends an authorization that changes nothing.
 *
 * @throws ApiError 401 where a client captures an existing authorization or schedules its capture; 400 for a capture that
 * the invoice leaves to the merchant, an amount that the client may not choose, or an app that has no way back.
 */
export function planForCaller(ctx: ApiContext, request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { actor, invoice } = request
  const planned = planCommand(request, randomBytes, now)
  // An authorization under way keeps its own terms, whoever brings the answer of the customer.
  if (actor === 'merchant' || request.continues !== null) return planned
  if (planned.kind === 'authorize') return authorizationOfClient(ctx, planned, request)
  if (mayCaptureExisting(ctx) && !invoice.requireBackendCapture) {
    refuseAmount(ctx, request)
    return planned
  }
  if (repeatsSchedule(request, planned))
    return authorizationOfClient(ctx, planAuthorization(request, randomBytes, now), request)
  if (repeatsPayment(request)) {
    const { named: _, ...authorization } = planAuthorization(request, randomBytes, now)
    return { ...authorization, capture: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null }
  }
  throw needsSecretKey('Capturing what is authorized, or scheduling that,')
}

function authorizationOfClient(ctx: ApiContext, command: AuthorizeCommand, request: PaymentRequest): AuthorizeCommand {
  const { invoice } = request
  if (invoice.deviceChannel !== 'web' && invoice.returnUrl == null) throw noWayBack(invoice.deviceChannel)
  const option = captureByClient(command, { ...invoice, isScheduled: invoice.autoCaptureAt != null })
  if (option !== null) throw leftToMerchant(option)
  refuseAmount(ctx, request)
  return command
}

/** The merchant decides how much of an invoice is captured, unless the project leaves it to clients. */
function refuseAmount(ctx: ApiContext, { options: { selection } }: PaymentRequest): void {
  const option = callerOf(ctx).allowsClientAmounts ? null : amountOption(selection)
  if (option !== null) throw invalidInput([ofMerchant(option)])
}

/** The same sale again, after its capture has begun: the answer is the payment's state. */
function repeatsPayment({ options, transaction }: PaymentRequest): boolean {
  const isCaptured = transaction?.status !== 'authorized' || transaction.capturingMinor > 0
  return options.source !== null && isCaptured
}

/** The call with source and date again. As an authorization it changes nothing. */
function repeatsSchedule({ verb, options }: PaymentRequest, { kind }: Planned): boolean {
  return verb === 'authorize' && kind === 'schedule-capture' && options.source !== null
}

/** A bank without a native way would leave the customer of an app in the browser. */
function noWayBack(channel: string): ApiError {
  const message = `The invoice is for an app on ${channel} and has no return_url, by which a browser session leads back to it.`
  return new ApiError('request.validation.invalid-url', message)
}

function leftToMerchant(name: CaptureOption) {
  const message =
    name === 'authorize_only'
      ? 'has to be sent as true: the invoice requires that its capture comes from the server of the merchant'
      : 'would decide of the capture, and the invoice requires that its capture comes from the server of the merchant'
  return invalidField(name, message, 'request.validation.invalid-state')
}
