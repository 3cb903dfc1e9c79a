import type { AuthenticationResult } from './authentication.ts'
import type { RequestedAction } from './customer-action.ts'

/**
 * An operation is one step of a transaction. A step with a gateway call has two rows: the attempt, committed before the
 * call, and the result. The attempt's id is our reference for the call.
 */

export const OPERATION_TYPES = [
  'request',
  'three_d_s_check',
  'authorization',
  'increment_authorization',
  'capture',
  'void',
  'refund',
  'chargeback',
] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

/** `three_d_s_check`: the customer has answered an action of the authorization under way. */
const WITHOUT_CALL = ['request', 'three_d_s_check', 'chargeback'] as const satisfies readonly OperationType[]
export type GatewayOperationType = Exclude<OperationType, (typeof WITHOUT_CALL)[number]>

/** Whether an operation of this type is a call of its own to the gateway. */
export function isGatewayOperation(type: OperationType): type is GatewayOperationType {
  return !(WITHOUT_CALL as readonly OperationType[]).includes(type)
}

/**
 * Who caused or reported an operation: the merchant's server, the customer (a client without a secret key), the workflow's
 * timer, a look-up, a gateway's notification, or support staff.
 */
export const ACTORS = ['merchant', 'client', 'scheduler', 'reconciler', 'gateway_webhook', 'staff'] as const
export type Actor = (typeof ACTORS)[number]

/** The outcome of a result row. */
export const OPERATION_OUTCOMES = ['succeeded', 'failed', 'pending', 'unknown'] as const
export type OperationOutcome = (typeof OPERATION_OUTCOMES)[number]

/** A gateway's data about an approval. */
export interface Approval {
  /** The gateway's id of the operation, to which later steps refer. */
  gatewayOperationId: string
  /** The approved amount in minor units, which is compared with the requested one. */
  amountMinor: number
  currency: string
  /** The scheme's id of the authorization, kept for later merchant-initiated payments. */
  schemeTransactionId?: string
  authorizationCode?: string
  cardChecks?: CardChecks
  /** For an authorization: its validity in milliseconds from the request, if the gateway reports it. */
  validForMs?: number
  /** For an authorization: the gateway captured the money with it. */
  isSale?: boolean
  /** For an authorization: how the customer was authenticated; absent if the customer was not. */
  authentication?: AuthenticationResult
}

export const CARD_CHECKS = ['passed', 'failed', 'unchecked', 'unavailable', 'unknown'] as const
export type CardCheck = (typeof CARD_CHECKS)[number]

export interface CardChecks {
  cvcCheck: CardCheck
  avsCheck: CardCheck
}

export interface Decline {
  /** One of our error codes, such as `card.do-not-honor`. */
  code: string
  /** The gateway's own code, unchanged, for support. */
  gatewayCode: string
  recommendationCode?: string
  /** The scheme's advice: two digits of Mastercard's advice code, or Visa's category, 1 to 4. */
  merchantAdviceCode?: string
  /** Epoch ms before which it should not be tried again, if known otherwise than by the advice. */
  retryAfter?: number
  cardChecks?: CardChecks
  /**
   * True if the gateway did not process the call: the card was not tried, and no network counts it. It says nothing about an
   * earlier call under the same reference.
   */
  isNotSent?: boolean
  /** For a refused void: the gateway reports that it has neither reserved nor captured that money. */
  holdsNothing?: boolean
  /** For an authorization: how the customer was authenticated, or that this failed. */
  authentication?: AuthenticationResult
}

/**
 * The outcome of a gateway call. `unknown`: the call may have been sent, and no certain answer came back. It is then looked
 * up by our reference and never taken to another gateway.
 */
export type Outcome =
  | ({ kind: 'approved' } & Approval)
  | ({ kind: 'declined' } & Decline)
  /** The customer has to act before the authorization can be decided. */
  | { kind: 'action-required'; action: RequestedAction }
  | { kind: 'pending'; gatewayOperationId: string }
  /** `refusal`: the gateway's answer, if that leaves open what happened to the money. */
  | { kind: 'unknown'; reason: string; refusal?: Pick<Decline, 'code' | 'gatewayCode'> }

/**
 * The outcome of a call that certainly did not reach the gateway, so that another gateway may be tried.
 *
 * @param reason the kind of failure, without any data of the request
 */
export function notSent(reason: string): Outcome {
  return { kind: 'declined', code: 'gateway.network-error', gatewayCode: reason, isNotSent: true }
}

export type LookUp =
  | { kind: 'found'; outcome: Outcome }
  /** `lagMs`: how long a call may be missing from the gateway's search results; absent if they are always up to date. */
  | { kind: 'never-seen'; lagMs?: number }
  /** The gateway has no look-up and reports only by notifications. */
  | { kind: 'not-offered' }
  | { kind: 'unreachable'; reason: string }
