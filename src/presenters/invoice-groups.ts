import type {
  BillingAddress,
  Device,
  PostalAddress,
  RiskAssessment,
  Shipping,
  Tax,
} from '../persistence/entities/invoice-groups.ts'
import { presentAmount } from './amount.ts'

export function presentDevice(channel: string, device: Device | null) {
  return {
    channel,
    id: device?.id ?? null,
    ip_address: device?.ipAddress ?? null,
    threeds_sdk: device?.threedsSdk ?? null,
    platform: device?.platform ?? null,
  }
}

export function presentRisk(risk: RiskAssessment | null) {
  return risk && { score: risk.score, is_legit: risk.isLegit, skip_gateway_rules: risk.skipGatewayRules }
}

export function presentShipping(shipping: Shipping | null, currency: string) {
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

export function presentBilling(billing: BillingAddress | null) {
  return billing && presentPostalAddress(billing)
}

export function presentTax(tax: Tax | null, currency: string) {
  return tax && { amount: presentAmount(tax.amountMinor, currency), rate: tax.rate }
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
