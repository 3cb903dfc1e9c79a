import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

export const TOKEN_TYPES = ['card', 'gateway_token', 'bank_account', 'pending'] as const
export type TokenType = (typeof TOKEN_TYPES)[number]

export const VERIFICATION_STATUSES = ['success', 'pending', 'failed', 'not-requested', 'unknown'] as const
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number]

/** The scheme's id of the first payment of a series. `obtained_at` is RFC 3339 in UTC. */
export interface SchemeTransactionId {
  id: string
  obtained_at: string
}

/** By the scheme's lower-case API name: another scheme does not know the id. */
export type SchemeTransactionIds = Readonly<Record<string, SchemeTransactionId>>

/** A payment source stored for a customer. While its card is unknown, a token is `pending` and cannot be charged. */
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
    /** The gateway's id of a source that it stores itself; the `gatewayRequest` of its payments. */
    gatewayToken: p.string().nullable(),
    /** The customer's preferred scheme of the card; overrides that of the card. */
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
