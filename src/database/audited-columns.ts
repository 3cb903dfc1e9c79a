/**
 * The columns of each table that the audit log contains: money state, its owner, and permissions. Card data, personal data
 * and free text are excluded, since customers are erased and the log is not. audit-triggers.ts makes the log's functions
 * and triggers from this list, and the verification uses it.
 */
export const AUDITED_TABLES = {
  transaction: {
    values: words(`
      id project_id sandbox invoice_id customer_id card_id token_id gateway_name gateway_configuration_id
      gateway_authorization_id scheme_id initial_scheme_transaction_id scheme_used currency status amount_minor
      authorized_minor captured_minor voided_minor refunded_minor capturing_minor refunding_minor incremented_minor
      incremental increment_attempts attempts_count captures_count attempts_in_flight orphans disputes
      needs_attention expired authorization_validity_ms clock_offset_ms auto_capture_amount_minor
      auto_capture_detail_ids auto_capture_is_final auto_capture_failures received_fraud_notification
      received_retrieval_request error_code authentication`),
    instants: words(`
      outcome_unknown_since authorized_at authorization_expires_at auto_capture_at auto_capture_retry_at captured_at
      voided_at refunded_at chargedback_at`),
    nothing: {
      '0': words(`
        authorized_minor captured_minor voided_minor refunded_minor capturing_minor refunding_minor incremented_minor
        increment_attempts captures_count clock_offset_ms auto_capture_failures`),
      false: words('incremental needs_attention expired received_fraud_notification received_retrieval_request'),
      '[]': words('attempts_in_flight orphans disputes'),
    },
  },
  operation: {
    values: words(`
      id project_id sandbox transaction_id card_id token_id type is_attempt attempt_operation_id corrected_attempt_id
      outcome has_failed is_accountable amount_minor target_total_minor currency is_final refund_id
      gateway_configuration_id gateway_operation_id gateway_authorization_id error_code chargeback_reason
      dispute_step dispute_id disputed_minor reason is_sale actor person_id authentication`),
    instants: ['evidence_due_at'],
    nothing: { false: words('is_attempt has_failed is_accountable is_sale') },
  },
  refund: {
    values: words('id project_id sandbox transaction_id operation_id amount_minor currency reason status error_code'),
    instants: ['failed_at'],
  },
  project: {
    values: words(`
      id default_currency accepts_partial_approvals primary_limit secondary_limit sandbox_limit client_address_limit
      client_invoice_limit allows_client_captures allows_client_overrides allows_client_amounts page_origins
      blocks_stopped_payments enforces_retry_after requires_second_factor enforces_network_limits visa_reattempts
      mastercard_declines_per_day mastercard_declines_per_amount client_failures_per_invoice client_failures_per_card
      client_failures_per_project`),
    instants: ['suspended_at'],
  },
  api_key: {
    values: ['id', 'project_id', 'sandbox', 'permissions'],
    instants: ['revoked_at'],
    digests: ['secret_hash'],
  },
  person: {
    values: ['id'],
    instants: ['disabled_at', 'reset_expires_at'],
    digests: ['password_hash', 'reset_hash'],
  },
  project_member: { values: ['id', 'project_id', 'role'], instants: [] },
  gateway_configuration: {
    values: words(`
      id project_id sandbox gateway_name enabled default_preferred_scheme capabilities authorization_validity
      settings default_currency processing_region merchant_account_country_code`),
    instants: ['draining_since', 'deleted_at'],
    digests: ['credentials_hash'],
  },
  rule_set: {
    values: ['id', 'project_id', 'sandbox', 'version', 'default_currency', 'created_by'],
    instants: [],
    digests: ['rules'],
  },
  active_rule_set: { values: ['id', 'project_id', 'sandbox', 'rule_set_id'], instants: [] },
} as const satisfies Record<string, Columns>

export interface Columns {
  values: readonly string[]
  instants: readonly string[]
  /** Columns logged only as SHA-256, under their name and `_digest`. */
  digests?: readonly string[]
  /**
   * The values that say nothing, with the columns, never null, that the entry of a new row leaves out where they have them. Columns
   * are only ever added: an older entry without one of them would be read as if the row had had no value.
   */
  nothing?: Readonly<Partial<Record<'0' | 'false' | '[]', readonly string[]>>>
}

/** The names in a text, between spaces. */
function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}

export type AuditedTable = keyof typeof AUDITED_TABLES

/**
 * The tables in the chain of a project, or of the service where a row belongs to none; the others are in those of
 * transactions.
 */
const SETTINGS: readonly string[] = [
  'project',
  'api_key',
  'person',
  'project_member',
  'gateway_configuration',
  'rule_set',
  'active_rule_set',
] satisfies AuditedTable[]

/** True for a table in the chain of its project; the rows of all others are in that of their transaction. */
export function isSettings(table: string): boolean {
  return SETTINGS.includes(table)
}

/** What a new row has in the columns that its entry leaves out. */
export function nothingIn(table: string): Record<string, unknown> {
  const { nothing = {} }: Columns = AUDITED_TABLES[table as AuditedTable]
  return Object.fromEntries(
    Object.entries(nothing).flatMap(([value, columns]) => columns.map((column) => [column, JSON.parse(value)])),
  )
}

/** A PostgreSQL function takes a hundred arguments: fifty columns with their names. */
const COLUMNS_OF_A_CALL = 50

/** SQL: the logged JSON of a row. */
export function auditedState(table: AuditedTable, row = table as string): string {
  const { values, instants, digests = [] }: Columns = AUDITED_TABLES[table]
  const fields = [
    ...values.map((column) => `'${column}', ${row}.${column}`),
    ...instants.map((column) => `'${column}', ${row}.${column} at time zone 'UTC'`),
    ...digests.map((column) => `'${column}_digest', encode(sha256(convert_to(${row}.${column}::text, 'UTF8')), 'hex')`),
  ]
  const objects = Array.from({ length: Math.ceil(fields.length / COLUMNS_OF_A_CALL) }, (_, index) => {
    const some = fields.slice(index * COLUMNS_OF_A_CALL, (index + 1) * COLUMNS_OF_A_CALL)
    return `jsonb_build_object(\n    ${some.join(',\n    ')})`
  })
  return objects.join(' || ')
}
