import type { Capabilities } from '../../domain/capabilities.ts'
import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'

/** The card in the clear: it exists only between the vault and the adapter, never in a log, row or history. */
export interface GatewayCard {
  number: string
  expMonth: number
  expYear: number
  name: string | null
  cvc: string | null
}

interface RequestBase {
  /** Our reference: the id of the attempt operation, committed before the call. */
  reference: string
  /** The merchant's account at the gateway: what one account does, another never sees. */
  gatewayConfigurationId: string
  invoiceId: string
  amountMinor: number
  currency: string
}

export interface AuthorizeRequest extends RequestBase {
  /** Null where the payment goes on with something the gateway itself has handed out, named by `gatewayRequest`. */
  card: GatewayCard | null
  gatewayRequest: string | null
  /** The scheme that gets priority, lower case, where the card carries several; null without a card. */
  scheme: string | null
  incremental: boolean
  /**
   * What to do with a card on which authorization and capture cannot be parted: take the money at once, which the
   * approval then tells by `isSale`, or decline with `request.gateway.operation-not-supported`.
   */
  mayFallBackToSale: boolean
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

export interface LookUpRequest {
  reference: string
  type: GatewayOperationType
}

/**
 * What every gateway adapter does. No method throws for a decline or a lost answer: both are outcomes, and what an
 * adapter cannot map is `unknown`, never success. `signal` ends the wait for an answer; a call so ended is `unknown`.
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
  /** True where the gateway documents that a repeated reference is answered like the first and done once. */
  readonly referencesAreIdempotent: boolean
}

/** The longest a gateway may take before its answer counts as lost. Card networks give up after some 10 s. */
export const GATEWAY_TIMEOUT_MS = 15_000
