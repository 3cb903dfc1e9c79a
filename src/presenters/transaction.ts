import { disputedMinor } from '../../domain/dispute.ts'
import { ERRORS, isErrorCode } from '../../domain/errors.ts'
import { adviceOf, recommendationReason } from '../../domain/merchant-advice.ts'
import { formatAmount } from '../../domain/money.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { supportedActions } from './supported-actions.ts'
import { presentAmount, presentCardChecks, presentTimestamp } from './values.ts'

/** A transaction as merchants see it; what is not expanded is null. */
export function presentTransaction(row: TransactionRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    invoice_id: row.invoiceId,
    invoice: null,
    customer_id: row.customerId ?? null,
    customer: null,
    token_id: row.tokenId ?? null,
    token: null,
    card_id: row.cardId ?? null,
    card: null,
    gateway_configuration_id: row.gatewayConfigurationId ?? null,
    gateway_configuration: null,
    gateway_name: row.gatewayName ?? null,
    name: row.name,
    currency: row.currency,
    ...presentAmounts(row),
    status: row.status,
    authorized: row.authorizedMinor > 0,
    captured: row.capturedMinor > 0,
    voided: row.status === 'voided',
    refunded: row.refundedMinor > 0,
    chargedback: row.chargedbackAt != null,
    authorized_at: presentTimestamp(row.authorizedAt),
    captured_at: presentTimestamp(row.capturedAt),
    voided_at: presentTimestamp(row.voidedAt),
    refunded_at: presentTimestamp(row.refundedAt),
    chargedback_at: presentTimestamp(row.chargedbackAt),
    authorization_expires_at: presentTimestamp(row.authorizationExpiresAt),
    auto_capture_at: presentTimestamp(row.autoCaptureAt),
    auto_capture_amount: presentAmount(row.autoCaptureAmountMinor, row.currency),
    outcome_unknown_since: presentTimestamp(row.outcomeUnknownSince),
    incremental: row.incremental,
    supported_actions: supportedActions(row),
    error_code: row.errorCode ?? null,
    error_message: row.errorMessage ?? null,
    attempts_count: row.attemptsCount,
    scheme_id: row.schemeId ?? null,
    initial_scheme_transaction_id: row.initialSchemeTransactionId ?? null,
    scheme_used: row.schemeUsed ?? null,
    ...presentAuthentication(row),
    card_checks: presentCardChecks(row.cardChecks),
    cvc_check: row.cardChecks?.cvcCheck ?? null,
    avs_check: row.cardChecks?.avsCheck ?? null,
    merchant_advice_code: row.merchantAdviceCode ?? null,
    merchant_advice_reason: adviceOf(row.merchantAdviceCode)?.reason ?? null,
    recommendation_code: row.recommendationCode ?? null,
    recommendation_reason: recommendationReason(row.recommendationCode),
    retry_after: presentTimestamp(row.retryAfter),
    error_recommendations: recommendationsFor(row.errorCode),
    routing_tags: row.routingTags,
    rule_set_id: row.ruleSetId ?? null,
    rule_set_version: row.ruleSetVersion ?? null,
    received_fraud_notification: row.receivedFraudNotification,
    received_retrieval_request: row.receivedRetrievalRequest,
    operations: null,
    refunds: null,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}

/** How the customer was authenticated. */
function presentAuthentication({ authentication }: TransactionRow) {
  const it = authentication ?? null
  return {
    three_d_s_status: it?.status ?? null,
    three_d_s_version: it?.version ?? null,
    three_d_s: it && {
      version: it.version,
      status: it.status,
      fingerprinted: it.fingerprintCompleted === true,
      challenged: it.wasChallenged,
      ares_trans_status: it.aresTransStatus,
      cres_trans_status: it.cresTransStatus,
      ds_trans_id: it.dsTransId,
      server_trans_id: it.serverTransId,
      fingerprint_completion_indicator: completionIndicatorOf(it.fingerprintCompleted),
    },
    eci: it?.eci ?? null,
    liability_shift: it?.hasLiabilityShift ?? null,
  }
}

/** By EMVCo's specification: Y completed, N not completed in time, U without such a page. */
function completionIndicatorOf(completed: boolean | null): 'Y' | 'N' | 'U' {
  if (completed === null) return 'U'
  return completed ? 'Y' : 'N'
}

/** What to do about the error, in the sentences of the list of errors. */
function recommendationsFor(errorCode: string | null | undefined): string[] | null {
  if (errorCode == null) return null
  return isErrorCode(errorCode) ? [ERRORS[errorCode].advice] : []
}

function presentAmounts(row: TransactionRow) {
  const amount = (amountMinor: number) => formatAmount(amountMinor, row.currency)
  return {
    amount: amount(row.amountMinor),
    authorized_amount: amount(row.authorizedMinor),
    captured_amount: amount(row.capturedMinor),
    available_amount: amount(Math.max(0, row.capturedMinor - row.refundedMinor - disputedMinor(row))),
    disputed_amount: amount(disputedMinor(row)),
    incremented_amount: amount(row.incrementedMinor),
    refunded_amount: amount(row.refundedMinor),
    voided_amount: amount(row.voidedMinor),
  }
}
