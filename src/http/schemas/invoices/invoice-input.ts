import type { ParsedBody } from '../../middleware/body.ts'
import { amountMinorOf } from '../fields/amount.ts'
import { defineInput, readInput } from '../fields/input.ts'
import { detailColumns } from './invoice-detail-input.ts'
import { INVOICE_CODES, type InvoiceFields, invoiceFields } from './invoice-fields.ts'
import { groupColumns } from './invoice-groups.ts'
import { type Circumstances, invoiceProblems } from './invoice-problems.ts'

export const INVOICE = defineInput(invoiceFields, INVOICE_CODES)

/**
 * What a merchant asks to be paid: the columns of a new invoice and of its lines.
 *
 * @throws ApiError where the request is not valid. Whether customer and token are the project's own is not told here.
 */
export function readInvoiceInput(body: ParsedBody, circumstances: Circumstances) {
  const input = readInput(INVOICE, body, (given) => invoiceProblems({ given, whole: given }, circumstances))
  return {
    invoice: {
      ...textColumns(input),
      ...groupColumns(input, input.currency),
      name: input.name,
      amountMinor: amountMinorOf(input.amount, input.currency),
      currency: input.currency,
    },
    details: (input.details ?? []).map((detail) => detailColumns(detail, input.currency)),
  }
}

/** The columns that do not depend on the currency. */
export function textColumns(input: Omit<InvoiceFields, 'name' | 'amount' | 'currency'>) {
  return {
    customerId: input.customer_id,
    tokenId: input.token_id,
    orderId: input.order_id,
    referenceId: input.reference_id,
    verification: input.verification ?? false,
    statementDescriptor: input.statement_descriptor,
    statementDescriptorPhone: input.statement_descriptor_phone,
    statementDescriptorCity: input.statement_descriptor_city,
    statementDescriptorCompany: input.statement_descriptor_company,
    statementDescriptorUrl: input.statement_descriptor_url,
    webhookUrl: input.webhook_url,
    returnUrl: input.return_url,
    cancelUrl: input.cancel_url,
    deviceChannel: input.device?.channel ?? 'web',
    merchantInitiatorType: input.merchant_initiator_type,
    initiationType: initiationTypeOf(input.initiation_type, input.merchant_initiator_type),
    paymentIntent: input.payment_intent,
    paymentType: input.payment_type,
    exemptionReason3ds2: input.exemption_reason_3ds2 ?? input.sca_exemption_reason,
    challengeIndicator: input.challenge_indicator,
    incremental: input.incremental ?? false,
    bypassIncrementalAuthorization: input.unsupported_feature_bypass?.incremental_authorization ?? false,
    autoCaptureAt: input.auto_capture_at ?? null,
    expiresAt: input.expires_at ?? null,
    awaitsExpiry: input.expires_at !== undefined,
    expiredAt: null,
    requireBackendCapture: input.require_backend_capture ?? false,
    paymentMethods: input.payment_methods?.length ? input.payment_methods : null,
    metadata: input.metadata,
    gatewayData: input.gateway_data,
  }
}

/** Whoever names the kind of merchant initiation has said who initiates. */
export function initiationTypeOf(given: string | null, merchantInitiatorType: string | null | undefined) {
  return given ?? (merchantInitiatorType == null ? null : 'mit')
}
