import type { DisputeStep } from './dispute.ts'
import type { GatewayOperationType, Outcome } from './operation.ts'

/** What a gateway reports unasked, in our words. It may come late, several times and in any order. */
export type GatewayNotification = {
  /** The gateway's id of what it reports: the same however often that comes. */
  gatewayNotificationId: string
} & (CallOutcome | EndedAuthorization | DisputedMoney)

/** The outcome of a call of ours. */
interface CallOutcome {
  kind: 'outcome'
  type: GatewayOperationType
  /** Our reference for the call: the id of the attempt. */
  reference: string
  /** The authorization that the call is about, by the gateway's own id, where the gateway names it. */
  gatewayAuthorizationId: string | null
  /** Null where only a look-up can tell. */
  outcome: Outcome | null
}

/** An authorization has ended at the gateway for good: nothing of it is held any more, and this much was captured in all. */
interface EndedAuthorization {
  kind: 'authorization-ended'
  reference: string
  gatewayAuthorizationId: string
  capturedMinor: number
  currency: string
}

/** A step of a dispute, or a refund that failed after it had succeeded. */
interface DisputedMoney {
  kind: DisputeStep | 'refund-failed'
  gatewayAuthorizationId: string | null
  /** Null where the gateway does not carry it: the authorization tells the invoice. */
  invoiceId: string | null
  /** Of a refund: our reference for it. */
  reference: string | null
  /** Both null where the gateway names no sum, which then is all that was captured. */
  amountMinor: number | null
  currency: string | null
  /** The gateway's word for the reason. */
  reason: string | null
}
