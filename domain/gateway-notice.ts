import type { DisputeStep } from './dispute.ts'
import type { GatewayOperationType, Outcome } from './operation.ts'

/**
 * What a gateway tells unasked, in our words. It may come late, twice, and in any order; `gatewayNoticeId` is the same
 * for the same notice.
 */
export interface GatewayNotice {
  gatewayNoticeId: string
  gatewayConfigurationId: string
  invoiceId: string
  what: DisputeStep | 'refund-failed'
  /** Of a refund that failed after it had succeeded: our reference for it. */
  reference: string | null
  amountMinor: number
  currency: string
  /** The gateway's word for the reason, or null. */
  reason: string | null
}

/** One word of a notification, proven to be the gateway's. Which payment it is about is still to be found. */
export interface ToldNotice extends Pick<GatewayNotice, 'gatewayNoticeId' | 'reference' | 'reason'> {
  /**
   * `settled`: something has become of a call of ours. `authorization-ended`: the gateway holds nothing of an authorization
   * any more, and has taken the sum in all.
   */
  what: GatewayNotice['what'] | 'settled' | 'authorization-ended'
  /** Of `settled`: the kind of call, and how it ended; an outcome of null is one that only a look-up can tell. */
  operationType: GatewayOperationType | null
  outcome: Outcome | null
  /** The gateway's own id of the authorization that it is about. */
  gatewayAuthorizationId: string | null
  invoiceId: string | null
  /** Both null where the gateway names no sum. */
  amountMinor: number | null
  currency: string | null
}
