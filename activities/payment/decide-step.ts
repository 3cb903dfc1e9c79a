import { cancellationHindrance } from '../../domain/cancellation.ts'
import { answerOfResult, type CommandAnswer, type DecidedCommand } from '../../domain/command.ts'
import { type Decision, decide, goesOnToCapture, NO_CHANGE, PENDING } from '../../domain/decision.ts'
import { dueSince, isCancellation, isOwnStep } from '../../domain/own-step.ts'
import { authorizationUnderWay, captureOfSale, decidePay } from '../../domain/pay.ts'
import { capturesInFlight, type Payment } from '../../domain/payment.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { finalResultOf, lastAttemptOf } from '../../src/persistence/queries/payments/operations.ts'
import { termsOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { CLOCKS_DIFFER_MS, requireDue } from '../authenticity.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Step, StepInput } from './attempt.ts'
import { refusal } from './refusal.ts'

const NOT_DUE = 'The payment no longer waits for this action.'

/**
 * Decides a step by the record. The record says what a call means, whether a step of our own is due, and since when. The
 * capture of a sale follows the authorization of its own command only.
 */
export function decideStep(
  deps: PaymentActivityDeps,
  asked: StepInput,
  opened: OpenedPayment,
  payment: Payment,
): { step: Step; decision: Decision } | { answer: CommandAnswer } {
  const { command, at } = asked
  if (command.kind === 'pay') {
    if (asked.isSecondStep === true) {
      const authorized = earlierAttempt(opened, command.operationId)
      // Nothing is claimed for a step that no run of ours asks for.
      if (authorized === null) return { answer: { kind: 'unchanged' } }
      // Another worker has done the authorization, by its own clock.
      const by = at + CLOCKS_DIFFER_MS
      const goesOn = goesOnToCapture({ kind: 'authorize' }, authorized.answer ?? { kind: 'pending' }, payment, by)
      const capture = captureOfSale(command, payment)
      return {
        step: stepOf(asked, capture),
        decision: goesOn ? decide(payment, capture, asked.asOf) : nothingToDo(payment),
      }
    }
    const { command: meant, decision } = decidePay(
      command,
      payment,
      termsOf(opened.invoice, opened.transaction),
      asked.asOf,
    )
    if (meant !== null) return { step: stepOf(asked, meant), decision }
    if (decision.kind !== 'answer') throw new Error('A call without a meaning has an answer.')
    return { answer: decision.answer }
  }
  if (!isOwnStep(command)) return { step: stepOf(asked, command), decision: decide(payment, command, asked.asOf) }
  const asOf = dueSince(payment, command)
  if (asOf === null) {
    const hindrance = isCancellation(command) ? cancellationHindrance(payment) : null
    return { answer: refusal('request.validation.invalid-state', hindrance ?? NOT_DUE) }
  }
  requireDue(deps, asked.payment, asOf)
  return { step: { ...stepOf(asked, command), asOf }, decision: decide(payment, command, asOf) }
}

/** Of a sale whose capture another run may have on its way: not `unchanged`, which would read as a finished capture. */
function nothingToDo(payment: Payment): Decision {
  return capturesInFlight(payment).length > 0 ? PENDING : NO_CHANGE
}

/** The last attempt that an earlier try of this activity wrote for the command, and its answer, if it has one. */
export function earlierAttempt({ transaction, operations }: OpenedPayment, operationId: string) {
  const operation = lastAttemptOf(operations, operationId)
  if (transaction === null || operation === null) return null
  // An authorization that was rejected locally is its own result.
  if (!operation.isAttempt) return { operation, answer: answerOfResult(operation) }
  const result = finalResultOf(operations.filter(({ attemptOperationId }) => attemptOperationId === operation.id))
  return { operation, answer: result === null ? null : answerOfResult(result) }
}

/** The operation by which a step is found again. */
export function attemptIdOf({ command, isSecondStep: isCapture }: StepInput): string {
  return command.kind === 'pay' && isCapture === true ? command.captureOperationId : command.operationId
}

export function stepOf<C extends DecidedCommand>(
  { command: asked, isSecondStep: _, ...input }: StepInput,
  command: C,
): Step<C> {
  return { ...input, command, answersTo: asked.operationId }
}

/** What a command meant whose attempt exists, on the terms of the record. */
export function commandOfAttempt(
  asked: StepInput,
  { type, amountMinor, detailIds, isFinal }: OperationRow,
  { invoice }: OpenedPayment,
  payment: Payment,
): DecidedCommand {
  const { command, at } = asked
  if (command.kind !== 'pay') return command
  if (type !== 'capture')
    return authorizationUnderWay(command, payment, invoice, { goesOn: type === 'three_d_s_check', at })
  const isOfSale = asked.isSecondStep === true
  const capture = {
    amountMinor: isOfSale ? amountMinor : command.amountMinor,
    detailIds: detailIds ?? null,
    isFinal: isFinal !== false,
  }
  return { ...captureOfSale(command, payment), operationId: attemptIdOf(asked), ...capture }
}

/** Whether the capture of this sale has begun, so that a run that asks for the authorization again goes on to it. */
export function hasBegunCapture(
  { command, isSecondStep: isCapture }: StepInput,
  { operations }: OpenedPayment,
): boolean {
  return command.kind === 'pay' && isCapture !== true && lastAttemptOf(operations, command.captureOperationId) !== null
}
