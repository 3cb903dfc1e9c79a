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

/** An operation of ours, of which the gateway knows what it is about. */
export interface NamedOperation extends ListedOperation {
  reference: string
  invoiceId: string
}

/**
 * In this order each step finds what it stands on. What was released comes before the captures, of which the last one may
 * release the rest.
 */
const ORDER: readonly GatewayOperationType[] = ['authorization', 'increment_authorization', 'void', 'capture', 'refund']

/** The operations of one payment in the order in which they can be booked. Of several captures the last one alone is final. */
export function inOrder<Operation extends ListedOperation>(operations: readonly Operation[]): Operation[] {
  const sorted = operations.toSorted(
    (one, other) =>
      ORDER.indexOf(one.type) - ORDER.indexOf(other.type) ||
      Number(one.isFinal) - Number(other.isFinal) ||
      one.at - other.at,
  )
  const last = sorted.findLast(({ type }) => type === 'capture')
  return sorted.map((one) => (one.type === 'capture' && one !== last ? { ...one, isFinal: false } : one))
}
