import type { BillingAddress, Device, Phone, Shipping, Tax } from '../../../persistence/entities/invoice-groups.ts'
import { amountMinorOf } from '../fields/amount.ts'
import type { InvoiceFields } from './invoice-fields.ts'

type Groups = Pick<InvoiceFields, 'device' | 'risk' | 'shipping' | 'billing' | 'tax' | 'external_fraud_tools'>

/** The groups of an invoice as they are stored; one of which nothing is known is null. */
export function groupColumns(input: Groups, currency: string) {
  return {
    device: known(deviceOf(input.device ?? {})),
    risk: known({
      score: input.risk?.score ?? null,
      isLegit: input.risk?.is_legit ?? null,
      skipGatewayRules: input.risk?.skip_gateway_rules ?? null,
    }),
    shipping: known(shippingOf(input.shipping ?? {}, currency)),
    billing: known(addressOf(input.billing ?? {})),
    tax: known(taxOf(input.tax ?? {}, currency)),
    externalFraudTools: known({
      forter: input.external_fraud_tools?.forter ?? null,
      ravelin: input.external_fraud_tools?.ravelin ?? null,
      signifyd: input.external_fraud_tools?.signifyd ?? null,
      riskified: input.external_fraud_tools?.riskified ?? null,
    }),
  }
}

function known<Group extends object>(group: Group): Group | null {
  return Object.values(group).every((value) => value === null) ? null : group
}

/** A device as it is stored, but for its channel. */
export function deviceOf({ id, ip_address, threeds_sdk, platform }: Partial<NonNullable<Groups['device']>>): Device {
  return {
    id: id ?? null,
    ipAddress: ip_address ?? null,
    threedsSdk: threeds_sdk ?? null,
    platform: platform ?? null,
  }
}

function addressOf(input: Partial<NonNullable<Groups['billing']>>): BillingAddress {
  return {
    address1: input.address1 ?? null,
    address2: input.address2 ?? null,
    city: input.city ?? null,
    state: input.state ?? null,
    countryCode: input.country_code ?? null,
    zip: input.zip ?? null,
  }
}

function shippingOf(input: Partial<NonNullable<Groups['shipping']>>, currency: string): Shipping {
  return {
    ...addressOf(input),
    amountMinor: minorOf(input.amount, currency),
    method: input.method ?? null,
    provider: input.provider ?? null,
    delay: input.delay ?? null,
    phoneNumber: input.phone_number ?? null,
    phone: phoneOf(input.phone),
    email: input.email ?? null,
    firstName: input.first_name ?? null,
    lastName: input.last_name ?? null,
    expectsShippingAt: input.expects_shipping_at?.toISOString() ?? null,
    relayStoreName: input.relay_store_name ?? null,
  }
}

function phoneOf(input: NonNullable<Groups['shipping']>['phone']): Phone | null {
  return known({ number: input?.number ?? null, dialingCode: input?.dialing_code ?? null })
}

function taxOf({ amount, rate }: Partial<NonNullable<Groups['tax']>>, currency: string): Tax {
  return { amountMinor: minorOf(amount, currency), rate: rate ?? null }
}

function minorOf(amount: string | undefined, currency: string): number | null {
  return amount === undefined ? null : amountMinorOf(amount, currency)
}
