import { amountMinorOf } from '../../http/input/amount.ts'
import { columnsIn, columnsOf, without } from '../../http/input/columns.ts'
import { defineInput, readInput } from '../../http/input/input.ts'
import type { ParsedBody } from '../../http/middleware/body.ts'
import { ADDRESS, PHONE } from '../../objects/contacts.ts'
import { takenNames } from '../../objects/fields.ts'
import { INVOICE_CODES, type InvoiceFields, invoiceInput } from '../../objects/invoice.ts'
import { FRAUD_TOOLS, RISK, SHIPPING } from '../../objects/invoice-groups.ts'
import type { Device, Shipping } from '../../persistence/entities/invoice-groups.ts'
import { detailColumns } from './invoice-detail-input.ts'
import { type Circumstances, invoiceProblems } from './invoice-problems.ts'

export const INVOICE = defineInput(invoiceInput, INVOICE_CODES)

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

/** The fields that are no column of their name. */
const OF_THEIR_OWN = [
  ...(['name', 'amount', 'currency', 'details', 'device', 'risk', 'shipping', 'billing', 'tax'] as const),
  ...(['external_fraud_tools', 'sca_exemption_reason', 'unsupported_feature_bypass'] as const),
]

/** The columns independent of the currency. */
export function textColumns(input: Omit<InvoiceFields, 'name' | 'amount' | 'currency'>) {
  const { device, unsupported_feature_bypass: bypass } = input
  return {
    ...columnsOf(without(input as InvoiceFields, OF_THEIR_OWN)),
    verification: input.verification ?? false,
    deviceChannel: device?.channel ?? 'web',
    initiationType: initiationTypeOf(input.initiation_type, input.merchant_initiator_type),
    exemptionReason3ds2: input.exemption_reason_3ds2 ?? input.sca_exemption_reason,
    incremental: input.incremental ?? false,
    bypassIncrementalAuthorization: bypass?.incremental_authorization ?? false,
    autoCaptureAt: input.auto_capture_at ?? null,
    expiresAt: input.expires_at ?? null,
    awaitsExpiry: input.expires_at !== undefined,
    expiredAt: null,
    requireBackendCapture: input.require_backend_capture ?? false,
    paymentMethods: input.payment_methods?.length ? input.payment_methods : null,
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
    risk: known(columnsIn(input.risk, takenNames(RISK))),
    shipping: known(shippingOf(input.shipping, currency)),
    billing: known(columnsIn(input.billing, takenNames(ADDRESS))),
    tax: known({ amountMinor: minorOf(input.tax?.amount, currency), rate: input.tax?.rate ?? null }),
    externalFraudTools: known(columnsIn(input.external_fraud_tools, takenNames(FRAUD_TOOLS))),
  }
}

function known<Group extends object>(group: Group): Group | null {
  return Object.values(group).every((value) => value === null) ? null : group
}

/** The stored device, without its channel. */
export function deviceOf(input: Groups['device']): Device {
  return columnsIn(input, ['id', 'ip_address', 'threeds_sdk', 'platform'])
}

/** The fields of a shipping that are no column of their name. */
const OF_SHIPPING = ['amount', 'phone', 'expects_shipping_at'] as const

function shippingOf(input: Groups['shipping'], currency: string): Shipping {
  return {
    ...columnsIn(input, takenNames(without(SHIPPING, OF_SHIPPING))),
    amountMinor: minorOf(input?.amount, currency),
    phone: known(columnsIn(input?.phone, takenNames(PHONE))),
    expectsShippingAt: input?.expects_shipping_at?.toISOString() ?? null,
  }
}

function minorOf(amount: string | undefined, currency: string): number | null {
  return amount === undefined ? null : amountMinorOf(amount, currency)
}
