import type { CommandAnswer, ScheduleCaptureCommand } from '../../domain/command.ts'
import { decide } from '../../domain/decision.ts'
import { hasSchedule, moveSchedule, type Payment } from '../../domain/payment.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findHindrances } from '../../src/persistence/queries/payments/find-hindrances.ts'
import { holdCommands } from '../../src/persistence/queries/payments/hold-commands.ts'
import { lockPayment } from '../../src/persistence/queries/payments/payment-lock.ts'
import { columnsOf, paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import { operationIdsOf, type StepInput, type StepResult } from './attempt.ts'
import { giveUpWhileHeld } from './give-up.ts'
import { hindranceOf } from './hindrance.ts'
import { claimReply, keepReply } from './idempotency.ts'
import { findDetails } from './records/details.ts'
import { refusal } from './refusal.ts'

/** Moves or drops the scheduled capture of an authorized payment; no gateway is asked, the workflow's timer does the rest. */
export async function scheduleCapture(
  deps: PaymentActivityDeps,
  input: StepInput<ScheduleCaptureCommand>,
): Promise<StepResult> {
  const result = await transact(deps.orm, (unit) => scheduleInTransaction(deps, unit, input)).then(
    (scheduled) => scheduled.result,
    async (error: unknown): Promise<StepResult> => {
      const { answer, payment, transaction } = await giveUpWhileHeld(deps, input, error)
      return { answer, payment, gatewayName: transaction?.gatewayName ?? null }
    },
  )
  deps.pendingAnswers.answer(input.answers.operationId, result.answer, null)
  return result
}

async function scheduleInTransaction(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: StepInput<ScheduleCaptureCommand>,
): Promise<StepResult> {
  const { em } = unit
  const { command, payment: reference } = input
  const { projectId, environment, invoiceId } = reference
  const locked = await lockPayment(em, { projectId, sandbox: environment === 'sandbox', invoiceId })
  if (locked === null) throw failures.paymentNotFound(invoiceId)
  const { invoice, transaction } = locked
  const payment = paymentOf(invoice, transaction)
  const gatewayName = transaction?.gatewayName ?? null
  const answered = (answer: CommandAnswer): StepResult => {
    keepReply(deps, unit, input, { answer, payment, transaction })
    return { answer, payment, gatewayName }
  }
  // No row tells of an earlier try, but its work does: asked for again, even late, it is done.
  const isDone = hasSchedule(payment, command)
  await holdCommands(em, operationIdsOf(input))
  const hindrances = await findHindrances(em, { projectId, operationIds: operationIdsOf(input) })
  if (!isDone && hindranceOf(deps, input, hindrances, { hasBegun: false }) === 'too late')
    return { answer: refusal('request.not-started'), payment, gatewayName }
  if ((await claimReply(deps, em, input)) === 'taken') return { answer: { kind: 'duplicate' }, payment, gatewayName }
  if (isDone) return answered({ kind: 'done' })
  const refused = await refuse(em, input, { invoice, payment })
  if (refused !== null) return answered(refused)
  if (transaction === null) throw failures.paymentNotFound(invoiceId)
  const scheduled = moveSchedule(payment, command)
  em.assign(transaction, { ...scheduleOf(scheduled), updatedAt: deps.clock.now() })
  keepReply(deps, unit, input, { answer: { kind: 'done' }, payment: scheduled, transaction })
  return { answer: { kind: 'done' }, payment: scheduled, gatewayName }
}

async function refuse(
  em: EntityManager,
  { command, asOf }: StepInput<ScheduleCaptureCommand>,
  { invoice, payment }: { invoice: InvoiceRow; payment: Payment },
): Promise<CommandAnswer | null> {
  const decision = decide(payment, command, asOf)
  if (decision.kind === 'answer') return decision.answer
  if (command.autoCaptureDetailIds === null) return null
  const found = await findDetails(em, invoice, invoice.id, command.autoCaptureDetailIds, 'capture')
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
