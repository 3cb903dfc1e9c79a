import type { CommandAnswer } from '../../domain/command.ts'
import { saleGoesOn } from '../../domain/decision.ts'
import type { Payment } from '../../domain/payment.ts'
import type { RefundRow } from '../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { claimKey, completeKey } from '../../src/persistence/queries/payments/idempotency-keys.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import { presentPaymentAnswer } from '../../src/presenters/payment-answer.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from './attempt.ts'

/** What a merchant who repeats the request with the same key gets to read. */
export interface KeptReply {
  answer: CommandAnswer
  /** As it is after the answer. */
  payment: Payment
  transaction: TransactionRow | null
  refund?: RefundRow | null
}

type Asked = Pick<StepInput, 'command' | 'payment' | 'answers'>

/** Takes the idempotency key of a command together with what is about to be written; `taken` by another request before. */
export async function claimAnswer(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  em: EntityManager,
  { command, payment, answers }: Asked,
): Promise<'claimed' | 'taken'> {
  const { idempotency } = command
  if (idempotency === null) return 'claimed'
  const scope = { projectId: payment.projectId, sandbox: payment.environment === 'sandbox' }
  return claimKey(em, scope, idempotency, answers.operationId, clock.now())
}

/**
 * Keeps the answer under the command's key, in the database transaction of what it tells. Of a sale that goes on nothing
 * is kept yet: its capture answers.
 */
export function keepAnswer(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  { em, writes }: Unit,
  { command, answers }: Pick<Asked, 'command' | 'answers'>,
  { payment, ...reply }: KeptReply,
): void {
  const { idempotency } = command
  if (idempotency === null) return
  if (answers.unlessSaleGoesOn && saleGoesOn(command, reply.answer, payment)) return
  const isOutcome = reply.answer.kind === 'declined'
  // The kept answer shows the rows as they are after this change, so the change is written first.
  writes.afterwards(async () => {
    const { status, body } = presentPaymentAnswer({ ...reply, requestId: idempotency.requestId })
    await completeKey(em, idempotency, { status, body: JSON.stringify(body), isOutcome }, clock.now())
  })
}
