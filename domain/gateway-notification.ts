import type { DisputeStep } from './dispute.ts'
import type { GatewayOperationType, Outcome } from './operation.ts'

/** A gateway's notification in our terms. It may come late, several times and in any order. */
export type GatewayNotification = {
  /** The gateway's id of the notification, the same for every repetition. */
  gatewayNotificationId: string
} & (CallOutcome | EndedAuthorization | DisputedMoney)

/** The outcome of one of our calls. */
interface CallOutcome {
  kind: 'outcome'
  type: GatewayOperationType
  /** Our reference for the call: the id of the attempt. */
  reference: string
  /** The gateway's id of the authorization that the call belongs to, if the gateway names it. */
  gatewayAuthorizationId: string | null
  /** Null if a look-up is needed. */
  outcome: Outcome | null
}

/** An authorization has ended at the gateway: it reserves nothing any more, and `capturedMinor` was captured in total. */
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
  /** The gateway's id of the dispute, the same for all its steps; absent if it names none. */
  disputeId?: string
  gatewayAuthorizationId: string | null
  /** Null if the gateway does not report it; the invoice is then found by the authorization. */
  invoiceId: string | null
  /** For a refund: our reference for it. */
  reference: string | null
  /** Both null if the gateway reports no amount; everything captured is then meant. */
  amountMinor: number | null
  currency: string | null
  /** The gateway's reason. */
  reason: string | null
  /** Of a dispute: until when the gateway takes evidence, in epoch ms; absent if it does not say. */
  evidenceDueAt?: number
}

/** Why a notification is not taken: the account has no secret that could prove it, it is not proven, or not understood. */
export const NOTIFICATION_REFUSALS = ['no-secret', 'unproven', 'unreadable'] as const
export type NotificationRefusal = (typeof NOTIFICATION_REFUSALS)[number]
