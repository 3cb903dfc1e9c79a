/**
 * An operation is one step in the life of a transaction. A step that asks a gateway is two rows: the attempt,
 * written and committed before the call, and the result. The attempt's id is our reference for that call.
 */

export const OPERATION_TYPES = [
  'request',
  'authorization',
  'increment_authorization',
  'capture',
  'void',
  'refund',
  'chargeback',
] as const
export type OperationType = (typeof OPERATION_TYPES)[number]

export type GatewayOperationType = Exclude<OperationType, 'request' | 'chargeback'>

/**
 * Who wanted the step, or told of it: the merchant's server, the merchant's customer without a secret key, our own clock,
 * the look-up of an unknown outcome, the gateway unasked, or support staff.
 */
export type Actor = 'merchant' | 'client' | 'scheduler' | 'reconciler' | 'gateway_webhook' | 'staff'

/** How a result row ended. An attempt row has none until its result is known. */
export type OperationOutcome = 'succeeded' | 'failed' | 'pending' | 'unknown'

/** What a gateway tells about an approval, beside the fact. */
export interface Approval {
  /** The gateway's own name for what it did; later steps refer to it. */
  gatewayOperationId: string
  /** What was really approved; compared with what was asked. */
  amountMinor: number
  currency: string
  /** The scheme's id of the authorization, kept for later merchant-initiated payments. */
  schemeTransactionId?: string
  authorizationCode?: string
  cardChecks?: CardChecks
  /** On an authorization: how long it holds, in milliseconds since it was asked for, where the gateway tells. */
  validForMs?: number
  /** On an authorization: the money was captured with it, because the two could not be parted. */
  isSale?: boolean
}

export type CardCheck = 'passed' | 'failed' | 'unchecked' | 'unavailable' | 'unknown'

export interface CardChecks {
  cvcCheck: CardCheck
  avsCheck: CardCheck
}

export interface Decline {
  /** One of our error codes, such as `card.do-not-honor`. */
  code: string
  /** Their word for it, kept raw for support. */
  gatewayCode: string
  recommendationCode?: string
  /** What the scheme advises: the two digits of Mastercard's advice code, or Visa's category, 1 to 4. */
  merchantAdviceCode?: string
  /** Epoch ms before which it should not be tried again, where that is known and does not follow from the advice. */
  retryAfter?: number
  cardChecks?: CardChecks
  /**
   * True where the gateway did not take the call up: the card was not tried, and no counter of attempts knows of it. It says
   * nothing of an earlier call under the same reference.
   */
  isNotSent?: boolean
  /** Of a void that was refused: the gateway says that it holds nothing of what was to be released, and that it took nothing. */
  holdsNothing?: boolean
}

/**
 * How one call to a gateway ended. `unknown` means that something may have been sent and nothing certain came
 * back: it is looked up by our reference, never repeated and never taken elsewhere.
 */
export type Outcome =
  | ({ kind: 'approved' } & Approval)
  | ({ kind: 'declined' } & Decline)
  | { kind: 'action-required'; action: { type: 'redirect'; value: string } }
  | { kind: 'pending'; gatewayOperationId: string }
  /** `refusal`: what the gateway answered, where that does not tell what became of the money. */
  | { kind: 'unknown'; reason: string; refusal?: Pick<Decline, 'code' | 'gatewayCode'> }

/**
 * The outcome of a call that certainly did not reach the gateway: it may be taken elsewhere.
 *
 * @param reason the kind of failure, without anything of what was to be sent
 */
export function notSent(reason: string): Outcome {
  return { kind: 'declined', code: 'gateway.network-error', gatewayCode: reason, isNotSent: true }
}

export type LookUp =
  | { kind: 'found'; outcome: Outcome }
  /** `lagMs`: how old a call may be that what was looked through does not show yet; absent where that is always up to date. */
  | { kind: 'never-seen'; lagMs?: number }
  /** The gateway has no way to ask; what it tells, it tells by notifications. */
  | { kind: 'not-offered' }
  | { kind: 'unreachable'; reason: string }
