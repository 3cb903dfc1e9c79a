import { amountOption, type CaptureOption, captureByClient } from '../../../domain/client-capture.ts'
import type { AuthorizeCommand } from '../../../domain/command.ts'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import { type ApiContext, callerOf } from '../context.ts'
import { type PaymentRequest, type Planned, planAuthorization, planCommand } from '../payments/plan.ts'
import { invalidField, invalidInput } from '../schemas/fields/input.ts'
import { mayCaptureExisting, needsSecretKey, ofMerchant } from './merchant-only.ts'

/**
 * What a call of `authorize` or `capture` means, within the rights of its caller: a client places a payment, and leaves
 * what is authorized to the merchant, unless the project allows more. It is judged on rows read before the lock; a
 * client that is overtaken sends an authorization, which then changes nothing.
 *
 * @throws ApiError 401 where a client captures, or schedules, what is authorized; 400 for a capture that the invoice
 * leaves to the merchant, or an amount that the client may not choose.
 */
export function planForCaller(ctx: ApiContext, request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { actor, invoice } = request
  const planned = planCommand(request, randomBytes, now)
  if (actor === 'merchant') return planned
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
  const option = captureByClient(command, { ...invoice, isScheduled: invoice.autoCaptureAt != null })
  if (option !== null) throw leftToMerchant(option)
  refuseAmount(ctx, request)
  return command
}

/** How much of an invoice is captured is the merchant's to say, unless the project lets its clients say it. */
function refuseAmount(ctx: ApiContext, { options: { selection } }: PaymentRequest): void {
  const option = callerOf(ctx).allowsClientAmounts ? null : amountOption(selection)
  if (option !== null) throw invalidInput([ofMerchant(option)])
}

/** The same sale again, once its capture has begun: the answer is where the payment stands. */
function repeatsPayment({ options, transaction }: PaymentRequest): boolean {
  const isCaptured = transaction?.status !== 'authorized' || transaction.capturingMinor > 0
  return options.source !== null && isCaptured
}

/** The call that brought the source and an instant, sent again. As an authorization it moves nothing. */
function repeatsSchedule({ verb, options }: PaymentRequest, { kind }: Planned): boolean {
  return verb === 'authorize' && kind === 'schedule-capture' && options.source !== null
}

function leftToMerchant(name: CaptureOption) {
  const message =
    name === 'authorize_only'
      ? 'has to be sent as true: the invoice requires that its capture comes from the server of the merchant'
      : 'would decide of the capture, and the invoice requires that its capture comes from the server of the merchant'
  return invalidField(name, message, 'request.validation.invalid-state')
}
