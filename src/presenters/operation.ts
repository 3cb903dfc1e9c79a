import { adviceOf, recommendationReason } from '../../domain/merchant-advice.ts'
import { formatAmount } from '../../domain/money.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import { presentCardChecks, presentTimestamp } from './values.ts'

/** One step of a transaction. The gateway's raw word stays with support; merchants read our code for it. */
export function presentOperation(row: OperationRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    transaction_id: row.transactionId,
    type: row.type,
    is_attempt: row.isAttempt,
    attempt_operation_id: row.attemptOperationId ?? null,
    has_failed: row.hasFailed,
    is_accountable: row.isAccountable,
    outcome: row.outcome ?? null,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    gateway_configuration_id: row.gatewayConfigurationId ?? null,
    card_id: row.cardId ?? null,
    token_id: row.tokenId ?? null,
    refund_id: row.refundId ?? null,
    invoice_detail_ids: row.detailIds ?? [],
    gateway_operation_id: row.gatewayOperationId ?? null,
    error_code: row.errorCode ?? null,
    error_message: row.errorMessage ?? null,
    scheme_id: row.schemeId ?? null,
    scheme_used: row.schemeUsed ?? null,
    initial_scheme_transaction_id: row.initialSchemeTransactionId ?? null,
    authorization_code: row.authorizationCode ?? null,
    card_checks: presentCardChecks(row.cardChecks),
    chargeback_reason: row.chargebackReason ?? null,
    merchant_advice_code: row.merchantAdviceCode ?? null,
    merchant_advice_reason: adviceOf(row.merchantAdviceCode)?.reason ?? null,
    recommendation_code: row.recommendationCode ?? null,
    recommendation_reason: recommendationReason(row.recommendationCode),
    retry_after: presentTimestamp(row.retryAfter),
    actor: row.actor,
    metadata: presentFacts(row),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}

/** An operation that records a chargeback, a retrieval request or a fraud notification of a gateway. */
export function presentDispute(row: OperationRow) {
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
