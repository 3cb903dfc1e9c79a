import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import type { CardChecks } from '../../../domain/operation.ts'
import type { AttemptInFlight, Orphan } from '../../../domain/payment.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'

/** The record of getting an invoice paid. Its money columns are `domain/payment.ts`'s Payment. */
export const TransactionEntity = defineEntity({
  name: 'Transaction',
  tableName: 'transaction',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    invoiceId: p.string(),
    customerId: p.string().nullable(),
    tokenId: p.string().nullable(),
    cardId: p.string().nullable(),
    /** The gateway's own continuation, where the payment had one in place of a card. */
    gatewayRequest: p.string().nullable(),
    /** Null as long as no gateway was chosen, because a routing rule refused the payment. */
    gatewayConfigurationId: p.string().nullable(),
    gatewayName: p.string().nullable(),
    name: p.string(),
    currency: p.string(),
    status: p.string().$type<TransactionStatus>(),
    amountMinor: p.bigint('number'),
    authorizedMinor: p.bigint('number'),
    capturedMinor: p.bigint('number'),
    voidedMinor: p.bigint('number'),
    refundedMinor: p.bigint('number'),
    /** What captures and refunds under way may still take or give back; the constraints of the table count it. */
    capturingMinor: p.bigint('number').default(0),
    refundingMinor: p.bigint('number').default(0),
    incrementedMinor: p.bigint('number'),
    incremental: p.boolean(),
    incrementAttempts: p.integer(),
    attemptsCount: p.integer(),
    capturesCount: p.integer().default(0),
    attemptsInFlight: p.json<AttemptInFlight[]>().onCreate(() => []),
    orphans: p.json<Orphan[]>().onCreate(() => []),
    /** When the clock asks next for something, and when an unknown outcome is looked up next: both follow from the rest. */
    nextDueAt: p.datetime(3).nullable(),
    nextLookUpAt: p.datetime(3).nullable(),
    /** The version of the routing rules that the last try of the payment was routed by; null where there are none. */
    ruleSetId: p.string().nullable(),
    ruleSetVersion: p.integer().nullable(),
    routingTags: p.json<string[]>().onCreate(() => []),
    needsAttention: p.boolean().default(false),
    /** Since when an outcome is not known; null while all are. */
    outcomeUnknownSince: p.datetime(3).nullable(),
    /** What the gateway's account can do for this payment. */
    capabilities: p.json<Capabilities>().onCreate(() => ALL_CAPABILITIES),
    authorizationValidityMs: p.bigint('number').default(AUTHORIZATION_VALIDITY_MS),
    expired: p.boolean(),
    authorizedAt: p.datetime(3).nullable(),
    authorizationExpiresAt: p.datetime(3).nullable(),
    autoCaptureAt: p.datetime(3).nullable(),
    autoCaptureAmountMinor: p.bigint('number').nullable(),
    autoCaptureDetailIds: p.json<string[]>().nullable(),
    autoCaptureIsFinal: p.boolean().default(true),
    autoCaptureRetryAt: p.datetime(3).nullable(),
    autoCaptureFailures: p.integer().default(0),
    expiryAnnounced: p.boolean().default(false),
    capturedAt: p.datetime(3).nullable(),
    voidedAt: p.datetime(3).nullable(),
    refundedAt: p.datetime(3).nullable(),
    chargedbackAt: p.datetime(3).nullable(),
    receivedFraudNotification: p.boolean().default(false),
    receivedRetrievalRequest: p.boolean().default(false),
    errorCode: p.string().nullable(),
    errorMessage: p.string().nullable(),
    recommendationCode: p.string().nullable(),
    merchantAdviceCode: p.string().nullable(),
    /** When the payment may be tried again at the earliest, where the last decline says so. */
    retryAfter: p.datetime(3).nullable(),
    schemeId: p.string().nullable(),
    initialSchemeTransactionId: p.string().nullable(),
    schemeUsed: p.string().nullable(),
    cardChecks: p.json<CardChecks>().nullable(),
    /** The gateway's name for the authorization; captures, voids and increments refer to it. */
    gatewayAuthorizationId: p.string().nullable(),
    /** How many events this transaction has fired; the next event's sequence is one more. */
    eventCount: p.integer(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type TransactionRow = InferEntity<typeof TransactionEntity>
