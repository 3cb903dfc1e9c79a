import type { Capabilities } from '../../domain/capabilities.ts'
import type { GatewayNotification } from '../../domain/gateway-notification.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'

/** The card in the clear: it exists only between the vault and the adapter, never in a log, row or history. */
export interface GatewayCard {
  number: string
  expMonth: number
  expYear: number
  name: string | null
  cvc: string | null
}

/** The merchant's account at a gateway, opened for one call. */
export interface GatewayAccess {
  /** What one account does, another never sees. */
  gatewayConfigurationId: string
  /** Secrets by their names, in the clear: like the card, they are in no log, error, row or history. */
  credentials: Readonly<Record<string, string>>
  /** What else the configuration says about the account; nothing of it is secret. */
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
  /** Null where the payment goes on with something the gateway itself has handed out, named by `gatewayRequest`. */
  card: GatewayCard | null
  gatewayRequest: string | null
  /**
   * Of a payment that goes on so: our references of what was asked for this invoice before. What the gateway tells about
   * another reference is another's payment, which somebody brought here.
   */
  earlierReferences?: readonly string[]
  /** The scheme that gets priority, lower case, where the card carries several; null without a card. */
  scheme: string | null
  incremental: boolean
  /**
   * What to do with a card on which authorization and capture cannot be parted: take the money at once, which the
   * approval then tells by `isSale`, or decline with `request.gateway.operation-not-supported`.
   */
  mayFallBackToSale: boolean
  /** The account only does sales, and the merchant allows one: the money is taken with the approval, which tells it by `isSale`. */
  mustSell: boolean
  isMerchantInitiated: boolean
  initialSchemeTransactionId: string | null
  statementDescriptor: string | null
}

/** A later step on an authorization that the gateway knows by its own id. */
export interface FollowUpRequest extends RequestBase {
  gatewayAuthorizationId: string
}

export interface CaptureRequest extends FollowUpRequest {
  /** True releases what this capture leaves. */
  isFinal: boolean
}

export interface IncrementRequest extends FollowUpRequest {
  /** The total after the increment, so that a repeated request cannot add twice. */
  targetTotalMinor: number
}

export type VoidRequest = FollowUpRequest

/** Gives back captured money; several of one authorization may be under way at once. */
export type RefundRequest = FollowUpRequest

export interface LookUpRequest extends GatewayAccess {
  reference: string
  type: GatewayOperationType
  /**
   * The authorization that the step is on, by the gateway's own id. Where the step is the authorization itself: the id that
   * a notification told, or null.
   */
  gatewayAuthorizationId: string | null
}

export type NotificationReading =
  /** Not from the gateway, or not to be read: nothing of it is believed. */
  | { kind: 'refused'; reason: string }
  /** Empty where the gateway tells what does not concern a payment here. */
  | { kind: 'accepted'; notifications: readonly GatewayNotification[] }

/**
 * What every gateway adapter does. No method throws for a decline or a lost answer: both are outcomes, and what an
 * adapter cannot map is `unknown`, never success. `signal` ends the wait for an answer; a call so ended is `unknown`.
 * A call that certainly did not reach the gateway, such as over a refused connection, is `notSent`. That is said of this
 * call: an earlier one under the same reference may have arrived.
 */
export interface Gateway {
  readonly name: string
  /** What it can do at best; the configuration of a project's account may allow less. */
  readonly capabilities: Capabilities
  authorize(request: AuthorizeRequest, signal: AbortSignal): Promise<Outcome>
  capture(request: CaptureRequest, signal: AbortSignal): Promise<Outcome>
  increment(request: IncrementRequest, signal: AbortSignal): Promise<Outcome>
  void(request: VoidRequest, signal: AbortSignal): Promise<Outcome>
  refund(request: RefundRequest, signal: AbortSignal): Promise<Outcome>
  /** Asks what became of a call, by our reference; moves no money. */
  lookUp(request: LookUpRequest, signal: AbortSignal): Promise<LookUp>
  /**
   * How long, in ms, the gateway documents that a repeated reference is answered like the first and done once; 0 where it
   * does not.
   */
  readonly referencesKeptForMs: number
  /**
   * True of an outcome that was asked for to test with, such as the lost answer of a test card: it says nothing about how the
   * gateway is. Absent where every outcome is the gateway's own.
   */
  isStaged?(outcome: Outcome): boolean
  /**
   * Proves that a notification comes from the gateway and reads it. Headers are by lower-case names; the bytes are those
   * that arrived, because the proof is over them. Never throws. Absent where the gateway sends none over HTTP.
   */
  readNotification?(
    rawBody: Uint8Array,
    headers: Readonly<Record<string, string | undefined>>,
    access: Pick<GatewayAccess, 'credentials' | 'settings'>,
  ): NotificationReading
}

/** The longest a gateway may take before its answer counts as lost. Card networks give up after some 10 s. */
export const GATEWAY_TIMEOUT_MS = 15_000
