/**
 * What the log holds of each table, in the words of its columns. The triggers have the same lists; they stand here once
 * more, so that the verification believes no function of the database that it verifies.
 */
export const AUDITED_TABLES = {
  transaction: {
    values: [
      'id',
      'invoice_id',
      'gateway_configuration_id',
      'gateway_authorization_id',
      'currency',
      'status',
      'amount_minor',
      'authorized_minor',
      'captured_minor',
      'voided_minor',
      'refunded_minor',
      'capturing_minor',
      'refunding_minor',
      'incremented_minor',
      'incremental',
      'increment_attempts',
      'attempts_count',
      'captures_count',
      'attempts_in_flight',
      'orphans',
      'needs_attention',
      'expired',
      'authorization_validity_ms',
      'auto_capture_amount_minor',
      'auto_capture_detail_ids',
      'auto_capture_is_final',
      'auto_capture_failures',
      'received_fraud_notification',
      'received_retrieval_request',
      'error_code',
    ],
    instants: [
      'outcome_unknown_since',
      'authorized_at',
      'authorization_expires_at',
      'auto_capture_at',
      'auto_capture_retry_at',
      'captured_at',
      'voided_at',
      'refunded_at',
      'chargedback_at',
    ],
  },
  operation: {
    values: [
      'id',
      'transaction_id',
      'type',
      'is_attempt',
      'attempt_operation_id',
      'outcome',
      'has_failed',
      'is_accountable',
      'amount_minor',
      'target_total_minor',
      'currency',
      'is_final',
      'refund_id',
      'gateway_configuration_id',
      'gateway_operation_id',
      'gateway_authorization_id',
      'error_code',
      'chargeback_reason',
      'actor',
    ],
    instants: [],
  },
  refund: {
    values: ['id', 'transaction_id', 'operation_id', 'amount_minor', 'currency', 'reason', 'status', 'error_code'],
    instants: ['failed_at'],
  },
} as const satisfies Record<string, { values: readonly string[]; instants: readonly string[] }>

export type AuditedTable = keyof typeof AUDITED_TABLES

/** The statement that reads rows as the log has them, by the transactions that they belong to. */
export function selectAudited(table: AuditedTable): string {
  const { values, instants } = AUDITED_TABLES[table]
  const fields = [
    ...values.map((column) => `'${column}', ${column}`),
    ...instants.map((column) => `'${column}', ${column} at time zone 'UTC'`),
  ]
  const chain = table === 'transaction' ? 'id' : 'transaction_id'
  return `select ${chain} as chain, jsonb_build_object(${fields.join(', ')}) as state from ${table}
    where ${chain} in (select jsonb_array_elements_text(?::jsonb))`
}
