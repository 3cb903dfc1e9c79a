/** The names of the events that a merchant can receive, with their descriptions. */
export const EVENT_NAMES = {
  'transaction.requested': 'A payment was requested; a transaction exists.',
  'transaction.pending': 'The outcome of the authorization is not known yet.',
  'transaction.authorized': 'The issuer reserved the money.',
  'transaction.authorization.incremented': 'The authorized amount was raised.',
  'transaction.authorization.expiring': 'An uncaptured authorization expires in a day.',
  'transaction.captured': 'A capture was confirmed, of all or of a part.',
  'transaction.failed': 'The attempt failed; another card may be tried.',
  'transaction.voided': 'The authorization was released, by the merchant or because it expired.',
  'transaction.refunded': 'Money was given back, all of it or a part.',
  'transaction.operation.capture.pending': 'A capture was sent and is not confirmed yet.',
  'transaction.operation.capture.failed': 'A capture failed; the authorization stands.',
  'transaction.operation.void.pending': 'A void was sent and is not confirmed yet.',
  'transaction.operation.void.failed': 'A void failed; the authorization stands.',
  'transaction.operation.refund.pending': 'A refund was sent and is not confirmed yet.',
  'transaction.operation.refund.failed': 'A refund failed, at once or after it had succeeded.',
  'transaction.chargeback.retrieval-request': 'The issuer asks for evidence of the payment.',
  'transaction.chargeback.fraud-notification': 'The cardholder reported fraud to the issuer.',
  'transaction.chargeback.inquiry-closed': 'The issuer asks no longer; no money was taken.',
  'transaction.chargeback.answered': 'Evidence was handed in at the gateway; the issuer decides.',
  'transaction.chargeback.created': 'The issuer takes the money back.',
  'transaction.chargeback.won': 'The chargeback was won; the money stays.',
  'transaction.chargeback.lost': 'The chargeback was lost; the money is gone.',
  'invoice.completed': 'The invoice is paid.',
  'invoice.pending': 'The payment of the invoice needs time.',
  'invoice.expired': 'The invoice was not paid in time.',
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed.',
  'customer.deleted': 'A customer was deleted.',
  'customer.token.created': 'A payment source was stored for a customer.',
  'customer.token.updated': 'A stored payment source was changed, or its verification ended.',
  'customer.token.deleted': 'A stored payment source was deleted.',
  'card.updated': 'A card was changed.',
  'card.expires_soon': 'The card of a stored payment source expires this month or the next.',
  'reconciliation.differences-found': 'Our books and those of a gateway do not agree.',
  'webhook-endpoint.test': 'A test of a webhook endpoint.',
  'webhook-endpoint.disabled': 'A webhook endpoint was switched off, because it accepted nothing.',
} as const

export type EventName = keyof typeof EVENT_NAMES

/** An event with targets, as input for its webhook workflow. */
export interface FiredEvent {
  projectId: string
  sandbox: boolean
  eventId: string
  eventName: EventName
  /** Null if the event concerns no invoice. */
  invoiceId: string | null
  /** 0 for the first sending, n for the nth resend. Each run has its own schedule. */
  run: number
  /** Whether all targets are failing endpoints; absent if unknown. */
  isFailing?: boolean
}

/** The whole body of a webhook. The merchant fetches the event by its id. */
export interface WebhookBody {
  event_id: string
  event_type: EventName
}
