/** Our names by those that other payment services have for the same thing; one of theirs may be several of ours. */
export type NamesElsewhere = ReadonlyMap<string, readonly string[]>

/** @param ours each of our names with theirs, with blanks between them. */
function byTheirs(ours: Readonly<Record<string, string>>): NamesElsewhere {
  const pairs = Object.entries(ours).flatMap(([own, theirs]) => theirs.split(' ').map((name) => [name, own] as const))
  const grouped = Map.groupBy(pairs, ([name]) => name)
  return new Map([...grouped].map(([name, found]) => [name, found.map(([, own]) => own)]))
}

/**
 * Words in addresses. One that may move money in several ways, such as a reversal, is none of them: what an error suggests does
 * with the money what was asked for.
 */
export const WORDS_ELSEWHERE = byTheirs({
  'api-requests': 'logs requests request_logs',
  authorize: 'authorise authorization authorizations confirm',
  capture: 'charge settle submit_for_settlement',
  cards: 'tokens payment_methods payment_method sources',
  disputes: 'chargebacks',
  increment_authorization: 'increment',
  invoices: 'charges checkouts orders payment_intents payment_intent payments payment',
  'routing-rules': 'routing rules',
  'three-d-s': '3ds 3d_secure three_d_secure',
  tokens: 'cards payment_methods sources',
  void: 'cancel cancels cancellation cancellations release',
  'webhook-endpoints': 'hooks webhook webhooks',
})

/** Addresses that others have elsewhere, such as beside the payment what we have below it. */
export const ADDRESSES_ELSEWHERE = byTheirs({
  '/gateway-configurations': '/gateways',
  '/gateways/{id}/gateway-configurations': '/gateway-configurations',
  '/invoices': '/checkout/sessions /payment-links /payment_links',
  '/invoices/{id}/capture': '/capture /captures',
  '/invoices/{id}/refunds': '/refund /refunds',
  '/invoices/{id}/void': '/void /voids',
})

/** Fields of requests, and parameters of lists. */
export const FIELDS_ELSEWHERE = byTheirs({
  capture_amount: 'amount amount_to_capture',
  amount: 'amount_to_capture price refund_amount total total_amount value void_amount',
  capture_type: 'final final_capture is_final',
  source: 'card card_id payment_method payment_method_id payment_source token token_id',
  number: 'card_number pan',
  exp_month: 'expiration_month expiry_month',
  exp_year: 'expiration_year expiry_year',
  cvc2: 'cvv security_code',
  name: 'cardholder cardholder_name description holder holder_name title',
  first_name: 'given_name name',
  last_name: 'family_name surname',
  information: 'description note',
  order_id: 'merchant_order_id merchant_reference order_number order_reference reference',
  details: 'items line_items lines products',
  return_url: 'redirect_url success_url',
  webhook_url: 'callback_url notification_url notify_url',
  events_whitelist: 'enabled_events event_types events',
  limit: 'count page_size per_page size',
  order: 'direction order_by sort sort_order',
  start_after: 'after cursor offset page page_token',
  end_before: 'before',
})

export const EVENTS_ELSEWHERE = byTheirs({
  'transaction.requested': 'payment.created payment_intent.created',
  'transaction.pending': 'payment.pending payment.processing payment_intent.processing',
  'transaction.authorized': 'payment.authorized payment_intent.amount_capturable_updated',
  'transaction.captured': 'charge.captured payment.captured',
  'invoice.completed':
    'charge.succeeded checkout.session.completed invoice.paid payment.completed payment.paid payment.succeeded payment_intent.succeeded',
  'transaction.failed': 'charge.failed payment.declined payment.failed payment_intent.payment_failed',
  'transaction.voided': 'payment.canceled payment.cancelled payment.voided payment_intent.canceled',
  'transaction.refunded': 'charge.refunded payment.refunded refund.created refund.succeeded',
  'transaction.operation.refund.failed': 'charge.refund.failed refund.failed',
  'transaction.chargeback.created': 'charge.dispute.created dispute.created dispute.opened',
  'transaction.chargeback.won': 'dispute.won',
  'transaction.chargeback.lost': 'dispute.lost',
  'customer.token.created': 'payment_method.attached',
  'customer.token.deleted': 'payment_method.detached',
})
