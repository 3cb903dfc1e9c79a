import type { Device, Shipping } from '../../../persistence/entities/invoice-groups.ts'
import { amountMinorOf } from '../fields/amount.ts'
import { columnsIn } from '../fields/columns.ts'
import type { InvoiceFields } from './invoice-fields.ts'

type Groups = Pick<InvoiceFields, 'device' | 'risk' | 'shipping' | 'billing' | 'tax' | 'external_fraud_tools'>

/** The groups of an invoice as they are stored; one of which nothing is known is null. */
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

/** A device as it is stored, but for its channel. */
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
