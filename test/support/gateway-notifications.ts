import type { GatewayNotification } from '../../domain/gateway-notification.ts'

export type OutcomeNotification = Extract<GatewayNotification, { kind: 'outcome' }>
export type DisputeNotification = Extract<GatewayNotification, { reason: string | null }>

let count = 0
const nextId = () => `notification-${++count}`

/** A notification of how a call has ended, under an id of its own. */
export function outcomeNotification(
  type: OutcomeNotification['type'],
  reference: string,
  outcome: OutcomeNotification['outcome'],
  values: Partial<OutcomeNotification> = {},
): OutcomeNotification {
  const gatewayNotificationId = nextId()
  return { kind: 'outcome', gatewayNotificationId, type, reference, outcome, gatewayAuthorizationId: null, ...values }
}

/** A notification of a dispute or of a failed refund, under an id of its own; what is not given, the gateway leaves out. */
export function disputeNotification(
  kind: DisputeNotification['kind'],
  values: Partial<DisputeNotification> = {},
): DisputeNotification {
  const nothing = { invoiceId: null, reference: null, amountMinor: null, currency: null, reason: null }
  return { kind, gatewayNotificationId: nextId(), gatewayAuthorizationId: null, ...nothing, ...values }
}
