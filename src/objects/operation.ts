import { DISPUTE_STEPS } from '../../domain/dispute.ts'
import { adviceOf, recommendationReason } from '../../domain/merchant-advice.ts'
import { formatAmount } from '../../domain/money.ts'
import { ACTORS, OPERATION_OUTCOMES, OPERATION_TYPES } from '../../domain/operation.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import { cardChecks } from './card.ts'
import { shownColumns } from './columns.ts'
import { object, related, type Shown } from './object.ts'
import { amount, currency, flag, id, instant, list, metadata, OWNER, orNull, text, WRITTEN, word } from './shown.ts'
import { presentCardChecks } from './values.ts'

/** What the scheme says about another try; the same on operations and transactions. */
export const ADVICE = {
  merchant_advice_code: orNull(
    text('The scheme’s advice with a decline: two digits of Mastercard’s advice code, or Visa’s category, 1 to 4.'),
  ),
  merchant_advice_reason: orNull(text('What that advice means, in the scheme’s words.')),
  recommendation_code: orNull(text('What to do about the decline, in a word such as `retry-later` or `do-not-retry`.')),
  recommendation_reason: orNull(text('What to do about the decline, in a sentence.')),
  retry_after: orNull(instant('Before this instant the payment should not be tried again.')),
}

export const presentAdvice = (row: Pick<OperationRow, 'merchantAdviceCode' | 'recommendationCode'>) => ({
  merchant_advice_reason: adviceOf(row.merchantAdviceCode)?.reason ?? null,
  recommendation_reason: recommendationReason(row.recommendationCode),
})

const OPERATION = {
  id: id('operation', 'The operation. That of an attempt is our reference towards the gateway.'),
  ...OWNER,
  transaction_id: id('transaction', 'The transaction that it is a step of.'),
  type: word(OPERATION_TYPES, 'What was done, or reported.'),
  is_attempt: flag(
    'Whether this is the attempt, written before the gateway was called; its result is another operation.',
  ),
  attempt_operation_id: orNull(id('operation', 'Of a result: the attempt that it is the result of.')),
  has_failed: flag('Whether the step has failed.'),
  is_accountable: flag('Whether the step moved or reserved money.'),
  outcome: orNull(word(OPERATION_OUTCOMES, 'Of a result: how the attempt ended. `unknown` is looked up.')),
  amount: amount('The amount of the step.'),
  currency: currency('The currency of the amount.'),
  gateway_configuration_id: orNull(id('gatewayConfiguration', 'The account at which it was tried.')),
  card_id: orNull(id('card', 'The card that it was tried with.')),
  token_id: orNull(id('token', 'The stored payment source that it was tried with.')),
  refund_id: orNull(id('refund', 'The refund that it is a step of.')),
  invoice_detail_ids: list(
    id('invoiceDetail', 'A line of the invoice.'),
    'The lines of the invoice that it captures or gives back.',
  ),
  gateway_operation_id: orNull(text('The gateway’s own id of the step.')),
  error_code: orNull(text('Why the step has failed; one of the error codes, or a word of the gateway.')),
  error_message: orNull(text('The same in a sentence.')),
  scheme_id: orNull(text('The scheme’s id of the authorization.')),
  scheme_used: orNull(text('The scheme that carried it.')),
  initial_scheme_transaction_id: orNull(text('The scheme’s id of the first payment of the series.')),
  authorization_code: orNull(text('The code by which the issuer approved.')),
  card_checks: cardChecks,
  chargeback_reason: orNull(text('Of a dispute: the reason that the scheme gives.')),
  dispute_id: orNull(text('Of a dispute: the gateway’s own id of it, the same for all its steps.')),
  evidence_due_at: orNull(instant('Of a dispute: until when the gateway takes evidence, if it says so.')),
  ...ADVICE,
  actor: word(ACTORS, 'Who asked for it or reported it.'),
  metadata: metadata('What happened beside what was asked, such as `is_sale` or `mac_override`.'),
  ...WRITTEN,
}

const operation = object('Operation', 'One step of a transaction. Steps are added and never changed.', OPERATION)

const dispute = object(
  'Dispute',
  'What a gateway has reported of a chargeback, a retrieval request or a fraud notification: an operation with its step.',
  {
    ...OPERATION,
    step: orNull(word(DISPUTE_STEPS, 'How far the dispute is.')),
    transaction: related('Transaction', 'The disputed transaction.'),
  },
)

/** One step of a transaction. The gateway's raw word stays with support; merchants read our code for it. */
export function presentOperation(row: OperationRow): Shown<typeof operation> {
  return {
    ...shownColumns(OPERATION, row),
    amount: formatAmount(row.amountMinor, row.currency),
    invoice_detail_ids: row.detailIds ?? [],
    card_checks: presentCardChecks(row.cardChecks),
    ...presentAdvice(row),
    metadata: presentFacts(row),
  }
}

/** An operation that records a chargeback, a retrieval request or a fraud notification of a gateway. */
export function presentDispute(row: OperationRow): Shown<typeof dispute> {
  return { ...presentOperation(row), step: row.disputeStep ?? null, transaction: null }
}

/** What happened beside what was asked, as merchants read it in the metadata of an operation. */
function presentFacts(row: OperationRow): Record<string, string> {
  const { reason, isSale, correctedAttemptId, overridesAdvice, disputeStep } = row
  return {
    ...(overridesAdvice && { mac_override: 'true' }),
    ...(isSale && { is_sale: 'true' }),
    ...(correctedAttemptId != null && { attempt_operation_id: correctedAttemptId }),
    ...(reason != null && { reason }),
    ...(disputeStep != null && { step: disputeStep }),
  }
}
