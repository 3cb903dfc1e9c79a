import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

export type TokenType = 'card' | 'gateway_token' | 'bank_account' | 'pending'

export type VerificationStatus = 'success' | 'pending' | 'failed' | 'not-requested' | 'unknown'

/** What a scheme called the first payment of a series. `obtained_at` is RFC 3339 in UTC. */
export interface SchemeTransactionId {
  id: string
  obtained_at: string
}

/** By scheme in the interface's lower-case names: what one scheme gave means nothing to another. */
export type SchemeTransactionIds = Readonly<Record<string, SchemeTransactionId>>

/** A payment source stored for a customer. One whose card is not known yet is `pending` and cannot be charged. */
export const CustomerTokenEntity = defineEntity({
  name: 'CustomerToken',
  tableName: 'customer_token',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    customerId: p.string(),
    cardId: p.string().nullable(),
    /** The invoice that verified it. */
    invoiceId: p.string().nullable(),
    gatewayConfigurationId: p.string().nullable(),
    /** What the gateway calls a source that it keeps itself; the `gatewayRequest` of its payments. */
    gatewayToken: p.string().nullable(),
    /** Which of the schemes of its card the customer wants; counts before that of the card. */
    preferredScheme: p.string().nullable(),
    type: p.string().$type<TokenType>(),
    isChargeable: p.boolean(),
    isSubscriptionOnly: p.boolean(),
    summary: p.string().nullable(),
    description: p.string().nullable(),
    verificationStatus: p.string().$type<VerificationStatus>(),
    schemeTransactionIds: p.json<SchemeTransactionIds>(),
    returnUrl: p.string().nullable(),
    cancelUrl: p.string().nullable(),
    webhookUrl: p.string().nullable(),
    manualInvoiceCancellation: p.boolean(),
    metadata: p.json<Record<string, string>>(),
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type CustomerTokenRow = InferEntity<typeof CustomerTokenEntity>
