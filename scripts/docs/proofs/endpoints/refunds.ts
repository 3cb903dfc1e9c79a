import { testsIn } from '../proof.ts'
import { missing, NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { declines, type Endpoint, fails, type Outcome, pends, succeeds } from './outcome.ts'

const refunds = testsIn('test/journeys/refunds.test.ts')
const refusals = testsIn('test/journeys/refusals.test.ts')

/** What both addresses of a refund answer alike. */
const REFUND: readonly Outcome[] = [
  succeeds('given back, all or a part', refusals('gives back a part, and then the rest')),
  succeeds('with lines: what they come to', refusals('gives back lines, each once')),
  succeeds('months later', refunds('months later find their payment, though its workflow was forgotten long ago')),
  pends(
    'the answer of the gateway is lost, or comes later',
    refusals('whose answer is lost, or comes later, is pending'),
  ),
  declines(
    'declined; the refund has failed',
    refusals('that the gateway declines is 410, and a refund that has failed'),
  ),
  fails(
    'request.validation.invalid-amount',
    'more than is left, or no amount',
    refusals('gives back no more than is left, and no amount that is none'),
  ),
  fails('request.validation.invalid-id', 'lines of another invoice', refusals('gives back lines, each once')),
  fails('request.validation.invalid-state', 'lines that were given back', refusals('gives back lines, each once')),
  fails(
    'request.validation.invalid-state',
    'nothing was captured, or it is charged back',
    refusals('gives back nothing that was not captured, or is charged back'),
  ),
  fails('request.still-processing', 'the capture is not known yet', refusals('waits for a capture that is not known')),
  fails(
    'request.gateway.operation-not-supported',
    'the gateway does not refund',
    testsIn('test/domain/capabilities.test.ts')('a refund'),
  ),
  UNKNOWN_FIELD,
  ...PAYMENT,
]

export const REFUNDS: readonly Endpoint[] = [
  { method: 'POST', path: '/invoices/:id/refunds', outcomes: [...REFUND, ...NO_INVOICE] },
  {
    method: 'POST',
    path: '/transactions/:id/refunds',
    outcomes: [...REFUND, ...missing('resource.transaction.not-found')],
  },
]
