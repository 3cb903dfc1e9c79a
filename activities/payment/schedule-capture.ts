import { blockReasonOf } from '../../domain/block-reason.ts'
import type { CommandAnswer, ScheduleCaptureCommand } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import { hasSchedule, moveSchedule, type Payment } from '../../domain/payment.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { onPaymentClock, operationIdsOf, type StepInput, type StepResult } from './attempt.ts'
import { claimAnswer, keepAnswer } from './idempotency.ts'
import { openForChange } from './open-for-change.ts'
import { findDetails } from './records/details.ts'
import { refusal } from './refusal.ts'
import { withdrawWhileLocked } from './withdraw-while-locked.ts'

/** Moves or drops the scheduled capture of an authorized payment. The workflow's timer follows; no gateway call is needed. */
export async function scheduleCapture(
  deps: PaymentActivityDeps,
  input: StepInput<ScheduleCaptureCommand>,
): Promise<StepResult> {
  const result = await transact(deps.orm, (unit) => scheduleInTransaction(deps, unit, input)).then(
    (scheduled) => scheduled.result,
    async (error: unknown): Promise<StepResult> => {
      const { answer, payment, transaction } = await withdrawWhileLocked(deps, input, error)
      return { answer, payment, gatewayName: transaction?.gatewayName ?? null }
    },
  )
  deps.pendingAnswers.answer(input.answers.operationId, result.answer, null)
  return result
}

async function scheduleInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  asked: StepInput<ScheduleCaptureCommand>,
): Promise<StepResult> {
  const { command, payment: reference } = asked
  const opened = await openForChange(unit, reference, { operationIds: operationIdsOf(asked) })
  const { invoice, transaction, blocks } = opened
  const input = onPaymentClock(asked, transaction)
  const payment = paymentOf(invoice, transaction)
  const gatewayName = transaction?.gatewayName ?? null
  const answered = (answer: CommandAnswer): StepResult => {
    keepAnswer(deps, unit, input, { answer, payment, transaction })
    return { answer, payment, gatewayName }
  }
  // An earlier try leaves no operation, only the schedule. If that already matches, the answer is done, even when late.
  const isDone = hasSchedule(payment, command)
  if (!isDone && blockReasonOf(command, blocks, { hasBegun: false, now: deps.clock.now().getTime() }) === 'too late')
    return { answer: refusal('request.not-started'), payment, gatewayName }
  if ((await claimAnswer(deps, unit, input)) === 'taken') return { answer: { kind: 'duplicate' }, payment, gatewayName }
  if (isDone) return answered({ kind: 'done' })
  const refused = await refuse(unit, input, { invoice, payment })
  if (refused !== null) return answered(refused)
  if (transaction === null) throw failures.paymentNotFound(invoice.id)
  const scheduled = moveSchedule(payment, command)
  unit.update(transaction, { ...scheduleOf(scheduled), updatedAt: deps.clock.now() })
  keepAnswer(deps, unit, input, { answer: { kind: 'done' }, payment: scheduled, transaction })
  return { answer: { kind: 'done' }, payment: scheduled, gatewayName }
}

async function refuse(
  unit: Unit,
  { command, asOf }: StepInput<ScheduleCaptureCommand>,
  { invoice, payment }: { invoice: InvoiceRow; payment: Payment },
): Promise<CommandAnswer | null> {
  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return decision.answer
  if (command.autoCaptureDetailIds === null) return null
  const found = await findDetails(unit, invoice, invoice.id, command.autoCaptureDetailIds, 'capture')
  return 'code' in found ? { kind: 'refused', code: found.code, message: found.message } : null
}

function scheduleOf(payment: Payment): Partial<TransactionRow> {
  const columns = columnsOf(payment)
  const { autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds, autoCaptureIsFinal } = columns
  const { autoCaptureRetryAt, autoCaptureFailures, nextDueAt } = columns
  return {
    autoCaptureAt,
    autoCaptureAmountMinor,
    autoCaptureDetailIds,
    autoCaptureIsFinal,
    autoCaptureRetryAt,
    autoCaptureFailures,
    nextDueAt,
  }
}
