import { missing, NO_INVOICE, PAYMENT, UNKNOWN_FIELD } from './everywhere.ts'
import { declines, type Endpoint, fails, type Outcome, pends, succeeds } from './outcome.ts'

/** What both addresses of a refund answer alike. */
const REFUND: readonly Outcome[] = [
  succeeds('given back, all or a part'),
  succeeds('with lines: what they come to'),
  succeeds('months later'),
  pends('the answer of the gateway is lost, or comes later'),
  declines('declined; the refund has failed'),
  fails('request.validation.invalid-amount', 'more than is left, or no amount'),
  fails('request.validation.invalid-id', 'lines of another invoice'),
  fails('request.validation.invalid-state', 'lines that were given back'),
  fails('request.validation.invalid-state', 'nothing was captured, or it is charged back'),
  fails('request.still-processing', 'the capture is not known yet'),
  fails('request.gateway.operation-not-supported', 'the gateway does not refund'),
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
