import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { AuthenticationResult } from '../../../domain/authentication.ts'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import { ALL_CAPABILITIES, type Capabilities } from '../../../domain/capabilities.ts'
import type { CustomerAction } from '../../../domain/customer-action.ts'
import type { Dispute } from '../../../domain/dispute.ts'
import type { CardChecks } from '../../../domain/operation.ts'
import type { AttemptInFlight, Orphan } from '../../../domain/payment.ts'
import type { ClockMove } from '../../../domain/test-clock.ts'
import type { TransactionStatus } from '../../../domain/transaction.ts'

/** The payment of an invoice. Its money columns are those of `Payment` in `domain/payment.ts`. */
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
    /** The gateway's continuation, where the payment used one instead of a card. */
    gatewayRequest: p.string().nullable(),
    /** Null until a gateway is chosen; stays null where a routing rule rejected the payment. */
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
    /** The most that captures and refunds under way may still move; the table's constraints include it. */
    capturingMinor: p.bigint('number').default(0),
    refundingMinor: p.bigint('number').default(0),
    incrementedMinor: p.bigint('number'),
    incremental: p.boolean(),
    incrementAttempts: p.integer(),
    attemptsCount: p.integer(),
    capturesCount: p.integer().default(0),
    attemptsInFlight: p.json<AttemptInFlight[]>().onCreate(() => []),
    orphans: p.json<Orphan[]>().onCreate(() => []),
    disputes: p.json<Dispute[]>().onCreate(() => []),
    /** The sum of open and lost disputes. This and the three below follow from `disputes` and the amounts. */
    disputedMinor: p.bigint('number').default(0),
    /** How many disputes evidence can still decide, and until when the first of them must be answered. */
    disputesOpen: p.integer().default(0),
    evidenceDueAt: p.datetime(3).nullable(),
    /** When the last dispute was reported. */
    disputedAt: p.datetime(3).nullable(),
    /**
     * The next due date, and the next look-up of an unknown outcome, as instants of the wall clock; both follow from the
     * other columns.
     */
    nextDueAt: p.datetime(3).nullable(),
    nextLookUpAt: p.datetime(3).nullable(),
    /** The version of the routing rules for the last attempt; null without rules. */
    ruleSetId: p.string().nullable(),
    ruleSetVersion: p.integer().nullable(),
    routingTags: p.json<string[]>().onCreate(() => []),
    needsAttention: p.boolean().default(false),
    /** How far the test clock of the payment is ahead of the wall clock; 0 in live. */
    clockOffsetMs: p.bigint('number').default(0),
    /** The workflow run that made the last attempt, by which the next run names it to support staff. */
    workflowRunId: p.string().nullable(),
    /** The last advance of the test clock. */
    clockMove: p.json<ClockMove>().nullable(),
    /** Since when an outcome is unknown; null while all are known. */
    outcomeUnknownSince: p.datetime(3).nullable(),
    /** The capabilities of the gateway's account for this payment. */
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
    /** The earliest time to try the payment again, if the last decline has one. */
    retryAfter: p.datetime(3).nullable(),
    schemeId: p.string().nullable(),
    initialSchemeTransactionId: p.string().nullable(),
    schemeUsed: p.string().nullable(),
    /** The last action that the customer was asked for; its attempt tells whether it is still awaited. */
    customerAction: p.json<CustomerAction>().nullable(),
    /** How the customer was authenticated in the last authorization that has ended. */
    authentication: p.json<AuthenticationResult>().nullable(),
    cardChecks: p.json<CardChecks>().nullable(),
    /** The gateway's id of the authorization; captures, voids and increments refer to it. */
    gatewayAuthorizationId: p.string().nullable(),
    /** How many events this transaction has fired; the next event's sequence is one more. */
    eventCount: p.integer(),
    metadata: p.json<Record<string, string>>(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
})

export type TransactionRow = InferEntity<typeof TransactionEntity>
