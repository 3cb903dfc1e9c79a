import type { Command, CommandAnswer } from '../../../domain/command.ts'
import { decide } from '../../../domain/payment.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import type { InvoiceRow } from '../../persistence/entities/invoice.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findTransactionOfInvoice } from '../../persistence/queries/find-transaction.ts'
import { hasBegun } from '../../persistence/queries/has-begun.ts'
import { paymentOf } from '../../persistence/queries/payment-rows.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
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
  const scope: Scope = { projectId, sandbox }
  const sent = await payments.send(descriptionOf(invoice), command)
  const answer = sent.kind === 'no-answer' ? await answerOfSilence(em, scope, command) : sent
  return { answer, transaction: await findTransactionOfInvoice(em, scope, id) }
}

/** Once the attempt is written the gateway may have been called, so its outcome is open; before that nothing happened. */
async function answerOfSilence(em: EntityManager, scope: Scope, { operationId }: Command): Promise<CommandAnswer> {
  if (await hasBegun(em, scope, operationId)) return { kind: 'pending' }
  throw new ApiError('request.not-started')
}

function descriptionOf({ id, projectId, sandbox, amountMinor, currency, orderId }: InvoiceRow) {
  const environment = sandbox ? 'sandbox' : 'live'
  return { projectId, environment, invoiceId: id, amountMinor, currency, orderId: orderId ?? null } as const
}
