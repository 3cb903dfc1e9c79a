/** The events of Stripe that are read; of all others nothing is. */
export const NOTIFICATION_EVENTS = [
  'payment_intent.amount_capturable_updated',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.succeeded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
] as const

export type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number]
