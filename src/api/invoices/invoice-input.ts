import { amountMinorOf } from '../../http/input/amount.ts'
import { columnsIn } from '../../http/input/columns.ts'
import { defineInput, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import type { Device, Shipping } from '../../persistence/entities/invoice-groups.ts'
import { detailColumns } from './invoice-detail-input.ts'
import { INVOICE_CODES, type InvoiceFields, invoiceFields } from './invoice-fields.ts'
import { type Circumstances, invoiceProblems } from './invoice-problems.ts'

export const INVOICE = defineInput(invoiceFields, INVOICE_CODES)

/**
 * Parses a new invoice: its columns, and those of its lines.
 *
 * @throws ApiError for an invalid request. The existence of customer and token is checked elsewhere.
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

/** The columns independent of the currency. */
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

/** A kind of merchant initiation implies that the merchant initiates. */
export function initiationTypeOf(given: string | null, merchantInitiatorType: string | null | undefined) {
  return given ?? (merchantInitiatorType == null ? null : 'mit')
}

type Groups = Pick<InvoiceFields, 'device' | 'risk' | 'shipping' | 'billing' | 'tax' | 'external_fraud_tools'>

/** The stored groups of an invoice; a group without values is null. */
export function groupColumns(input: Groups, currency: string) {
  return {
    device: known(deviceOf(input.device)),
    risk: known(columnsIn(input.risk, ['score', 'is_legit', 'skip_gateway_rules'])),
    shipping: known(shippingOf(input.shipping, currency)),
    billing: known(columnsIn(input.billing, ADDRESS)),
    tax: known({ amountMinor: minorOf(input.tax?.amount, currency), rate: input.tax?.rate ?? null }),
    externalFraudTools: known(columnsIn(input.external_fraud_tools, ['forter', 'ravelin', 'signifyd', 'riskified'])),
  }
}

const ADDRESS = ['address1', 'address2', 'city', 'state', 'country_code', 'zip'] as const

function known<Group extends object>(group: Group): Group | null {
  return Object.values(group).every((value) => value === null) ? null : group
}

/** The stored device, without its channel. */
export function deviceOf(input: Groups['device']): Device {
  return columnsIn(input, ['id', 'ip_address', 'threeds_sdk', 'platform'])
}

function shippingOf(input: Groups['shipping'], currency: string): Shipping {
  return {
    ...columnsIn(input, ADDRESS),
    ...columnsIn(input, ['method', 'provider', 'delay', 'phone_number', 'email', 'first_name', 'last_name']),
    amountMinor: minorOf(input?.amount, currency),
    phone: known(columnsIn(input?.phone, ['number', 'dialing_code'])),
    expectsShippingAt: input?.expects_shipping_at?.toISOString() ?? null,
    relayStoreName: input?.relay_store_name ?? null,
  }
}

function minorOf(amount: string | undefined, currency: string): number | null {
  return amount === undefined ? null : amountMinorOf(amount, currency)
}
