import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { CardChecks, GatewayOperationType } from '../../../domain/operation.ts'
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
    cardId: p.string().nullable(),
    gatewayConfigurationId: p.string(),
    gatewayName: p.string(),
    name: p.string(),
    currency: p.string(),
    status: p.string().$type<TransactionStatus>(),
    amountMinor: p.bigint('number'),
    authorizedMinor: p.bigint('number'),
    capturedMinor: p.bigint('number'),
    voidedMinor: p.bigint('number'),
    refundedMinor: p.bigint('number'),
    incrementedMinor: p.bigint('number'),
    incremental: p.boolean(),
    incrementAttempts: p.integer(),
    attemptsCount: p.integer(),
    attemptInFlightId: p.string().nullable(),
    attemptInFlightType: p.string().$type<GatewayOperationType>().nullable(),
    expired: p.boolean(),
    authorizedAt: p.datetime(3).nullable(),
    authorizationExpiresAt: p.datetime(3).nullable(),
    autoCaptureAt: p.datetime(3).nullable(),
    autoCaptureAmountMinor: p.bigint('number').nullable(),
    capturedAt: p.datetime(3).nullable(),
    voidedAt: p.datetime(3).nullable(),
    errorCode: p.string().nullable(),
    errorMessage: p.string().nullable(),
    recommendationCode: p.string().nullable(),
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
