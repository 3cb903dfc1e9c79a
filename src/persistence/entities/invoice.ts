import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** What is asked for. `transaction_id` is not a column: an invoice has one transaction at most, found by its id. */
export const InvoiceEntity = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    name: p.string(),
    orderId: p.string().nullable(),
    amountMinor: p.bigint('number'),
    currency: p.string(),
    statementDescriptor: p.string().nullable(),
    webhookUrl: p.string().nullable(),
    returnUrl: p.string().nullable(),
    deviceChannel: p.string(),
    merchantInitiatorType: p.string().nullable(),
    exemptionReason3ds2: p.string().name('exemption_reason_3ds2').nullable(),
    challengeIndicator: p.string().nullable(),
    incremental: p.boolean(),
    bypassIncrementalAuthorization: p.boolean(),
    autoCaptureAt: p.datetime(3).nullable(),
    metadata: p.json<Record<string, string>>(),
    gatewayData: p.json<Record<string, unknown>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type InvoiceRow = InferEntity<typeof InvoiceEntity>
