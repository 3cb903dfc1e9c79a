import { testsIn } from '../proof.ts'
import { missing, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { declines, type Endpoint, fails, type Outcome, pends, succeeds } from './outcome.ts'

const payment = testsIn('test/journeys/payment.test.ts')
const captures = testsIn('test/journeys/captures.test.ts')
const refunds = testsIn('test/journeys/refunds.test.ts')
const resolution = testsIn('test/journeys/resolution.test.ts')
const sources = testsIn('test/journeys/sources.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const outcomes = testsIn('test/journeys/outcomes.test.ts')
const money = testsIn('test/journeys/traps/money.test.ts')
const silence = testsIn('test/journeys/traps/silence.test.ts')
const instants = testsIn('test/http/auto-capture-instants.test.ts')
const answers = testsIn('test/http/payments.test.ts')
const options = testsIn('test/http/payment-options.test.ts')
const codes = testsIn('test/http/error-codes.test.ts')
const decision = testsIn('test/domain/decision.test.ts')

const EACH_CODE = codes('%s is what a request can be answered with')
const NO_INVOICE = missing('resource.invoice.not-found')

const WRONG_AMOUNT = fails(
  'request.validation.invalid-amount',
  'the amount is no decimal text of its currency',
  money('that is written as %j is refused wherever money is named, and moves none'),
)
const UNSUPPORTED = fails(
  'request.gateway.operation-not-supported',
  'the gateway cannot do it',
  captures('are what the gateway can do: no more than one, and none of a part, where it cannot'),
)

/** What both ways of getting an invoice paid refuse alike. */
const WRONG_SOURCES: readonly Outcome[] = [
  fails('request.validation.missing-source', 'no source, and nothing is authorized', EACH_CODE),
  fails('request.source.invalid', 'the source is none', EACH_CODE),
  fails(
    'request.source.card-already-used',
    'the card pays another invoice',
    payment('takes a card for one invoice only'),
  ),
  fails(
    'resource.card.not-found',
    'there is no such card',
    answers('that was refused with %s has the status of the code and names the field'),
  ),
  fails(
    'resource.token.not-found',
    'the token was deleted',
    sources('a token pays for nobody else, and not after it was deleted'),
  ),
  fails(
    'request.validation.missing-customer',
    '`save_source` without a customer',
    sources('saving a source needs a customer and the client secret of the invoice'),
  ),
  fails(
    'request.validation.invalid-client-secret',
    '`save_source` without the client secret',
    options('needs the client secret of the invoice, in the body: %s'),
  ),
  fails(
    'request.validation.invalid-date',
    '`auto_capture_at` is past, too late or without an offset',
    instants('is refused %s'),
  ),
  fails('request.validation.invalid-id', 'lines of another invoice', EACH_CODE),
  WRONG_AMOUNT,
  fails('service.not-supported', 'it asks for what is not built', EACH_CODE),
  fails(
    'request.configuration.missing-gateway-configuration',
    'the project has no gateway',
    testsIn('test/activities/refusals.test.ts')('because no gateway is configured does not use its card up'),
  ),
  fails(
    'request.not-started',
    'nobody took it up within 30 s: it was withdrawn',
    answers('that nobody gives is 503 where nothing has begun'),
  ),
]

const AUTHORIZE: Endpoint = {
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
    fails(
      'card.do-not-honor',
      'declined, with the code; another card may follow',
      payment('that the issuer declines answers 410 with the code of the card, and another card may follow'),
    ),
    declines(
      'declined for any other reason that there is',
      codes('fails with 410 for every code that a gateway can give, and its transaction keeps the code'),
    ),
    fails(
      'request.validation.invalid-state',
      'the payment was voided',
      payment('is voided, and then neither captured nor authorized again'),
    ),
    fails(
      'request.validation.invalid-state',
      'the invoice has expired',
      sources('of an expired invoice nothing is taken'),
    ),
    fails(
      'request.gateway.operation-not-supported',
      'the two cannot be parted',
      captures('where the two cannot be parted are done with the authorization, if the merchant allows it'),
    ),
    ...WRONG_SOURCES,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

const CAPTURE: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/capture',
  outcomes: [
    succeeds('captured whole', payment('is captured whole, and captured again charges nothing')),
    succeeds('captured in part, the rest released', payment('captured in part releases the rest')),
    succeeds(
      'with `capture_type` `non-final`: captured in part, the rest kept',
      captures('that are not final leave the rest for further captures and for a void'),
    ),
    succeeds('with lines: what they come to', captures('by lines take what the lines come to, each line once')),
    succeeds(
      'nothing was authorized: authorized and captured',
      payment('captured without an authorization is authorized on the way'),
    ),
    succeeds(
      'with `auto_capture_at`: the scheduled capture is moved',
      payment('whose scheduled capture was moved is captured at the new instant'),
    ),
    succeeds(
      'with `auto_capture_at` null: the scheduled capture is dropped',
      payment('whose scheduled capture was dropped is not captured by itself'),
    ),
    succeeds(
      'again: as it is, and nothing is charged',
      payment('is captured whole, and captured again charges nothing'),
    ),
    pends(
      'the answer of the gateway is lost',
      unknown('leaves a capture pending until it is found done, and captures once'),
    ),
    pends(
      'the gateway confirms later',
      captures('that the gateway confirms later are pending, and then done or undone'),
    ),
    declines('declined; the authorization stands', payment('whose capture fails stays authorized, and says both')),
    fails(
      'gateway.expired',
      'the authorization has ended',
      payment('is voided when seven days have passed, and not before'),
    ),
    fails(
      'request.validation.invalid-amount',
      'more than is authorized',
      payment('is never captured above what is authorized'),
    ),
    fails(
      'request.validation.invalid-amount',
      'an amount that is not that of the lines',
      captures('by lines take what the lines come to, each line once'),
    ),
    fails('request.validation.invalid-state', 'nothing is left', payment('captured in part releases the rest')),
    fails(
      'request.validation.invalid-state',
      'the payment was voided',
      payment('is voided, and then neither captured nor authorized again'),
    ),
    fails(
      'request.still-processing',
      'an earlier step is not known yet',
      silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
    ),
    UNSUPPORTED,
    ...WRONG_SOURCES,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

const INCREMENT: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/increment_authorization',
  outcomes: [
    succeeds('raised by the amount', payment('is incremented by the difference, and captured whole afterwards')),
    pends('the answer of the gateway is lost', unknown('adds an increment once')),
    fails(
      'card.no-money',
      'declined; the authorization stands as it was',
      testsIn('test/journeys/processout-client.test.ts')('keeps an authorization whose increment was declined'),
    ),
    fails(
      'gateway.expired',
      'the authorization has ended',
      decision('an increment runs at the last instant of the authorization, and is expired a millisecond later'),
    ),
    fails(
      'request.validation.invalid-state',
      'it was not authorized so, or was captured',
      payment('is not incremented unless it was authorized so, nor after its capture'),
    ),
    fails('request.validation.invalid-state', 'it was raised ten times', decision('an eleventh increment')),
    fails(
      'request.still-processing',
      'an earlier step is not known yet',
      decision('an increment while one is unknown'),
    ),
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

const VOID: Endpoint = {
  method: 'POST',
  path: '/invoices/:id/void',
  outcomes: [
    succeeds('released whole', payment('is voided, and then neither captured nor authorized again')),
    succeeds('released in part', payment('voided in part stays authorized for the rest')),
    succeeds(
      'the rest of several captures',
      captures('that are not final leave the rest for further captures and for a void'),
    ),
    succeeds('again: as it is', answers('void of a voided one is the transaction')),
    pends('the answer of the gateway is lost', resolution('of void-lost is never asked for twice')),
    fails(
      'gateway.declined',
      'declined; the authorization stands',
      outcomes('that the gateway declines leaves the authorization, which can still be captured'),
    ),
    fails('request.validation.invalid-amount', 'more than is left', decision('a void of more than is authorized')),
    fails(
      'request.validation.invalid-state',
      'nothing is authorized, or all was captured',
      payment('has a closed run once nothing is awaited, and answers from the record afterwards'),
    ),
    fails(
      'request.validation.invalid-state',
      'a capture is under way',
      silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
    ),
    fails(
      'request.still-processing',
      'the authorization is not known yet',
      unknown('that never tells leaves the payment pending: nothing is sent again, nothing is refused as failed'),
    ),
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

/** What both addresses of a refund answer alike: they lead to the same command. */
const REFUND: readonly Outcome[] = [
  succeeds('with lines: what they come to', refunds('by lines give back what the lines come to, each line once')),
  succeeds('months later', refunds('months later find their payment, though its workflow was forgotten long ago')),
  pends(
    'the answer of the gateway is lost',
    refunds('whose answer is lost are pending until they are found done, and are asked for once'),
  ),
  pends(
    'the gateway confirms later',
    refunds('that are confirmed later hold their amount back meanwhile, and succeed or fail then'),
  ),
  declines('declined; the refund has failed', refunds('that the gateway declines are refused, and may be tried again')),
  fails(
    'request.validation.invalid-amount',
    'more than is left',
    refunds('of parts and then of what is left give back exactly what was captured'),
  ),
  fails('request.validation.invalid-state', 'nothing was captured', refunds('of what was never captured are refused')),
  fails(
    'request.validation.invalid-state',
    'the money is charged back',
    refunds('a chargeback is told, and its money is neither refunded nor captured'),
  ),
  fails(
    'request.still-processing',
    'the capture is not known yet',
    silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
  ),
  WRONG_AMOUNT,
  UNKNOWN_FIELD,
  ...PAYMENT,
]

const SYNCHRONIZE: Endpoint = {
  method: 'PUT',
  path: '/invoices/:id/sync-with-psp',
  outcomes: [
    succeeds('what the gateway tells now', resolution('is asked for at once where the merchant wants to know')),
    succeeds('nothing was begun: the transaction is null', outcomes('of what was never begun begins nothing')),
    pends(
      'the gateway still does not tell',
      outcomes('with a gateway that does not tell leaves the outcome open, and asks for nothing anew'),
    ),
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

export const PAYMENTS: readonly Endpoint[] = [AUTHORIZE, CAPTURE, INCREMENT, VOID, SYNCHRONIZE]

export const REFUNDS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/invoices/:id/refunds',
    outcomes: [
      succeeds(
        'given back, all or a part',
        refunds('of parts and then of what is left give back exactly what was captured'),
      ),
      ...REFUND,
      ...NO_INVOICE,
    ],
  },
  {
    method: 'POST',
    path: '/transactions/:id/refunds',
    outcomes: [
      succeeds(
        'given back, all or a part',
        refunds('of parts and then of what is left give back exactly what was captured'),
      ),
      ...REFUND,
      ...missing('resource.transaction.not-found'),
    ],
  },
]
