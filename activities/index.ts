import type {
  AuthorizeCommand,
  CaptureCommand,
  IncrementCommand,
  RefundCommand,
  ReleaseCommand,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../domain/command.ts'
import type { PaymentReference } from '../workflows/inputs.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { withTellableErrors } from './failures.ts'
import type { Asks } from './gateway-calls/ask-gateway.ts'
import { askForAuthorization } from './gateway-calls/authorize.ts'
import { askForCapture } from './gateway-calls/capture.ts'
import { askForIncrement } from './gateway-calls/increment.ts'
import { askForRefund } from './gateway-calls/refund.ts'
import { askForVoid } from './gateway-calls/void.ts'
import type { StepInput } from './step.ts'
import { type ApplyNoticesInput, applyNotices } from './steps/apply-notices.ts'
import { loadPayment } from './steps/load-payment.ts'
import { type LookUpInput, lookUp } from './steps/look-up.ts'
import { type ResolveAttemptInput, resolveAttempt } from './steps/resolve-attempt.ts'
import { runStep } from './steps/run-step.ts'
import { scheduleCapture } from './steps/schedule-capture.ts'
import { type TellExpiryInput, tellExpiry } from './steps/tell-expiry.ts'

/** What a payment workflow can do: one verb each, named as support staff read them in a history. */
export function createPaymentActivities(deps: PaymentActivityDeps) {
  const asks: Asks = {
    authorization: askForAuthorization(deps),
    capture: askForCapture,
    increment_authorization: askForIncrement,
    void: askForVoid,
    refund: askForRefund,
  }
  return withTellableErrors({
    authorize: (input: StepInput<AuthorizeCommand>) => runStep(deps, input, asks),
    capture: (input: StepInput<CaptureCommand>) => runStep(deps, input, asks),
    incrementAuthorization: (input: StepInput<IncrementCommand>) => runStep(deps, input, asks),
    voidAuthorization: (input: StepInput<VoidCommand>) => runStep(deps, input, asks),
    refund: (input: StepInput<RefundCommand>) => runStep(deps, input, asks),
    releaseOrphan: (input: StepInput<ReleaseCommand>) => runStep(deps, input, asks),
    scheduleCapture: (input: StepInput<ScheduleCaptureCommand>) => scheduleCapture(deps, input),
    lookUp: (input: LookUpInput) => lookUp(deps, input, asks),
    applyNotices: (input: ApplyNoticesInput) => applyNotices(deps, input),
    resolveAttempt: (input: ResolveAttemptInput) => resolveAttempt(deps, input),
    tellExpiry: (input: TellExpiryInput) => tellExpiry(deps, input),
    loadPayment: (payment: PaymentReference) => loadPayment(deps, payment),
  })
}

export type PaymentActivities = ReturnType<typeof createPaymentActivities>

export type { StepInput, StepResult, StoredPayment } from './step.ts'
export { createWebhookActivities, type WebhookActivities } from './webhooks.ts'
