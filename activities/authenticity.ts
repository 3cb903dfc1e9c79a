import type { Command } from '../domain/command.ts'
import { commandText, resolutionText } from '../domain/command-signature.ts'
import { isOwnStep } from '../domain/own-step.ts'
import type { PaymentReference } from '../workflows/inputs.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { failures } from './failures.ts'
import type { StepInput, StepResult } from './payment/attempt.ts'
import { loadPayment } from './payment/load-payment.ts'
import { refusal } from './payment/refusal.ts'
import type { ResolveAttemptInput } from './payment/resolve-attempt.ts'

/**
 * Temporal is trusted for time and order, but not for who asked for money: a client with access to it can run any activity
 * with any input. A step therefore begins only with a command that the API signed for this payment, or as our own step, which
 * `beginAttempt` compares with the record under the lock of the payment.
 */

/** The largest clock difference that we expect between two machines. */
export const CLOCKS_DIFFER_MS = 60_000

/** Wraps a step so that it runs only with a signed command, or as our own step. Otherwise nothing is written or sent. */
export function onlyIfAsked<C extends Command>(
  deps: PaymentActivityDeps,
  kinds: readonly C['kind'][],
  run: (input: StepInput<C>) => Promise<StepResult>,
): (input: StepInput<C>) => Promise<StepResult> {
  return async (input) => {
    if (kinds.includes(input.command.kind) && isAsked(deps, input)) return run(notAhead(deps, input))
    const { command, payment } = input
    const facts = {
      invoice_id: payment.invoiceId,
      operation_id: command.operationId,
      actor: command.actor,
      kind: command.kind,
    }
    deps.logger.error(facts, 'A command without our signature was refused: another party writes to Temporal')
    return {
      answer: refusal('request.not-started', 'The command is not signed by this service. Nothing was done.'),
      ...(await loadPayment(deps, payment)),
    }
  }
}

/** The capture of a sale is a step of the command that the API has signed for both. */
function isAsked(
  { vault }: Pick<PaymentActivityDeps, 'vault'>,
  { payment, command, isSecondStep }: StepInput,
): boolean {
  if (isSecondStep === true && command.kind !== 'pay') return false
  if (isOwnStep(command)) return command.kind !== 'pay' && command.idempotency === null
  const { signature } = command
  return signature !== undefined && vault.isSignatureOf(commandText(payment, command), signature)
}

/** @throws ApplicationFailure if the resolution was not signed by the administration command. */
export function requireSigned(
  { vault }: Pick<PaymentActivityDeps, 'vault'>,
  { payment, resolution }: ResolveAttemptInput,
): void {
  const { signature, operationId } = resolution
  const isSigned = signature !== undefined && vault.isSignatureOf(resolutionText(payment, resolution), signature)
  if (!isSigned) throw failures.notSigned(operationId)
}

type Timed = { payment: PaymentReference; at: number; asOf?: number }

/** Limits workflow time to this machine's clock in live. In the sandbox it is accepted, because tests skip time. */
export function notAhead<Input extends Timed>({ clock }: Pick<PaymentActivityDeps, 'clock'>, input: Input): Input {
  if (input.payment.environment !== 'live') return input
  const now = clock.now().getTime()
  const { at, asOf } = input
  return { ...input, at: Math.min(at, now), ...(asOf === undefined ? {} : { asOf: Math.min(asOf, now) }) }
}

/** @throws ApplicationFailure in live, before our own step is due. Temporal retries it when it is. */
export function requireDue(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  { environment }: PaymentReference,
  dueAt: number,
): void {
  const waitMs = dueAt - clock.now().getTime()
  if (environment === 'live' && waitMs > CLOCKS_DIFFER_MS) throw failures.notDueYet(waitMs - CLOCKS_DIFFER_MS)
}
