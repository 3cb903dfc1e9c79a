import { PAID_BY_CLIENT } from './clients.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { declines, type Endpoint, fails, type Outcome, pends, succeeds } from './outcome.ts'

/** What both ways of getting an invoice paid answer alike. */
export const PAYING: readonly Outcome[] = [
  ...PAID_BY_CLIENT,
  pends('the customer has to authenticate: with `customer_action`'),
  fails('card.needs-authentication', 'the same, without `enable_three_d_s_2`: with the page for it'),
  fails('card.pending-3ds', 'another source, while the customer authenticates'),
  fails('customer.cancelled', 'the customer has closed the authentication'),
  fails('card.no-money', 'declined, with the code; another card may follow'),
  fails('request.transaction-blocked', 'the scheme has advised against trying the card again'),
  fails('request.validation.missing-source', 'no source, and nothing is authorized'),
  fails('request.source.invalid', 'the source is none'),
  fails('request.source.card-already-used', 'the card pays another invoice'),
  fails('resource.card.not-found', 'there is no such card'),
  fails('resource.token.not-found', 'there is no such token, or it was deleted'),
  fails('request.validation.missing-customer', '`save_source` without a customer'),
  fails('request.validation.invalid-client-secret', '`save_source` without the client secret'),
  fails('request.validation.invalid-date', '`auto_capture_at` is past, too late or without an offset'),
  fails('request.validation.invalid-amount', 'the amount is none, or more than the invoice'),
  fails('request.validation.invalid-id', 'lines of another invoice'),
  fails('request.validation.invalid-state', 'the payment was voided, or the invoice has expired'),
  fails('service.not-supported', 'it asks for what is not built'),
  fails('request.configuration.missing-gateway-configuration', 'the project has no gateway'),
  fails('request.not-started', 'nobody took it up within 30 s: it was withdrawn'),
]

/** Authenticates before the payment; what it finds, `authorize` and `capture` find as well. */
export const AUTHENTICATE: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/three-d-s',
  outcomes: [succeeds('no authentication is needed: authorized'), ...PAYING, UNKNOWN_FIELD, ...PAYMENT, ...NO_INVOICE],
}

export const AUTHORIZE: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/authorize',
  outcomes: [
    succeeds('authorized'),
    succeeds('with `authorize_only` false: captured as well'),
    succeeds('with `auto_capture_at`: captured then'),
    succeeds('again: as it is, and nothing is charged'),
    succeeds('with a token, its card, or its customer'),
    succeeds('with a source at the gateway'),
    succeeds('with `save_source`: a token as well'),
    succeeds('of a series, with the id of its first payment'),
    succeeds('with `allow_fallback_to_sale`, where the two cannot be parted: captured'),
    succeeds('of a part, where the project takes parts'),
    pends('the answer of the gateway is lost'),
    pends('nobody answers within 30 s, and it has begun'),
    declines('declined for any other reason that there is'),
    fails('card.maximum-attempts', 'a try that the network would charge for, where the project wants that'),
    fails('request.gateway.operation-not-supported', 'the two cannot be parted'),
    ...PAYING,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
