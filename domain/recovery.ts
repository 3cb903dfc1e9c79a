import type { GatewayOperationType } from './operation.ts'

/**
 * What a gateway has done and a record does not know, since the record was set back to an earlier instant: from the
 * gateway's own list of what has changed.
 */

/** A step that a gateway has approved, or has under way, as it lists it. */
export interface ListedOperation {
  type: GatewayOperationType
  /** Our reference. Null where the gateway keeps none of this step, and for what no call of ours has made. */
  reference: string | null
  invoiceId: string | null
  gatewayAuthorizationId: string
  /** In minor units. */
  amountMinor: number
  currency: string
  /** Of a capture: it, or another one of this authorization, has released the rest. */
  isFinal: boolean
  /** In epoch ms; of a step that the gateway does not date, when the payment last changed. */
  at: number
}
