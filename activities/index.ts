import type {
  CaptureCommand,
  Command,
  IncrementCommand,
  PayCommand,
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
import { createAsks } from './payment/gateway-requests.ts'
import { loadPayment } from './payment/load-payment.ts'
import { type LookUpInput, lookUp } from './payment/look-up.ts'
import { type ResolveAttemptInput, resolveAttempt } from './payment/resolve-attempt.ts'
import { runCommand } from './payment/run-command.ts'

/** The activities of a payment workflow: one per verb, with names for support staff who read a history. */
export function createPaymentActivities(deps: PaymentActivityDeps) {
  const asks = createAsks(deps)
  const run = <C extends Command>(...kinds: C['kind'][]) =>
    onlyIfAsked<C>(deps, kinds, (input) => runCommand(deps, input, asks))
  return withLoggableErrors({
    // A call is named by its words; what it means is decided under the lock of the payment.
    authorize: run<PayCommand>('pay'),
    capture: run<PayCommand | CaptureCommand>('pay', 'capture'),
    scheduleCapture: run<PayCommand | ScheduleCaptureCommand>('pay', 'schedule-capture'),
    incrementAuthorization: run<IncrementCommand>('increment'),
    voidAuthorization: run<VoidCommand>('void'),
    refund: run<RefundCommand>('refund'),
    reverseOrphan: run<ReverseOrphanCommand>('reverse-orphan'),
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
