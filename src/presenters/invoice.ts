import { formatAmount } from '../../domain/money.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { invoiceStatus } from './invoice-status.ts'
import { presentTimestamp } from './timestamp.ts'

/** An invoice with every field of the specification's table. The amount stays what was asked for. */
export function presentInvoice(row: InvoiceRow, transaction: Pick<TransactionRow, 'id' | 'status'> | null) {
  return {
    id: row.id,
    project_id: row.projectId,
    subscription_id: null,
    customer_id: null,
    token_id: null,
    details: null,
    transaction_id: transaction?.id ?? null,
    name: row.name,
    order_id: row.orderId ?? null,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    status: invoiceStatus(transaction?.status ?? null),
    metadata: row.metadata,
    gateway_data: row.gatewayData,
    exemption_reason_3ds2: row.exemptionReason3ds2 ?? null,
    sca_exemption_reason: row.exemptionReason3ds2 ?? null,
    challenge_indicator: row.challengeIndicator ?? null,
    statement_descriptor: row.statementDescriptor ?? '',
    webhook_url: row.webhookUrl ?? null,
    return_url: row.returnUrl ?? null,
    device: { channel: row.deviceChannel },
    merchant_initiator_type: row.merchantInitiatorType ?? null,
    incremental: row.incremental,
    unsupported_feature_bypass: { incremental_authorization: row.bypassIncrementalAuthorization },
    auto_capture_at: presentTimestamp(row.autoCaptureAt),
    expires_at: null,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
