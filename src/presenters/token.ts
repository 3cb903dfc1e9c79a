import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import { presentTimestamp } from './values.ts'

/**
 * A stored payment source as merchants see it; what is not expanded is null.
 *
 * @param customer its owner, whose row tells which token is the default one.
 */
export function presentToken(row: CustomerTokenRow, customer: { defaultTokenId?: string | null | undefined }) {
  return {
    id: row.id,
    project_id: row.projectId,
    customer_id: row.customerId,
    customer: null,
    card_id: row.cardId ?? null,
    card: null,
    gateway_configuration_id: row.gatewayConfigurationId ?? null,
    gateway_configuration: null,
    invoice_id: row.invoiceId ?? null,
    invoice: null,
    type: row.type,
    is_default: customer.defaultTokenId === row.id,
    is_chargeable: row.isChargeable,
    is_subscription_only: row.isSubscriptionOnly,
    summary: row.summary ?? null,
    description: row.description ?? null,
    preferred_scheme: row.preferredScheme ?? null,
    verification_status: row.verificationStatus,
    scheme_transaction_ids: row.schemeTransactionIds,
    return_url: row.returnUrl ?? null,
    cancel_url: row.cancelUrl ?? null,
    webhook_url: row.webhookUrl ?? null,
    manual_invoice_cancellation: row.manualInvoiceCancellation,
    can_get_balance: false,
    metadata: row.metadata,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}
