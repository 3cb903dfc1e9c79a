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
import { notAhead, onlyIfAsked, requireSigned } from './authenticity.ts'
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
import type { GatewayCommand } from './steps/begin-attempt.ts'
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
  const run = (input: StepInput<GatewayCommand>) => runStep(deps, input, asks)
  return withTellableErrors({
    authorize: onlyIfAsked<AuthorizeCommand>(deps, 'authorize', run),
    capture: onlyIfAsked<CaptureCommand>(deps, 'capture', run),
    incrementAuthorization: onlyIfAsked<IncrementCommand>(deps, 'increment', run),
    voidAuthorization: onlyIfAsked<VoidCommand>(deps, 'void', run),
    refund: onlyIfAsked<RefundCommand>(deps, 'refund', run),
    releaseOrphan: onlyIfAsked<ReleaseCommand>(deps, 'release', run),
    scheduleCapture: onlyIfAsked<ScheduleCaptureCommand>(deps, 'schedule-capture', (input) =>
      scheduleCapture(deps, input),
    ),
    lookUp: (input: LookUpInput) => lookUp(deps, notAhead(deps, input), asks),
    applyNotices: (input: ApplyNoticesInput) => applyNotices(deps, notAhead(deps, input)),
    resolveAttempt: async (input: ResolveAttemptInput) => {
      requireSigned(deps, input)
      return resolveAttempt(deps, notAhead(deps, input))
    },
    tellExpiry: (input: TellExpiryInput) => tellExpiry(deps, notAhead(deps, input)),
    loadPayment: (payment: PaymentReference) => loadPayment(deps, payment),
  })
}

export type PaymentActivities = ReturnType<typeof createPaymentActivities>

export type { StepInput, StepResult, StoredPayment } from './step.ts'
export { createWebhookActivities, type WebhookActivities } from './webhooks.ts'
