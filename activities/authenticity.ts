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
 * Temporal is trusted to keep time and order, and not to say who asked for money: whoever reaches it can have any activity
 * run with any input. So a step begins only with a command that the API has signed for this payment, or as a step of our own,
 * which `beginAttempt` compares with the record under the lock of the payment.
 */

/** How far the clocks of two machines may be apart. */
const CLOCKS_DIFFER_MS = 60_000

/** A step that is refused where nobody who may do so has asked for it: then nothing is written, and no gateway is asked. */
export function onlyIfAsked<C extends Command>(
  deps: PaymentActivityDeps,
  kind: C['kind'],
  run: (input: StepInput<C>) => Promise<StepResult>,
): (input: StepInput<C>) => Promise<StepResult> {
  return async (input) => {
    if (input.command.kind === kind && isAsked(deps, input)) return run(notAhead(deps, input))
    const { command, payment } = input
    const facts = { invoice_id: payment.invoiceId, operation_id: command.operationId, actor: command.actor, kind }
    deps.logger.error(facts, 'A command that this service did not sign was refused: somebody else writes to Temporal')
    return {
      answer: refusal('request.not-started', 'The command is not signed by this service. Nothing was done.'),
      ...(await loadPayment(deps, payment)),
    }
  }
}

/** Whose caller is answered belongs to the command as well: nobody may be told the answer to somebody else's command. */
function isAsked({ vault }: Pick<PaymentActivityDeps, 'vault'>, { payment, command, answers }: StepInput): boolean {
  const goesOn = command.kind === 'authorize' && command.capture !== null
  if (answers.unlessSaleGoesOn !== goesOn) return false
  if (isOwnStep(command)) return command.idempotency === null && answers.operationId === command.operationId
  const { signature } = command
  return signature !== undefined && vault.isSignatureOf(commandText(payment, command, answers.operationId), signature)
}

/** @throws ApplicationFailure for what the administration command did not sign. */
export function requireSigned(
  { vault }: Pick<PaymentActivityDeps, 'vault'>,
  { payment, resolution }: ResolveAttemptInput,
): void {
  const { signature, operationId } = resolution
  const isSigned = signature !== undefined && vault.isSignatureOf(resolutionText(payment, resolution), signature)
  if (!isSigned) throw failures.notSigned(operationId)
}

type Timed = { payment: PaymentReference; at: number; asOf?: number }

/**
 * What a workflow says of the time is believed in the sandbox, where tests skip it. In live nothing is later than the clock of
 * this machine says.
 */
export function notAhead<Input extends Timed>({ clock }: Pick<PaymentActivityDeps, 'clock'>, input: Input): Input {
  if (input.payment.environment !== 'live') return input
  const now = clock.now().getTime()
  const { at, asOf } = input
  return { ...input, at: Math.min(at, now), ...(asOf === undefined ? {} : { asOf: Math.min(asOf, now) }) }
}

/** @throws ApplicationFailure in live, before the instant at which a step of our own is due. It is tried again then. */
export function requireDue(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  { environment }: PaymentReference,
  dueAt: number,
): void {
  const waitMs = dueAt - clock.now().getTime()
  if (environment === 'live' && waitMs > CLOCKS_DIFFER_MS) throw failures.notDueYet(waitMs - CLOCKS_DIFFER_MS)
}
