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

/** In this order each step finds what it stands on. */
const ORDER = ['authorization', 'increment_authorization', 'capture', 'void', 'final capture', 'refund'] as const

/**
 * A final capture releases the rest by itself, so that all that was released apart comes before it. After the other captures
 * a release is one of the whole rest, which is all that some gateways allow.
 */
function rankOf({ type, isFinal }: ListedOperation): number {
  return ORDER.indexOf(type === 'capture' && isFinal ? 'final capture' : type)
}

/** The operations of one payment in the order in which they can be booked. Of several captures the last one alone is final. */
export function inOrder<Operation extends ListedOperation>(operations: readonly Operation[]): Operation[] {
  const byTime = operations.toSorted((one, other) => Number(one.isFinal) - Number(other.isFinal) || one.at - other.at)
  const last = byTime.findLast(({ type }) => type === 'capture')
  return byTime
    .map((one) => (one.type === 'capture' && one !== last ? { ...one, isFinal: false } : one))
    .toSorted((one, other) => rankOf(one) - rankOf(other))
}
