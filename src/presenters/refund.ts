import { formatAmount } from '../../domain/money.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import { presentTimestamp } from './values.ts'

/** A refund. `has_failed` is the field of the interface; `status` also tells whether it is done. */
export function presentRefund(row: RefundRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    transaction_id: row.transactionId,
    transaction: null,
    operation_id: row.operationId,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    reason: row.reason,
    information: row.information ?? null,
    metadata: row.metadata,
    invoice_detail_ids: row.detailIds ?? [],
    status: row.status,
    has_failed: row.status === 'failed',
    error_code: row.errorCode ?? null,
    failed_at: presentTimestamp(row.failedAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
