/** The names of the events that a merchant can receive, each with the moment it stands for. */
export const EVENT_NAMES = {
  'transaction.requested': 'A payment was asked for; a transaction exists.',
  'transaction.pending': 'The outcome of the authorization is not known yet.',
  'transaction.authorized': 'The issuer reserved the money.',
  'transaction.authorization.incremented': 'The authorized amount was raised.',
  'transaction.captured': 'A capture was confirmed, of all or of a part.',
  'transaction.failed': 'The attempt failed; another card may be tried.',
  'transaction.voided': 'The authorization was released, by the merchant or because it expired.',
  'transaction.operation.capture.pending': 'A capture was sent and is not confirmed yet.',
  'transaction.operation.capture.failed': 'A capture failed; the authorization stands.',
  'transaction.operation.void.pending': 'A void was sent and is not confirmed yet.',
  'transaction.operation.void.failed': 'A void failed; the authorization stands.',
  'invoice.completed': 'The invoice is paid.',
  'invoice.pending': 'The payment of the invoice needs time.',
} as const

export type EventName = keyof typeof EVENT_NAMES

/** The whole body of a webhook; everything else is fetched by the id. Source: specification, section 6. */
export interface WebhookBody {
  event_id: string
  event_type: EventName
}
