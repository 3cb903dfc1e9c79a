import type { DisputeStep } from './dispute.ts'

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
