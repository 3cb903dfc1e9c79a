import { answerOfResult, type CommandAnswer } from '../../../domain/command.ts'
import { decide } from '../../../domain/decision.ts'
import { environmentOf } from '../../../domain/environment.ts'
import { activeAttempts } from '../../../domain/payment.ts'
import { claimKey, keepAnswer, paymentAnswer } from '../../idempotency/record.ts'
import { isLockTimeout } from '../../persistence/database-error.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { OperationRow } from '../../persistence/entities/operation.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { type AnswerRows, findAnswerRows } from '../../persistence/queries/payments/answer-rows.ts'
import { lockPayment } from '../../persistence/queries/payments/payment-lock.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'
import { withdrawalOf, withdrawCommand } from '../../persistence/queries/payments/withdraw-command.ts'
import type { AnsweredPayment } from '../../presenters/payment-answer.ts'
import type { MerchantCommand } from '../../temporal/client.ts'
import { ApiError } from '../api-error.ts'
import type { AppDeps } from '../dependencies.ts'

/** A command on the payment of an invoice, with the rows as they were read. */
export interface Order {
  invoice: InvoiceRow
  transaction: TransactionRow | null
  command: MerchantCommand
}

/** The answer, and the rows that it tells of as they are after it. */
export interface CarriedOut extends AnswerRows, Pick<AnsweredPayment, 'invoice'> {
  answer: CommandAnswer
}

/**
 * Has the payment carry out a command and reads where it stands afterwards. A payment that has ended answers from its
 * row by the same rules: nothing needs to be started to say so.
 *
 * @throws ApiError `request.not-started` where the payment did not take the command up in time.
 */
export async function carryOut(
  { payments, clock }: Pick<AppDeps, 'payments' | 'clock'>,
  em: EntityManager,
  order: Order,
): Promise<CarriedOut> {
  const ended = await answerOfEnded(em, order, clock.now())
  if (ended !== null) return { answer: ended, ...(await toldOf(em, order)) }
  const answered = await payments.send(descriptionOf(order.invoice), order.command)
  if (answered === 'no-answer') {
    return { answer: await answerOfSilence(em, order, clock.now()), ...(await toldOf(em, order)) }
  }
  return { answer: answered.answer, ...(answered.rows ?? (await toldOf(em, order))) }
}

/** Null where a step is under way whose outcome the answer may depend on, and where a gateway has to be asked. */
async function answerOfEnded(em: EntityManager, order: Order, now: Date): Promise<CommandAnswer | null> {
  const { invoice, transaction, command } = order
  if (transaction === null || activeAttempts(transaction).length > 0) return null
  const decision = decide(paymentOf(invoice, transaction), command, now.getTime())
  if (decision.kind !== 'answer') return null
  return command.idempotency === null ? decision.answer : keptAnswerOfEnded(em, order, now)
}

/** With an idempotency key the answer is kept, so it is decided again, under the lock of what it tells. */
function keptAnswerOfEnded(em: EntityManager, order: Order, now: Date): Promise<CommandAnswer | null> {
  const { command } = order
  const { idempotency, operationId } = command
  const judge = async (transaction: EntityManager): Promise<CommandAnswer | null> => {
    const locked = await lockPayment(transaction, paymentIn(order))
    if (locked === null || idempotency === null) return null
    const decision = decide(paymentOf(locked.invoice, locked.transaction), command, now.getTime())
    if (decision.kind !== 'answer') return null
    if ((await claimKey(transaction, order.invoice, idempotency, operationId, now)) === 'taken') {
      return { kind: 'duplicate' }
    }
    const answered = { answer: decision.answer, ...(await toldOf(transaction, order)) }
    await keepAnswer(transaction, idempotency, paymentAnswer(idempotency, answered), now)
    return decision.answer
  }
  // A fork has read nothing yet, so that it reads everything under the lock.
  return inTurn(em, order.invoice.id, () => em.fork().transactional(judge))
}

/**
 * Nobody answered in time. A command that has not begun is withdrawn, so that what the merchant is told stays true: it
 * never begins. Of one that has begun the record tells how far it came, and what it told is kept.
 */
async function answerOfSilence(em: EntityManager, order: Order, now: Date): Promise<CommandAnswer> {
  const { command } = order
  const { idempotency } = command
  const capture = command.kind === 'authorize' ? command.capture : null
  const answerOf = (result: Parameters<typeof answerOfResult>[0] | null, isCapture: boolean): CommandAnswer => {
    const answer = answerOfResult(result ?? {})
    const captureFollows = capture !== null && !isCapture && answer.kind === 'done'
    return captureFollows ? { kind: 'pending' } : answer
  }
  const keep = async (transaction: EntityManager, result: OperationRow | null, isCapture: boolean) => {
    if (idempotency === null) return
    const answer = answerOf(result, isCapture)
    const answered = { answer, ...(await toldOf(transaction, order)) }
    await keepAnswer(transaction, idempotency, paymentAnswer(idempotency, answered), now)
  }
  const withdrawal = await withdrawCommand(em, withdrawalOf(paymentIn(order), command, now), keep).catch(inDoubt)
  if (withdrawal === null) return { kind: 'pending' }
  if (withdrawal.kind === 'withdrawn') throw new ApiError('request.not-started')
  if (withdrawal.kind === 'done') return { kind: 'done' }
  return answerOf(withdrawal.result, withdrawal.isCapture)
}

/**
 * Null where the command is about to begin and does not come to an end of it. It may not be said that nothing was done, nor
 * that the request may be sent again: without a key that would be a second one.
 */
function inDoubt(error: unknown): null {
  if (isLockTimeout(error)) return null
  throw error
}

function toldOf(em: EntityManager, order: Order): Promise<AnswerRows> {
  const { command } = order
  return findAnswerRows(em, paymentIn(order), command.kind === 'refund' ? command.refundId : null)
}

function paymentIn({ invoice: { id, projectId, sandbox } }: Order) {
  return { projectId, sandbox, invoiceId: id }
}

function descriptionOf({ id, projectId, sandbox, amountMinor, currency, orderId }: InvoiceRow) {
  const environment = environmentOf(sandbox)
  return { projectId, environment, invoiceId: id, amountMinor, currency, orderId: orderId ?? null }
}
