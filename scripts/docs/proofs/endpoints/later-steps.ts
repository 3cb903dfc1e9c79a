import { testsIn } from '../proof.ts'
import { RAISED_BY_CLIENT } from './clients.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, pends, succeeds } from './outcome.ts'

const payment = testsIn('test/journeys/payment.test.ts')
const captures = testsIn('test/journeys/captures.test.ts')
const resolution = testsIn('test/journeys/resolution.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const outcomes = testsIn('test/journeys/outcomes.test.ts')
const money = testsIn('test/journeys/traps/money.test.ts')
const silence = testsIn('test/journeys/traps/silence.test.ts')
const answers = testsIn('test/http/payments.test.ts')
const decision = testsIn('test/domain/decision.test.ts')

const WRONG_AMOUNT = fails(
  'request.validation.invalid-amount',
  'the amount is no decimal text of its currency',
  money('that is written as %j is refused wherever money is named, and moves none'),
)
export const UNSUPPORTED = fails(
  'request.gateway.operation-not-supported',
  'the gateway cannot do it',
  captures('are what the gateway can do: no more than one, and none of a part, where it cannot'),
)

export const INCREMENT: Endpoint = {
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
    RAISED_BY_CLIENT,
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

export const VOID: Endpoint = {
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
    succeeds(
      'the authorization is not known yet: it is given back where it turns out approved',
      unknown('is given back where it turns out approved after the payment was voided'),
    ),
    fails(
      'request.still-processing',
      'an increment is not known yet',
      decision('a void while an increment is unknown'),
    ),
    WRONG_AMOUNT,
    UNSUPPORTED,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}

export const SYNCHRONIZE: Endpoint = {
  method: 'PUT',
  path: '/invoices/:id/sync-with-psp',
  outcomes: [
    succeeds('what the gateway tells now', resolution('is asked for at once where the merchant wants to know')),
    succeeds(
      'nothing was begun: the invoice, without a transaction',
      outcomes('of what was never begun begins nothing'),
    ),
    pends(
      'the gateway still does not tell',
      outcomes('with a gateway that does not tell leaves the outcome open, and asks for nothing anew'),
    ),
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
