import { answerOfResult, type Command, type CommandAnswer } from '../../../domain/command.ts'
import { decide } from '../../../domain/decision.ts'
import { environmentOf } from '../../../domain/environment.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/find-transaction.ts'
import { paymentOf } from '../../persistence/queries/payment-rows.ts'
import { withdrawCommand } from '../../persistence/queries/withdraw-command.ts'
import { ApiError } from '../api-error.ts'
import type { AppDeps } from '../dependencies.ts'

/** A command on the payment of an invoice, with the rows as they were read. */
export interface Order {
  invoice: InvoiceRow
  transaction: TransactionRow | null
  command: Command
}

export interface CarriedOut {
  answer: CommandAnswer
  /** As it is after the answer. */
  transaction: TransactionRow | null
}

/** In these something may still happen; from every other one a payment never comes back to take a command. */
const OPEN: readonly TransactionStatus[] = [
  'waiting',
  'pending',
  'authorized',
  'pending-capture',
  'failed',
  'in-review',
  'blocked',
]

/**
 * Has the payment carry out a command and reads where it stands afterwards. A payment that has ended answers from its
 * row by the same rules: nothing needs to be started to say so.
 *
 * @throws ApiError `request.not-started` where the payment did not take the command up in time.
 */
export async function carryOut(
  { payments, clock }: Pick<AppDeps, 'payments' | 'clock'>,
  em: EntityManager,
  { invoice, transaction, command }: Order,
): Promise<CarriedOut> {
  if (transaction !== null && !OPEN.includes(transaction.status)) {
    const decision = decide(paymentOf(invoice, transaction), command, clock.now().getTime())
    if (decision.kind === 'answer') return { answer: decision.answer, transaction }
  }
  const { id, projectId, sandbox } = invoice
  const scope = { projectId, sandbox }
  const sent = await payments.send(descriptionOf(invoice), command)
  const answer =
    sent.kind === 'no-answer' ? await answerOfSilence(em, { ...scope, invoiceId: id }, command, clock.now()) : sent
  return { answer, transaction: await findTransactionOfInvoice(em, scope, id) }
}

/**
 * Nobody answered in time. A command that has not begun is withdrawn, so that what the merchant is told stays true: it
 * never begins. Of one that has begun the record tells how far it came.
 */
async function answerOfSilence(
  em: EntityManager,
  payment: { projectId: string; sandbox: boolean; invoiceId: string },
  command: Command,
  now: Date,
): Promise<CommandAnswer> {
  const { operationId } = command
  const withdrawal = await withdrawCommand(em, { ...payment, operationId, now })
  if (withdrawal.kind === 'withdrawn') throw new ApiError('request.not-started')
  const answer = answerOfResult(withdrawal.result ?? {})
  const captureFollows = command.kind === 'authorize' && command.capture !== null && answer.kind === 'done'
  return captureFollows ? { kind: 'pending' } : answer
}

function descriptionOf({ id, projectId, sandbox, amountMinor, currency, orderId }: InvoiceRow) {
  const environment = environmentOf(sandbox)
  return { projectId, environment, invoiceId: id, amountMinor, currency, orderId: orderId ?? null }
}
