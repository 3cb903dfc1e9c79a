import type { IdempotencyClaim } from '../../../domain/command.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { completeKey } from '../../persistence/queries/payments/idempotency-keys.ts'
import { type AnsweredPayment, presentPaymentAnswer } from '../../presenters/payment-answer.ts'

/** Keeps what a payment answers, in the caller's database transaction, under the lock of the payment. */
export async function keepAnswer(
  em: EntityManager,
  claim: IdempotencyClaim,
  answered: Omit<AnsweredPayment, 'requestId'>,
  now: Date,
): Promise<void> {
  const { status, body } = presentPaymentAnswer({ ...answered, requestId: claim.requestId })
  const isOutcome = answered.answer.kind === 'declined'
  await completeKey(em, claim, { status, body: JSON.stringify(body), isOutcome }, now)
}
