import { testsIn } from '../proof.ts'
import { PAID_BY_CLIENT } from './clients.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { declines, type Endpoint, fails, type Outcome, pends, succeeds } from './outcome.ts'

const payment = testsIn('test/journeys/payment.test.ts')
const captures = testsIn('test/journeys/captures.test.ts')
const refusals = testsIn('test/journeys/refusals.test.ts')
const sources = testsIn('test/journeys/sources.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const answers = testsIn('test/http/payments.test.ts')
const advice = testsIn('test/journeys/merchant-advice.test.ts')
const codes = testsIn('test/http/error-codes.test.ts')

/** What both ways of getting an invoice paid answer alike. */
export const PAYING: readonly Outcome[] = [
  ...PAID_BY_CLIENT,
  fails(
    'card.no-money',
    'declined, with the code; another card may follow',
    refusals('that is declined is 410, and another card may follow'),
  ),
  fails(
    'request.transaction-blocked',
    'the scheme has advised against trying the card again',
    advice('a capture at once is refused as well, with an ordinary key and by its idempotency key'),
  ),
  fails(
    'request.validation.missing-source',
    'no source, and nothing is authorized',
    refusals('without a source, where nothing is authorized, begins nothing'),
  ),
  fails('request.source.invalid', 'the source is none', refusals('with a source that is none begins nothing')),
  fails(
    'request.source.card-already-used',
    'the card pays another invoice',
    refusals('with the card of another invoice begins nothing'),
  ),
  fails(
    'resource.card.not-found',
    'there is no such card',
    refusals('with a card or a token that is not there begins nothing'),
  ),
  fails(
    'resource.token.not-found',
    'there is no such token, or it was deleted',
    refusals('with a card or a token that is not there begins nothing'),
  ),
  fails(
    'request.validation.missing-customer',
    '`save_source` without a customer',
    refusals('with save_source needs a customer and the client secret'),
  ),
  fails(
    'request.validation.invalid-client-secret',
    '`save_source` without the client secret',
    refusals('with save_source needs a customer and the client secret'),
  ),
  fails(
    'request.validation.invalid-date',
    '`auto_capture_at` is past, too late or without an offset',
    refusals('with an instant, an amount or lines that cannot be begins nothing'),
  ),
  fails(
    'request.validation.invalid-amount',
    'the amount is none, or more than the invoice',
    refusals('with an instant, an amount or lines that cannot be begins nothing'),
  ),
  fails(
    'request.validation.invalid-id',
    'lines of another invoice',
    refusals('with an instant, an amount or lines that cannot be begins nothing'),
  ),
  fails(
    'request.validation.invalid-state',
    'the payment was voided, or the invoice has expired',
    refusals('of a voided payment, or of an expired invoice, begins nothing'),
  ),
  fails(
    'service.not-supported',
    'it asks for what is not built',
    refusals('that asks for what is not built begins nothing'),
  ),
  fails(
    'request.configuration.missing-gateway-configuration',
    'the project has no gateway',
    refusals('without a gateway begins nothing, and the card is still good'),
  ),
  fails(
    'request.not-started',
    'nobody took it up within 30 s: it was withdrawn',
    answers('that nobody gives is 503 where nothing has begun'),
  ),
]

export const AUTHORIZE: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/authorize',
  outcomes: [
    succeeds('authorized', payment('is authorized, and its transaction says so everywhere')),
    succeeds(
      'with `authorize_only` false: captured as well',
      payment('authorized with authorize_only false is captured at once'),
    ),
    succeeds(
      'with `auto_capture_at`: captured then',
      payment('is captured at auto_capture_at, not a second earlier, for the amount asked'),
    ),
    succeeds('again: as it is, and nothing is charged', payment('authorized twice is authorized once')),
    succeeds(
      'with a token, its card, or its customer',
      sources('a token pays again and again, under its own id, its card and its customer'),
    ),
    succeeds(
      'with a source at the gateway',
      sources('a continuation of the gateway pays without a card; one that nobody handed out does not'),
    ),
    succeeds(
      'with `save_source`: a token as well',
      sources('a card is saved when its payment is approved, and only then'),
    ),
    succeeds(
      'of a series, with the id of its first payment',
      sources('a payment of the merchant refers to the first payment of the customer, scheme by scheme'),
    ),
    succeeds(
      'with `allow_fallback_to_sale`, where the two cannot be parted: captured',
      captures('where the two cannot be parted are done with the authorization, if the merchant allows it'),
    ),
    succeeds(
      'of a part, where the project takes parts',
      sources('an approval of a part is declined and the part given back, unless the project takes parts'),
    ),
    pends(
      'the answer of the gateway is lost',
      unknown('leaves an authorization pending, never failed, until it is looked up and found approved'),
    ),
    pends(
      'nobody answers within 30 s, and it has begun',
      answers('that nobody gives is pending where the attempt is written'),
    ),
    declines(
      'declined for any other reason that there is',
      codes('fails with 410 for every code that a gateway can give, and its transaction keeps the code'),
    ),
    fails(
      'card.maximum-attempts',
      'a try that the network would charge for, where the project wants that',
      advice('is every decline of a Visa card that was sent, and none that was not'),
    ),
    fails(
      'request.gateway.operation-not-supported',
      'the two cannot be parted',
      captures('where the two cannot be parted are done with the authorization, if the merchant allows it'),
    ),
    ...PAYING,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
