import { testsIn } from '../proof.ts'
import { PAYING } from './authorize.ts'
import { NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { UNSUPPORTED } from './later-steps.ts'
import { declines, type Endpoint, fails, pends, succeeds } from './outcome.ts'

const payment = testsIn('test/journeys/payment.test.ts')
const advice = testsIn('test/journeys/merchant-advice.test.ts')
const captures = testsIn('test/journeys/captures.test.ts')
const unknown = testsIn('test/journeys/unknown-outcome.test.ts')
const silence = testsIn('test/journeys/traps/silence.test.ts')

export const CAPTURE: Endpoint = {
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
      'with `override_mac_blocking`: sent although the scheme advises against it',
      advice('an approval by override lifts the block'),
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
      'request.still-processing',
      'an earlier step is not known yet',
      silence('is neither voided nor refunded meanwhile, and refunded once it is found done'),
    ),
    UNSUPPORTED,
    ...PAYING,
    UNKNOWN_FIELD,
    ...PAYMENT,
    ...NO_INVOICE,
  ],
}
