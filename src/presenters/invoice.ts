import { invoiceStatus } from '../../domain/invoice-status.ts'
import { formatAmount } from '../../domain/money.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentInvoiceDetail } from './invoice-detail.ts'
import { presentBilling, presentDevice, presentRisk, presentShipping, presentTax } from './invoice-groups.ts'
import { presentTimestamp } from './timestamp.ts'

/** What is shown beside the row of an invoice. */
export interface InvoiceParts {
  /** The lines in their order. */
  details?: readonly InvoiceDetailRow[]
  /** By which the end of the invoice is judged. */
  now?: Date
}

/** An invoice as merchants see it; what is not expanded is null. The amount stays what was asked for. */
export function presentInvoice(
  row: InvoiceRow,
  transaction: Pick<TransactionRow, 'id' | 'status'> | null,
  { details = [], now }: InvoiceParts = {},
) {
  return {
    id: row.id,
    project_id: row.projectId,
    // There are no subscriptions; clients that were written for the documented invoice read the field.
    subscription_id: null,
    customer_id: row.customerId ?? null,
    customer: null,
    token_id: row.tokenId ?? null,
    token: null,
    details: details.length === 0 ? null : details.map((detail) => presentInvoiceDetail(detail, row.currency)),
    transaction_id: transaction?.id ?? null,
    transaction: null,
    name: row.name,
    order_id: row.orderId ?? null,
    reference_id: row.referenceId ?? null,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    status: invoiceStatus(transaction?.status ?? null, { expiresAt: row.expiresAt, expiredAt: row.expiredAt, now }),
    verification: row.verification,
    metadata: row.metadata,
    gateway_data: row.gatewayData,
    exemption_reason_3ds2: row.exemptionReason3ds2 ?? null,
    sca_exemption_reason: row.exemptionReason3ds2 ?? null,
    challenge_indicator: row.challengeIndicator ?? null,
    ...presentStatement(row),
    webhook_url: row.webhookUrl ?? null,
    return_url: row.returnUrl ?? null,
    cancel_url: row.cancelUrl ?? null,
    merchant_initiator_type: row.merchantInitiatorType ?? null,
    initiation_type: row.initiationType ?? null,
    payment_intent: row.paymentIntent ?? null,
    payment_type: row.paymentType ?? null,
    incremental: row.incremental,
    unsupported_feature_bypass: {
      incremental_authorization: row.bypassIncrementalAuthorization,
      split_payments: false,
    },
    auto_capture_at: presentTimestamp(row.autoCaptureAt),
    expires_at: presentTimestamp(row.expiresAt),
    require_backend_capture: row.requireBackendCapture,
    ...presentGroups(row),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

function presentStatement(row: InvoiceRow) {
  return {
    statement_descriptor: row.statementDescriptor ?? '',
    statement_descriptor_phone: row.statementDescriptorPhone ?? null,
    statement_descriptor_city: row.statementDescriptorCity ?? null,
    statement_descriptor_company: row.statementDescriptorCompany ?? null,
    statement_descriptor_url: row.statementDescriptorUrl ?? null,
  }
}

function presentGroups(row: InvoiceRow) {
  return {
    device: presentDevice(row.deviceChannel, row.device ?? null),
    risk: presentRisk(row.risk ?? null),
    shipping: presentShipping(row.shipping ?? null, row.currency),
    billing: presentBilling(row.billing ?? null),
    tax: presentTax(row.tax ?? null, row.currency),
    external_fraud_tools: row.externalFraudTools ?? null,
    payment_methods: row.paymentMethods ?? null,
  }
}
