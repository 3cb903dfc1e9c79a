import { invoiceStatus } from '../../domain/invoice-status.ts'
import { formatAmount } from '../../domain/money.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { PostalAddress, RiskAssessment, Shipping } from '../persistence/entities/invoice-groups.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentAmount, presentTimestamp } from './values.ts'

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
    device: presentDevice(row),
    risk: presentRisk(row.risk ?? null),
    shipping: presentShipping(row.shipping ?? null, row.currency),
    billing: row.billing ? presentPostalAddress(row.billing) : null,
    tax: row.tax ? { amount: presentAmount(row.tax.amountMinor, row.currency), rate: row.tax.rate } : null,
    external_fraud_tools: row.externalFraudTools ?? null,
    payment_methods: row.paymentMethods ?? null,
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

function presentDevice({ deviceChannel: channel, device }: InvoiceRow) {
  return {
    channel,
    id: device?.id ?? null,
    ip_address: device?.ipAddress ?? null,
    threeds_sdk: device?.threedsSdk ?? null,
    platform: device?.platform ?? null,
  }
}

function presentRisk(risk: RiskAssessment | null) {
  return risk && { score: risk.score, is_legit: risk.isLegit, skip_gateway_rules: risk.skipGatewayRules }
}

function presentShipping(shipping: Shipping | null, currency: string) {
  return (
    shipping && {
      amount: presentAmount(shipping.amountMinor, currency),
      method: shipping.method,
      provider: shipping.provider,
      delay: shipping.delay,
      ...presentPostalAddress(shipping),
      phone_number: shipping.phoneNumber,
      phone: shipping.phone && { number: shipping.phone.number, dialing_code: shipping.phone.dialingCode },
      email: shipping.email,
      first_name: shipping.firstName,
      last_name: shipping.lastName,
      expects_shipping_at: shipping.expectsShippingAt,
      relay_store_name: shipping.relayStoreName,
    }
  )
}

function presentPostalAddress(address: PostalAddress) {
  return {
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    state: address.state,
    country_code: address.countryCode,
    zip: address.zip,
  }
}

/** One line of an invoice, in the invoice's currency. `amount` is the price of one piece. */
function presentInvoiceDetail(row: InvoiceDetailRow, currency: string) {
  return {
    id: row.id,
    name: row.name,
    type: row.type ?? null,
    amount: formatAmount(row.amountMinor, currency),
    quantity: row.quantity,
    discount_amount: presentAmount(row.discountMinor, currency),
    captured_amount: formatAmount(row.capturedMinor, currency),
    refunded_amount: formatAmount(row.refundedMinor, currency),
    metadata: row.metadata,
    category: row.category ?? null,
    reference: row.reference ?? null,
    description: row.description ?? null,
    brand: row.brand ?? null,
    model: row.model ?? null,
    condition: row.condition ?? null,
    marketplace_merchant: row.marketplaceMerchant ?? null,
    marketplace_merchant_is_business: row.marketplaceMerchantIsBusiness ?? null,
    marketplace_merchant_created_at: presentTimestamp(row.marketplaceMerchantCreatedAt),
  }
}
