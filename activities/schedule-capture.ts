import type { CommandAnswer, ScheduleCaptureCommand } from '../domain/command.ts'
import { decide } from '../domain/decision.ts'
import { ERRORS } from '../domain/errors.ts'
import { isCapturable, type Payment } from '../domain/payment.ts'
import { lockPayment } from '../src/persistence/queries/payment-lock.ts'
import { paymentOf } from '../src/persistence/queries/payment-rows.ts'
import type { PaymentActivityDeps } from './dependencies.ts'
import { failures } from './failures.ts'
import type { StepInput, StepResult } from './step.ts'
import { isTooLate } from './too-late.ts'

/** Moves or drops the scheduled capture of an authorized payment; no gateway is asked, the workflow's timer does the rest. */
export function scheduleCapture(
  deps: PaymentActivityDeps,
  { command, asOf, payment: reference, answers }: StepInput<ScheduleCaptureCommand>,
): Promise<StepResult> {
  const { projectId, environment, invoiceId } = reference
  return deps.orm.em
    .fork()
    .transactional(async (em) => {
      const locked = await lockPayment(em, { projectId, sandbox: environment === 'sandbox', invoiceId })
      if (locked === null) throw failures.paymentNotFound(invoiceId)
      const { invoice, transaction } = locked
      const payment = paymentOf(invoice, transaction)
      const answered = (answer: CommandAnswer): StepResult => ({
        answer,
        payment,
        gatewayName: transaction?.gatewayName ?? null,
      })
      // No row tells of an earlier try, but its work does: asked for again, even late, it is done.
      if (isScheduled(payment, command)) return answered({ kind: 'done' })
      if (await isTooLate(deps, em, command)) return answered(NOT_STARTED)
      const decision = decide(payment, command, asOf)
      if (decision.kind === 'answer') return answered(decision.answer)
      if (transaction === null) throw failures.paymentNotFound(invoiceId)
      em.assign(transaction, {
        autoCaptureAt: command.autoCaptureAt === null ? null : new Date(command.autoCaptureAt),
        autoCaptureAmountMinor: command.autoCaptureAmountMinor,
        updatedAt: deps.clock.now(),
      })
      return {
        answer: { kind: 'done' } as const,
        payment: {
          ...payment,
          autoCaptureAt: command.autoCaptureAt,
          autoCaptureAmountMinor: command.autoCaptureAmountMinor,
        },
        gatewayName: transaction.gatewayName,
      }
    })
    .then((result) => {
      deps.pendingAnswers.answer(answers.operationId, result.answer)
      return result
    })
}

const NOT_STARTED: CommandAnswer = {
  kind: 'refused',
  code: 'request.not-started',
  message: ERRORS['request.not-started'].message,
}

function isScheduled(payment: Payment, { autoCaptureAt, autoCaptureAmountMinor }: ScheduleCaptureCommand): boolean {
  return (
    isCapturable(payment) &&
    payment.autoCaptureAt === autoCaptureAt &&
    payment.autoCaptureAmountMinor === autoCaptureAmountMinor
  )
}
