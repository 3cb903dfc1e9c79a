import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/**
 * One line of an invoice. Its total is `lineAmountMinor` of `domain/invoice-detail.ts`, in the invoice's currency. Lines
 * keep the merchant's order.
 */
export const InvoiceDetailEntity = defineEntity({
  name: 'InvoiceDetail',
  tableName: 'invoice_detail',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    invoiceId: p.string(),
    /** Counts the lines of one invoice, from 1. */
    position: p.integer(),
    name: p.string(),
    type: p.string().nullable(),
    amountMinor: p.bigint('number'),
    quantity: p.integer(),
    discountMinor: p.bigint('number').nullable(),
    metadata: p.json<Record<string, string>>(),
    category: p.string().nullable(),
    reference: p.string().nullable(),
    description: p.string().nullable(),
    brand: p.string().nullable(),
    model: p.string().nullable(),
    condition: p.string().nullable(),
    marketplaceMerchant: p.string().nullable(),
    marketplaceMerchantIsBusiness: p.boolean().nullable(),
    marketplaceMerchantCreatedAt: p.datetime(3).nullable(),
    /** The amounts captured and refunded by naming this line. */
    capturedMinor: p.bigint('number').default(0),
    refundedMinor: p.bigint('number').default(0),
    /** The attempts that named this line: a line is captured once and refunded once. */
    captureOperationId: p.string().nullable(),
    refundOperationId: p.string().nullable(),
    createdAt: p.datetime(3),
  },
})

export type InvoiceDetailRow = InferEntity<typeof InvoiceDetailEntity>
