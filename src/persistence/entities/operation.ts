import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { AuthenticationResult, WantedAuthentication } from '../../../domain/authentication.ts'
import type { DisputeStep } from '../../../domain/dispute.ts'
import type { Actor, CardChecks, OperationOutcome, OperationType } from '../../../domain/operation.ts'
import type { RemainingRoute } from '../../../domain/routing/rule.ts'

/** One step, append-only: an attempt before the call of the gateway, its result afterwards. */
export const OperationEntity = defineEntity({
  name: 'Operation',
  tableName: 'operation',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    transactionId: p.string(),
    type: p.string().$type<OperationType>(),
    isAttempt: p.boolean(),
    /** On a result: the attempt it ends. */
    attemptOperationId: p.string().nullable(),
    hasFailed: p.boolean(),
    isAccountable: p.boolean(),
    outcome: p.string().$type<OperationOutcome>().nullable(),
    amountMinor: p.bigint('number'),
    /** For an increment attempt: the intended total, which a repetition cannot double. */
    targetTotalMinor: p.bigint('number').nullable(),
    currency: p.string(),
    cardId: p.string().nullable(),
    tokenId: p.string().nullable(),
    refundId: p.string().nullable(),
    /** The invoice lines of a capture or a refund. */
    detailIds: p.json<string[]>().nullable(),
    /** For a capture attempt: whether it releases the rest. */
    isFinal: p.boolean().nullable(),
    /** For an authorization attempt: its options, needed to send it again. */
    mayFallBackToSale: p.boolean().nullable(),
    saveSource: p.boolean().nullable(),
    /** The gateways left to try after a failure; null where its gateway is the last. */
    route: p.json<RemainingRoute>().nullable(),
    /** The first attempt of the same command, if another gateway was tried before. */
    fallbackOf: p.string().nullable(),
    gatewayRequest: p.string().nullable(),
    schemeUsed: p.string().nullable(),
    /** For the reversal of an orphan: the gateway's id of the authorization. */
    gatewayAuthorizationId: p.string().nullable(),
    gatewayConfigurationId: p.string().nullable(),
    /** For an attempt: the version of the account that its call used. */
    accountVersion: p.integer().nullable(),
    gatewayOperationId: p.string().nullable(),
    gatewayCode: p.string().nullable(),
    errorCode: p.string().nullable(),
    errorMessage: p.string().nullable(),
    recommendationCode: p.string().nullable(),
    merchantAdviceCode: p.string().nullable(),
    /** For a declined result: the earliest time to try again, if known. */
    retryAfter: p.datetime(3).nullable(),
    /** For a declined result: the gateway did not process the call, so no network knows of it. */
    isNotSent: p.boolean().default(false),
    chargebackReason: p.string().nullable(),
    schemeId: p.string().nullable(),
    initialSchemeTransactionId: p.string().nullable(),
    authorizationCode: p.string().nullable(),
    cardChecks: p.json<CardChecks>().nullable(),
    /** For an attempt: the workflow time just before the call; deadlines count from it. */
    begunAt: p.datetime(3).nullable(),
    /** Counted by the database: rows of one change share a date, and this orders them. */
    position: p.bigint('number').generated('identity').nullable(),
    actor: p.string().$type<Actor>(),
    /** For an attempt: the person of the dashboard who asked for it. */
    personId: p.string().nullable(),
    /** Why the service made it by itself. */
    reason: p.string().$type<OperationReason>().nullable(),
    /** For an authorization that takes the money at once: its attempt, where the account says so, and its results. */
    isSale: p.boolean().default(false),
    /** For an authorization attempt: the authentication that the merchant and its rules want. */
    wantedAuthentication: p.json<WantedAuthentication>().nullable(),
    /** For the result of an authorization: how the customer was authenticated. */
    authentication: p.json<AuthenticationResult>().nullable(),
    /** For a result that came after another result of the attempt. */
    correctedAttemptId: p.string().nullable(),
    /** For an authorization attempt: send it despite the network's advice. */
    overridesAdvice: p.boolean().default(false),
    /** For an operation of a dispute. */
    disputeStep: p.string().$type<DisputeStep>().nullable(),
    /** The gateway's id of the dispute. */
    disputeId: p.string().nullable(),
    /** Until when the gateway takes evidence. */
    evidenceDueAt: p.datetime(3).nullable(),
    /** By how much the step has changed what disputes hold back or have taken, in minor units. */
    disputedMinor: p.bigint('number').nullable(),
    createdAt: p.datetime(3),
  },
})

/**
 * A void of an expiring authorization, at the cancellation of the workflow, of the rest after a final capture, or of an orphan; a late failure of a capture or
 * refund; a late approval; what the gateway had made and a record that was set back had lost.
 */
export type OperationReason =
  | 'authorization_expired'
  | 'workflow_cancelled'
  | 'final_capture'
  | 'late_approval'
  | 'partial_approval'
  | 'failed_later'
  | 'recovered'

export type OperationRow = InferEntity<typeof OperationEntity>
