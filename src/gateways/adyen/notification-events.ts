import type { DisputeStep } from '../../../domain/dispute.ts'
import type { GatewayOperationType } from '../../../domain/operation.ts'

/** The steps that Adyen answers with `received`, by the event that tells how they ended. */
export const OUTCOME_EVENTS: ReadonlyMap<string, GatewayOperationType> = new Map<string, GatewayOperationType>([
  ['AUTHORISATION', 'authorization'],
  ['AUTHORISATION_ADJUSTMENT', 'increment_authorization'],
  ['CAPTURE', 'capture'],
  ['CANCELLATION', 'void'],
  ['REFUND', 'refund'],
])

export const FAILED_CAPTURE = 'CAPTURE_FAILED'

export const FAILED_REFUNDS: ReadonlySet<string> = new Set(['REFUND_FAILED', 'REFUNDED_REVERSED'])

/** Source: Adyen, "Dispute webhooks"; a reversed chargeback is won until a second one takes the money for good. */
export const DISPUTES: ReadonlyMap<string, DisputeStep> = new Map<string, DisputeStep>([
  ['REQUEST_FOR_INFORMATION', 'retrieval-request'],
  ['NOTIFICATION_OF_FRAUD', 'fraud-notification'],
  ['INFORMATION_SUPPLIED', 'dispute-answered'],
  ['NOTIFICATION_OF_CHARGEBACK', 'chargeback-created'],
  ['CHARGEBACK', 'chargeback-created'],
  ['CHARGEBACK_REVERSED', 'chargeback-won'],
  ['PREARBITRATION_WON', 'chargeback-won'],
  ['SECOND_CHARGEBACK', 'chargeback-lost'],
  ['PREARBITRATION_LOST', 'chargeback-lost'],
])

/** The events of Adyen that are read; of all others nothing is. */
export const NOTIFICATION_EVENTS: readonly string[] = [
  ...OUTCOME_EVENTS.keys(),
  FAILED_CAPTURE,
  ...FAILED_REFUNDS,
  ...DISPUTES.keys(),
]
