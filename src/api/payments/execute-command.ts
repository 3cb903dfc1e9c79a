import { movesMoney } from '../../../domain/block-reason.ts'
import { answerOfResult, type CommandAnswer, type DecidedCommand } from '../../../domain/command.ts'
import { type Decision, decide, goesOnToCapture } from '../../../domain/decision.ts'
import { environmentOf } from '../../../domain/environment.ts'
import { decidePay, type InvoiceTerms } from '../../../domain/pay.ts'
import { activeAttempts, nextDue, type Payment } from '../../../domain/payment.ts'
import { paymentTime } from '../../../domain/test-clock.ts'
import { ApiError } from '../../http/api-error.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { claimKey, keepPaymentAnswer } from '../../idempotency/record.ts'
import { type AnsweredPayment, handling } from '../../objects/payment-answer.ts'
import { isLockTimeout } from '../../persistence/database-error.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { OperationRow } from '../../persistence/entities/operation.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { inTurn } from '../../persistence/in-turn.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { makeWithdrawal, withdrawCommand } from '../../persistence/queries/payments/commands.ts'
import { type AnswerRows, type FoundPayment, findAnswerRows } from '../../persistence/queries/payments/find-payment.ts'
import { openPayment } from '../../persistence/queries/payments/open-payment.ts'
import { paymentOf, termsOf } from '../../persistence/queries/payments/payment-rows.ts'
import type { MerchantCommand } from '../../temporal/client.ts'

export interface CommandRequest {
  invoice: InvoiceRow
  transaction: TransactionRow | null
  command: MerchantCommand
  /** The project is suspended: no new money moves. */
  isSuspended?: boolean
}

/** The answer to a command, and the reported rows as they are afterwards. */
export interface ExecutedCommand
  extends AnswerRows,
    Pick<AnsweredPayment, 'invoice' | 'handlesActions' | 'isForAuthentication'> {
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

/**
 * The answer to a command that needs no gateway, decided and kept under the lock of the rows that it reports. Null where the
 * workflow must answer: an attempt is under way or a step is due that the answer may depend on, or a gateway must be called.
 *
 * @throws ApiError 403 where the project is suspended and the command would move money.
 */
async function answerOfEnded(em: EntityManager, request: CommandRequest, now: Date): Promise<CommandAnswer | null> {
  if (answerWithoutGateway(request, request, now) === null) return null
  const { idempotency, operationId } = request.command
  const judge = async (transaction: EntityManager): Promise<CommandAnswer | null> => {
    const locked = await openPayment(transaction, paymentIn(request))
    const answer = locked && answerWithoutGateway(request, locked, now)
    if (answer === null || idempotency === null) return answer
    if ((await claimKey(transaction, request.invoice, idempotency, operationId, now)) === 'taken') {
      return { kind: 'duplicate' }
    }
    const answered = { answer, ...handling(request.command), ...(await readAnswerRows(transaction, request)) }
    await keepPaymentAnswer(transaction, idempotency, answered, now)
    return answer
  }
  // A fork has no cached rows, so it reads everything under the lock.
  return inTurn(em, request.invoice.id, () => em.fork().transactional(judge))
}

function answerWithoutGateway(
  { command, isSuspended }: CommandRequest,
  { invoice, transaction }: FoundPayment,
  now: Date,
): CommandAnswer | null {
  const payment = paymentOf(invoice, transaction)
  const at = paymentTime(transaction, now.getTime())
  const { kind, decision } = decided(command, { payment, terms: termsOf(invoice, transaction), at })
  const answer = decision.kind === 'answer' ? decision.answer : null
  // A call without a meaning is refused, whatever is under way.
  if (kind === 'pay') return answer
  if (isSuspended === true && movesMoney({ kind }) && answer === null) throw new ApiError('request.project-suspended')
  const isBusy = activeAttempts(payment).length > 0 || (nextDue(payment)?.at ?? Number.POSITIVE_INFINITY) <= at
  return isBusy ? null : answer
}

/** What a command means now, and whether it may be done. */
function decided(
  command: MerchantCommand,
  { payment, terms, at }: { payment: Payment; terms: InvoiceTerms; at: number },
): { kind: (MerchantCommand | DecidedCommand)['kind']; decision: Decision } {
  if (command.kind !== 'pay') return { kind: command.kind, decision: decide(payment, command, at) }
  const { command: meant, decision } = decidePay(command, payment, terms, at)
  return { kind: meant?.kind ?? command.kind, decision }
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
  const answerOf = (rows: AnswerRows, result: OperationRow | null, isCapture: boolean): CommandAnswer => {
    const answer = answerOfResult(result ?? {})
    const isAuthorization = command.kind === 'pay' && !isCapture
    return isAuthorization && captureFollows(request, rows, answer, now) ? { kind: 'pending' } : answer
  }
  const keep = async (transaction: EntityManager, result: OperationRow | null, isCapture: boolean) => {
    if (idempotency === null) return
    const rows = await readAnswerRows(transaction, request)
    const answered = { answer: answerOf(rows, result, isCapture), ...handling(command), ...rows }
    await keepPaymentAnswer(transaction, idempotency, answered, now)
  }
  const withdrawing = makeWithdrawal(paymentIn(request), command, now)
  const withdrawal = await withdrawCommand(em, withdrawing, keep, waits).catch(inDoubt)
  if (withdrawal === null) return { kind: 'pending' }
  if (withdrawal.kind === 'withdrawn') throw new ApiError('request.not-started')
  if (withdrawal.kind === 'done') return { kind: 'done' }
  return answerOf(await readAnswerRows(em, request), withdrawal.result, withdrawal.isCapture)
}

/** Whether the approved authorization of a sale still goes on to its capture. */
function captureFollows({ invoice }: CommandRequest, { transaction }: AnswerRows, answer: CommandAnswer, now: Date) {
  const payment = paymentOf(invoice, transaction)
  return goesOnToCapture({ kind: 'authorize' }, answer, payment, paymentTime(transaction, now.getTime()))
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
