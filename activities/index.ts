import type {
  AuthorizeCommand,
  CaptureCommand,
  IncrementCommand,
  RefundCommand,
  ReverseOrphanCommand,
  ScheduleCaptureCommand,
  VoidCommand,
} from '../domain/command.ts'
import type { PaymentReference } from '../workflows/inputs.ts'
import { notAhead, onlyIfAsked, requireSigned } from './authenticity.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { withLoggableErrors } from './failures.ts'
import { type AnnounceExpiryInput, announceExpiry } from './payment/announce-expiry.ts'
import { type ApplyNotificationsInput, applyNotifications } from './payment/apply-notifications.ts'
import type { GatewayCommand, StepInput } from './payment/attempt.ts'
import { createAsks } from './payment/gateway-requests.ts'
import { loadPayment } from './payment/load-payment.ts'
import { type LookUpInput, lookUp } from './payment/look-up.ts'
import { type ResolveAttemptInput, resolveAttempt } from './payment/resolve-attempt.ts'
import { runCommand } from './payment/run-command.ts'
import { scheduleCapture } from './payment/schedule-capture.ts'

/** The activities of a payment workflow: one per verb, with names for support staff who read a history. */
export function createPaymentActivities(deps: PaymentActivityDeps) {
  const asks = createAsks(deps)
  const run = (input: StepInput<GatewayCommand>) => runCommand(deps, input, asks)
  return withLoggableErrors({
    authorize: onlyIfAsked<AuthorizeCommand>(deps, 'authorize', run),
    capture: onlyIfAsked<CaptureCommand>(deps, 'capture', run),
    incrementAuthorization: onlyIfAsked<IncrementCommand>(deps, 'increment', run),
    voidAuthorization: onlyIfAsked<VoidCommand>(deps, 'void', run),
    refund: onlyIfAsked<RefundCommand>(deps, 'refund', run),
    reverseOrphan: onlyIfAsked<ReverseOrphanCommand>(deps, 'reverse-orphan', run),
    scheduleCapture: onlyIfAsked<ScheduleCaptureCommand>(deps, 'schedule-capture', (input) =>
      scheduleCapture(deps, input),
    ),
    lookUp: (input: LookUpInput) => lookUp(deps, notAhead(deps, input), asks),
    applyNotifications: (input: ApplyNotificationsInput) => applyNotifications(deps, notAhead(deps, input)),
    resolveAttempt: async (input: ResolveAttemptInput) => {
      requireSigned(deps, input)
      return resolveAttempt(deps, notAhead(deps, input))
    },
    announceExpiry: (input: AnnounceExpiryInput) => announceExpiry(deps, notAhead(deps, input)),
    loadPayment: (payment: PaymentReference) => loadPayment(deps, payment),
  })
}

export type PaymentActivities = ReturnType<typeof createPaymentActivities>

export type { StepInput, StepResult, StepTime, StoredPayment } from './payment/attempt.ts'
export { createWebhookActivities, type WebhookActivities } from './webhooks.ts'
