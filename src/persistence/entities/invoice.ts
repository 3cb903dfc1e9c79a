import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { BillingAddress, Device, ExternalFraudTools, RiskAssessment, Shipping, Tax } from './invoice-groups.ts'

/** A merchant's request for payment. `transaction_id` is no column: the one transaction is found by the invoice id. */
export const InvoiceEntity = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    customerId: p.string().nullable(),
    tokenId: p.string().nullable(),
    name: p.string(),
    orderId: p.string().nullable(),
    referenceId: p.string().nullable(),
    /** Zero on an invoice that only verifies a payment source. */
    amountMinor: p.bigint('number'),
    currency: p.string(),
    /** Whether it has lines. */
    hasDetails: p.boolean().default(false),
    verification: p.boolean().default(false),
    statementDescriptor: p.string().nullable(),
    statementDescriptorPhone: p.string().nullable(),
    statementDescriptorCity: p.string().nullable(),
    statementDescriptorCompany: p.string().nullable(),
    statementDescriptorUrl: p.string().nullable(),
    webhookUrl: p.string().nullable(),
    returnUrl: p.string().nullable(),
    cancelUrl: p.string().nullable(),
    deviceChannel: p.string(),
    /** The data of the device besides its channel. */
    device: p.json<Device>().nullable(),
    merchantInitiatorType: p.string().nullable(),
    initiationType: p.string().nullable(),
    paymentIntent: p.string().nullable(),
    paymentType: p.string().nullable(),
    exemptionReason3ds2: p.string().name('exemption_reason_3ds2').nullable(),
    challengeIndicator: p.string().nullable(),
    incremental: p.boolean(),
    bypassIncrementalAuthorization: p.boolean(),
    autoCaptureAt: p.datetime(3).nullable(),
    /** No authorization may begin after this instant. */
    expiresAt: p.datetime(3).nullable(),
    /** True until the expiry is decided; false without one. */
    awaitsExpiry: p.boolean().default(false),
    /** When the invoice was found expired and unpaid; its event was fired in the same transaction. */
    expiredAt: p.datetime(3).nullable(),
    requireBackendCapture: p.boolean().default(false),
    risk: p.json<RiskAssessment>().nullable(),
    shipping: p.json<Shipping>().nullable(),
    billing: p.json<BillingAddress>().nullable(),
    tax: p.json<Tax>().nullable(),
    externalFraudTools: p.json<ExternalFraudTools>().nullable(),
    paymentMethods: p.json<unknown[]>().nullable(),
    metadata: p.json<Record<string, string>>(),
    gatewayData: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type InvoiceRow = InferEntity<typeof InvoiceEntity>
