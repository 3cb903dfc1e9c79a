import type { GatewayOperationType, LookUp, Outcome } from '../../domain/operation.ts'

/** What a gateway can do; routing leaves out the gateways that lack what a payment needs. */
export interface Capabilities {
  authorize: boolean
  partialCapture: boolean
  partialVoid: boolean
  incrementalAuthorization: boolean
}

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
  invoiceId: string
  amountMinor: number
  currency: string
}

export interface AuthorizeRequest extends RequestBase {
  card: GatewayCard
  /** The scheme that gets priority, lower case, where the card carries several. */
  scheme: string
  incremental: boolean
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
  readonly capabilities: Capabilities
  authorize(request: AuthorizeRequest, signal: AbortSignal): Promise<Outcome>
  capture(request: CaptureRequest, signal: AbortSignal): Promise<Outcome>
  increment(request: IncrementRequest, signal: AbortSignal): Promise<Outcome>
  void(request: VoidRequest, signal: AbortSignal): Promise<Outcome>
  /** Asks what became of a call, by our reference; moves no money. */
  lookUp(request: LookUpRequest, signal: AbortSignal): Promise<LookUp>
  /** True where the gateway documents that a repeated reference is answered like the first and done once. */
  readonly referencesAreIdempotent: boolean
}

/** The longest a gateway may take before its answer counts as lost. Card networks give up after some 10 s. */
export const GATEWAY_TIMEOUT_MS = 15_000
