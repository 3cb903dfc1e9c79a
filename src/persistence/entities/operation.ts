import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { DisputeStep } from '../../../domain/dispute.ts'
import type { Actor, CardChecks, OperationOutcome, OperationType } from '../../../domain/operation.ts'
import type { RemainingRoute } from '../../../domain/routing/rule.ts'

/** One step, append only: an attempt before the gateway is called, its result afterwards. */
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
    /** On an attempt that raises an authorization: the total it aims at, which a repetition cannot double. */
    targetTotalMinor: p.bigint('number').nullable(),
    currency: p.string(),
    cardId: p.string().nullable(),
    tokenId: p.string().nullable(),
    refundId: p.string().nullable(),
    /** The lines of the invoice that a capture or a refund is for. */
    detailIds: p.json<string[]>().nullable(),
    /** On the attempt of a capture: whether it releases what it leaves. */
    isFinal: p.boolean().nullable(),
    /** On the attempt of an authorization: what it was asked with, so that it can be asked again. */
    mayFallBackToSale: p.boolean().nullable(),
    saveSource: p.boolean().nullable(),
    /** Where it may go on after a failure; null where its gateway has the last word. */
    route: p.json<RemainingRoute>().nullable(),
    /** The first attempt of the same command, where another gateway was tried before. */
    fallbackOf: p.string().nullable(),
    gatewayRequest: p.string().nullable(),
    schemeUsed: p.string().nullable(),
    /** On the void of an authorization that the payment does not stand on: the gateway's name for it. */
    gatewayAuthorizationId: p.string().nullable(),
    gatewayConfigurationId: p.string().nullable(),
    /** On an attempt: with which version of the account its call went out. */
    accountVersion: p.integer().nullable(),
    gatewayOperationId: p.string().nullable(),
    gatewayCode: p.string().nullable(),
    errorCode: p.string().nullable(),
    errorMessage: p.string().nullable(),
    recommendationCode: p.string().nullable(),
    merchantAdviceCode: p.string().nullable(),
    /** On a declined result: when it may be tried again at the earliest, where that is known. */
    retryAfter: p.datetime(3).nullable(),
    /** On a declined result: the gateway did not take the call up, so that no network has heard of it. */
    isNotSent: p.boolean().default(false),
    chargebackReason: p.string().nullable(),
    schemeId: p.string().nullable(),
    initialSchemeTransactionId: p.string().nullable(),
    authorizationCode: p.string().nullable(),
    cardChecks: p.json<CardChecks>().nullable(),
    /** On an attempt: workflow time at which the gateway was about to be asked; deadlines count from it. */
    begunAt: p.datetime(3).nullable(),
    /** Counted by the database: rows of one change have one date, and this tells which came first. */
    position: p.bigint('number').generated('identity').nullable(),
    actor: p.string().$type<Actor>(),
    /** Why we made it, where nobody asked for it. */
    reason: p.string().$type<OperationReason>().nullable(),
    /** On the results of an authorization that took the money at once. */
    isSale: p.boolean().default(false),
    /** On a result that came after the attempt had another one. */
    correctedAttemptId: p.string().nullable(),
    /** On the attempt of an authorization: it was to be sent whatever its network has advised. */
    overridesAdvice: p.boolean().default(false),
    /** On an operation of a dispute. */
    disputeStep: p.string().$type<DisputeStep>().nullable(),
    createdAt: p.datetime(3),
  },
})

/**
 * A void at the end of an authorization, of what a final capture leaves, or of an authorization that is not wanted; a capture
 * or refund that failed after it had succeeded; an approval that came too late.
 */
export type OperationReason =
  | 'authorization_expired'
  | 'final_capture'
  | 'late_approval'
  | 'partial_approval'
  | 'failed_later'

export type OperationRow = InferEntity<typeof OperationEntity>
