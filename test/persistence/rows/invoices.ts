import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { InvoiceDetailEntity } from '../../../src/persistence/entities/invoice-detail.ts'
import { ADDRESS, AT, HOSTILE, rowsOf } from './values.ts'

/** An invoice with its line. */
export function makeInvoiceRows(seed: string) {
  const { ids, filled } = rowsOf(seed)
  const invoice = filled(InvoiceEntity, {
    referenceId: `reference-${seed}`,
    amountMinor: 99_999_999_999_9999,
    statementDescriptor: 'Shop * 1',
    statementDescriptorPhone: '+33 1 23 45 67 89',
    statementDescriptorCity: 'Paris',
    statementDescriptorUrl: 'https://shop.example/help',
    webhookUrl: 'https://shop.example/webhooks?a=1&b=2',
    returnUrl: 'com.example.shop://pay/return',
    cancelUrl: 'https://shop.example/cart',
    deviceChannel: 'android',
    device: { id: HOSTILE, ipAddress: '2001:db8::1', threedsSdk: 'android', platform: 'android' },
    merchantInitiatorType: 'recurring',
    initiationType: 'mit',
    paymentIntent: 'recurring-subscription',
    paymentType: 'moto',
    exemptionReason3ds2: 'low-value',
    challengeIndicator: 'challenge-requested',
    risk: { score: '12.5', isLegit: true, skipGatewayRules: false },
    shipping: {
      ...ADDRESS,
      amountMinor: 500,
      method: 'home',
      provider: 'DHL',
      delay: 'express',
      phoneNumber: '+33684758495',
      phone: { number: '684758495', dialingCode: '+33' },
      email: 'shopper@shop.example',
      firstName: HOSTILE,
      lastName: HOSTILE,
      expectsShippingAt: AT.toISOString(),
      relayStoreName: HOSTILE,
    },
    billing: ADDRESS,
    tax: { amountMinor: 100, rate: '5.5' },
    externalFraudTools: { forter: { a: HOSTILE }, ravelin: HOSTILE, signifyd: [1, null], riskified: null },
    paymentMethods: [{ type: HOSTILE }, 1],
    gatewayData: { nested: [{ a: HOSTILE }, 1, true, null] },
  })
  const invoiceDetail = filled(InvoiceDetailEntity, {
    position: 1,
    type: 'phone',
    amountMinor: 1_000,
    quantity: 3,
    discountMinor: 100,
    category: 'technology',
    condition: 'refurbished',
    capturedMinor: 2_900,
    refundedMinor: 2_900,
    captureOperationId: ids.attempt,
    refundOperationId: ids.result,
  })
  return { invoice, invoiceDetail }
}
