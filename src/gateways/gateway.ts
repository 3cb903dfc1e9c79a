import type { AuthenticationRequest } from '../../domain/authentication.ts'
import type { SettlementLine } from '../../domain/books.ts'
import type { Capabilities } from '../../domain/capabilities.ts'
import type { CustomerAnswer } from '../../domain/customer-action.ts'
import type { GatewayNotification, NotificationRefusal } from '../../domain/gateway-notification.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'
import type { ListedOperation } from '../../domain/recovery.ts'
import type { ConnectionTest } from './connection-test.ts'

/** The card in the clear. It exists only between vault and adapter, never in a log, row or history. */
export interface GatewayCard {
  number: string
  expMonth: number
  expYear: number
  name: string | null
  cvc: string | null
}

/** The merchant's account at a gateway, with its credentials for one call. */
export interface GatewayAccess {
  /** One account never sees the operations of another. */
  gatewayConfigurationId: string
  /** Secrets by name, in the clear: like the card, they are in no log, error, row or history. */
  credentials: Readonly<Record<string, string>>
  /** The other settings of the account; none is secret. */
  settings: Readonly<Record<string, string>>
}

interface RequestBase extends GatewayAccess {
  /** Our reference: the id of the attempt operation, committed before the call. */
  reference: string
  invoiceId: string
  amountMinor: number
  currency: string
}

export interface AuthorizeRequest extends RequestBase {
  /** Null where the payment continues a step that the gateway has issued, named by `gatewayRequest`. */
  card: GatewayCard | null
  gatewayRequest: string | null
  /**
   * For such a continuation: our references of earlier calls for this invoice. A continuation of any other reference
   * belongs to another payment, and was brought here by mistake or fraud.
   */
  earlierReferences?: readonly string[]
  /** The preferred scheme of a co-branded card, lower case; null without a card. */
  scheme: string | null
  incremental: boolean
  /**
   * For a card that does not allow separate authorization and capture: true takes the money at once, and the approval has
   * `isSale`; false declines with `request.gateway.operation-not-supported`.
   */
  mayFallBackToSale: boolean
  /** The account only does sales and the merchant allows one: the money is taken at once, and the approval has `isSale`. */
  mustSell: boolean
  isMerchantInitiated: boolean
  /** Ordered by mail or telephone, which schemes want to be told. Absent for every other payment. */
  isMoto?: true
  initialSchemeTransactionId: string | null
  statementDescriptor: string | null
  authentication: AuthenticationRequest
}

/** The customer has answered the action that the gateway asked for in the authorization with this reference. */
export interface ContinueRequest extends RequestBase {
  /** That of the action. */
  continuation: string
  answer: Exclude<CustomerAnswer, { kind: 'canceled' }>
  authentication: AuthenticationRequest
}

/** A later step on an authorization, named by the gateway's own id. */
export interface FollowUpRequest extends RequestBase {
  gatewayAuthorizationId: string
}

export interface CaptureRequest extends FollowUpRequest {
  /** True releases the rest of the authorization. */
  isFinal: boolean
}

export interface IncrementRequest extends FollowUpRequest {
  /** The total after the increment, so that a repeated request cannot add twice. */
  targetTotalMinor: number
}

export type VoidRequest = FollowUpRequest

/** Refunds captured money; several refunds of one authorization may be under way at once. */
export type RefundRequest = FollowUpRequest

export interface LookUpRequest extends GatewayAccess {
  reference: string
  type: GatewayOperationType
  /**
   * The gateway's id of the authorization that the step is on. For an authorization itself: the id from a notification, or
   * null.
   */
  gatewayAuthorizationId: string | null
}

/** Asks for a page of what an account has from an instant on until before another one, such as a day in UTC. */
export interface ListRequest extends GatewayAccess {
  from: Date
  until: Date
  /** `next` of the page before; null for the first one. */
  cursor: string | null
}

/**
 * A part of the list, in any order, without anything that is neither capture nor refund. A line has one id however often it
 * is listed. `next`: null on the last page.
 */
export type SettlementPage =
  | { kind: 'page'; lines: readonly SettlementLine[]; next: string | null }
  | { kind: 'unreachable'; reason: string }

/**
 * A part of the list, in any order, without anything that was refused or waits for its customer. An operation may be listed
 * several times, also on different pages, and then says the same, but for `at`, of which the latest counts. `next`: null on the last page.
 */
export type OperationPage =
  | { kind: 'page'; operations: readonly ListedOperation[]; next: string | null }
  | { kind: 'unreachable'; reason: string }

export type SettlementFileReading =
  /** Not a report of the gateway, or not of the account; in a sentence for the merchant. */
  { kind: 'refused'; reason: string } | { kind: 'read'; lines: readonly SettlementLine[] }

export type NotificationReading =
  /** Not from the gateway, or unreadable: none of it is trusted. */
  | { kind: 'refused'; reason: NotificationRefusal }
  /** Empty where the gateway reports something that concerns no payment here. */
  | { kind: 'accepted'; notifications: readonly GatewayNotification[] }

/**
 * The interface of every gateway adapter. No method throws for a decline or a lost answer: both are outcomes. An adapter
 * reports an answer that it cannot map as `unknown`, never as success. `signal` ends the wait for an answer, and makes the
 * outcome `unknown`. A call that certainly did not reach the gateway, such as over a refused connection, is `notSent`. This
 * is true of that one call: an earlier call with the same reference may have arrived.
 */
export interface Gateway {
  readonly name: string
  /** The most that it can do; the configuration of an account may allow less. */
  readonly capabilities: Capabilities
  authorize(request: AuthorizeRequest, signal: AbortSignal): Promise<Outcome>
  /**
   * Goes on with an authorization after the customer has acted. Another action, an approval or a decline follows. A repeated
   * call with the same answer moves no money twice. Absent where the gateway never asks for an action.
   */
  continueAuthorization?(request: ContinueRequest, signal: AbortSignal): Promise<Outcome>
  /**
   * True where the gateway reserves money only in `continueAuthorization`: one that was not sent then proves that nothing
   * was reserved, and is sent again for some seconds. Absent where the gateway goes on by itself as soon as the customer has
   * authenticated, or may do so: the outcome of a continuation that was not sent is unknown.
   */
  readonly authorizesInContinuation?: true
  /**
   * Ends an authorization that waits for its customer, so that it can no longer be approved, and tells what has become of
   * it: usually a decline, or the approval that was faster. Absent where the gateway approves only on a further call.
   */
  endAuthentication?(request: LookUpRequest & { continuation: string }, signal: AbortSignal): Promise<LookUp>
  capture(request: CaptureRequest, signal: AbortSignal): Promise<Outcome>
  increment(request: IncrementRequest, signal: AbortSignal): Promise<Outcome>
  void(request: VoidRequest, signal: AbortSignal): Promise<Outcome>
  refund(request: RefundRequest, signal: AbortSignal): Promise<Outcome>
  /** Asks the gateway for the outcome of a call, by our reference; moves no money. */
  lookUp(request: LookUpRequest, signal: AbortSignal): Promise<LookUp>
  /** Lists what an account has booked; asked again, it lists the same. Absent where the gateway has no such list. */
  listSettlements?(request: ListRequest, signal: AbortSignal): Promise<SettlementPage>
  /**
   * Lists the operations of the payments that have changed at an account, as they are now, with those that were made before:
   * for a record that was set back. Absent where the gateway has no such list.
   */
  listOperations?(request: ListRequest, signal: AbortSignal): Promise<OperationPage>
  /**
   * Asks the gateway something that moves no money and that only a usable account is answered. Absent where there is no such
   * question.
   */
  testConnection?(access: GatewayAccess, signal: AbortSignal): Promise<ConnectionTest>
  /**
   * How long, in ms, the gateway's documentation guarantees that a repeated reference gets the first answer and is executed
   * once; 0 without a guarantee.
   */
  readonly referencesKeptForMs: number
  /**
   * True for an outcome requested for a test, such as the lost answer of a test card: it says nothing about the gateway's
   * health. Absent where all outcomes are real.
   */
  isStaged?(outcome: Outcome): boolean
  /**
   * Verifies that a notification comes from the gateway, and parses it. Header names are lower case; the proof covers the
   * bytes exactly as they arrived. Never throws. Absent where the gateway sends no notifications over HTTP.
   */
  readNotification?(
    rawBody: Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
    access: Pick<GatewayAccess, 'credentials' | 'settings'>,
  ): NotificationReading
}

/** The longest wait for a gateway; after it the answer counts as lost. Card networks give up after some 10 s. */
export const GATEWAY_TIMEOUT_MS = 15_000
