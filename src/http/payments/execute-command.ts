import { answerOfResult, type CommandAnswer } from '../../../domain/command.ts'
import { decide } from '../../../domain/decision.ts'
import { environmentOf } from '../../../domain/environment.ts'
import { activeAttempts } from '../../../domain/payment.ts'
import { paymentTime } from '../../../domain/test-clock.ts'
import { claimKey, keepAnswer, paymentAnswer } from '../../idempotency/record.ts'
import { isLockTimeout } from '../../persistence/database-error.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { OperationRow } from '../../persistence/entities/operation.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { withdrawalOf, withdrawCommand } from '../../persistence/queries/payments/commands.ts'
import { type AnswerRows, findAnswerRows, lockPayment } from '../../persistence/queries/payments/find-payment.ts'
import { paymentOf } from '../../persistence/queries/payments/payment-rows.ts'
import { type AnsweredPayment, handling } from '../../presenters/payment-answer.ts'
import type { MerchantCommand } from '../../temporal/client.ts'
import { ApiError } from '../api-error.ts'
import type { AppDeps } from '../dependencies.ts'

export interface CommandRequest {
  invoice: InvoiceRow
  transaction: TransactionRow | null
  command: MerchantCommand
}

/** The answer to a command, and the reported rows as they are afterwards. */
export interface ExecutedCommand extends AnswerRows, Pick<AnsweredPayment, 'invoice' | 'handlesActions'> {
  answer: CommandAnswer
}

/**
 * Has the payment execute a command and reads its rows afterwards. A payment that has ended is answered from its rows by
 * the same rules, without starting a workflow.
 *
 * @throws ApiError `request.not-started` where the payment did not begin the command in time.
 */
export async function executeCommand(
  deps: Pick<AppDeps, 'payments' | 'clock' | 'waits'>,
  em: EntityManager,
  request: CommandRequest,
): Promise<ExecutedCommand> {
  const { payments, clock } = deps
  const ended = await answerOfEnded(em, request, clock.now())
  if (ended !== null) return { answer: ended, ...(await readAnswerRows(em, request)) }
  const answered = await payments.send(descriptionOf(request.invoice), request.command)
  if (answered === 'no-answer') {
    return { answer: await answerOfSilence(deps, em, request), ...(await readAnswerRows(em, request)) }
  }
  return { answer: answered.answer, ...(answered.rows ?? (await readAnswerRows(em, request))) }
}

/** Null where an attempt is under way that the answer may depend on, or where a gateway must be called. */
async function answerOfEnded(em: EntityManager, request: CommandRequest, now: Date): Promise<CommandAnswer | null> {
  const { invoice, transaction, command } = request
  if (transaction === null || activeAttempts(transaction).length > 0) return null
  const decision = decide(paymentOf(invoice, transaction), command, paymentTime(transaction, now.getTime()))
  if (decision.kind !== 'answer') return null
  return command.idempotency === null ? decision.answer : keptAnswerOfEnded(em, request, now)
}

/** A kept answer is decided again under the lock of the rows that it reports. */
function keptAnswerOfEnded(em: EntityManager, request: CommandRequest, now: Date): Promise<CommandAnswer | null> {
  const { command } = request
  const { idempotency, operationId } = command
  const judge = async (transaction: EntityManager): Promise<CommandAnswer | null> => {
    const locked = await lockPayment(transaction, paymentIn(request))
    if (locked === null || idempotency === null) return null
    const at = paymentTime(locked.transaction, now.getTime())
    const decision = decide(paymentOf(locked.invoice, locked.transaction), command, at)
    if (decision.kind !== 'answer') return null
    if ((await claimKey(transaction, request.invoice, idempotency, operationId, now)) === 'taken') {
      return { kind: 'duplicate' }
    }
    const answered = { answer: decision.answer, ...handling(command), ...(await readAnswerRows(transaction, request)) }
    await keepAnswer(transaction, idempotency, paymentAnswer(idempotency, answered), now)
    return decision.answer
  }
  // A fork has no cached rows, so it reads everything under the lock.
  return inTurn(em, request.invoice.id, () => em.fork().transactional(judge))
}

/**
 * Answers a command whose workflow did not answer in time. A command that has not begun is withdrawn, so that it never
 * begins and the merchant's answer stays true. For a begun command the answer is read from the record and kept.
 */
async function answerOfSilence(
  { clock, waits }: Pick<AppDeps, 'clock' | 'waits'>,
  em: EntityManager,
  request: CommandRequest,
): Promise<CommandAnswer> {
  const now = clock.now()
  const { command } = request
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
    const answered = { answer, ...handling(command), ...(await readAnswerRows(transaction, request)) }
    await keepAnswer(transaction, idempotency, paymentAnswer(idempotency, answered), now)
  }
  const withdrawing = withdrawalOf(paymentIn(request), command, now)
  const withdrawal = await withdrawCommand(em, withdrawing, keep, waits).catch(inDoubt)
  if (withdrawal === null) return { kind: 'pending' }
  if (withdrawal.kind === 'withdrawn') throw new ApiError('request.not-started')
  if (withdrawal.kind === 'done') return { kind: 'done' }
  return answerOf(withdrawal.result, withdrawal.isCapture)
}

/**
 * Null where the command is just beginning and does not finish in time. The merchant must not be told that nothing
 * happened, nor to send the request again: without a key that would be a second payment.
 */
function inDoubt(error: unknown): null {
  if (isLockTimeout(error)) return null
  throw error
}

function readAnswerRows(em: EntityManager, request: CommandRequest): Promise<AnswerRows> {
  const { command } = request
  return findAnswerRows(em, paymentIn(request), command.kind === 'refund' ? command.refundId : null)
}

function paymentIn({ invoice: { id, projectId, sandbox } }: CommandRequest) {
  return { projectId, sandbox, invoiceId: id }
}

/** What a payment's workflow is started with. */
export function descriptionOf({ id, projectId, sandbox, amountMinor, currency, orderId }: InvoiceRow) {
  const environment = environmentOf(sandbox)
  return { projectId, environment, invoiceId: id, amountMinor, currency, orderId: orderId ?? null }
}
