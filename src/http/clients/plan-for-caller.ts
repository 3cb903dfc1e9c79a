import { amountOption, type CaptureOption, captureByClient } from '../../../domain/client-capture.ts'
import type { RandomBytes } from '../../../domain/identifiers.ts'
import { type ApiContext, callerOf } from '../context.ts'
import type { PaymentRequest } from '../payments/payment-request.ts'
import { type Planned, planAuthorization, planCommand } from '../payments/plan.ts'
import { invalidInput } from '../schemas/fields/input.ts'
import { ofMerchant } from './merchant-fields.ts'
import { mayCaptureExisting, needsSecretKey } from './needs-secret-key.ts'

/**
 * What a call of `authorize` or `capture` means, as far as its caller may mean it: a client places a payment, and leaves
 * what is authorized to the merchant, unless the project allows more. Judged on rows that were read before the lock; a
 * client that is overtaken sends an authorization, which then changes nothing.
 *
 * @throws ApiError 401 for a capture, or a scheduled one, of what is authorized; 400 for one that the invoice leaves to
 *   the merchant, or that names how much is captured, before anything begins.
 */
export function planForCaller(ctx: ApiContext, request: PaymentRequest, randomBytes: RandomBytes, now: Date): Planned {
  const { actor, invoice } = request
  const planned = planCommand(request, randomBytes, now)
  if (actor === 'merchant') return planned
  if (planned.kind === 'authorize') {
    const option = captureByClient(planned, { ...invoice, isScheduled: invoice.autoCaptureAt != null })
    if (option !== null) throw leftToMerchant(option)
    refuseAmount(ctx, request)
    return planned
  }
  if (mayCaptureExisting(ctx) && !invoice.requireBackendCapture) {
    refuseAmount(ctx, request)
    return planned
  }
  if (repeatsPayment(request)) {
    const nothing = { capture: null, autoCaptureAmountMinor: null, autoCaptureDetailIds: null }
    return { ...planAuthorization(request, randomBytes, now), ...nothing }
  }
  throw needsSecretKey('Capturing what is authorized, or scheduling that,')
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

function leftToMerchant(name: CaptureOption) {
  const message =
    name === 'authorize_only'
      ? 'has to be sent as true: the invoice requires that its capture comes from the server of the merchant'
      : 'would decide of the capture, and the invoice requires that its capture comes from the server of the merchant'
  return invalidInput([{ name, message, code: 'request.validation.invalid-state' }])
}
