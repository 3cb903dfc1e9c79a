import { CLOCK_ADVANCE } from '../../schemas/clock-input.ts'
import { INCREMENT, REFUND, VOID } from '../../schemas/command-input.ts'
import { PAYMENT_OPTIONS } from '../../schemas/payment-options.ts'
import { clockAdvance, failedPayment, paymentAnswer, refundAnswer, synchronization } from '../answers/error.ts'
import { refund } from '../answers/refund.ts'
import { transaction } from '../answers/transaction.ts'
import { type Operation, ok, type Refusal } from './operation.ts'

const STEP = { 200: paymentAnswer, 410: failedPayment }
const REFUNDED = { 200: refundAnswer, 410: failedPayment }

const options = {
  name: 'PaymentOptions',
  description: 'The options of a payment.',
  input: PAYMENT_OPTIONS,
  about: ['Invoice'],
}

/** What both ways of getting an invoice paid refuse. */
const PAYING: readonly Refusal[] = [
  [
    'card.needs-authentication',
    'the customer has to authenticate, and the caller shows no steps of it (`enable_three_d_s_2`): with the page for it in `customer_action`',
  ],
  ['card.pending-3ds', 'another source, while the customer authenticates'],
  ['customer.cancelled', 'the customer has closed the authentication'],
  ['card.no-money', 'declined, with the code of the issuer; another card may follow'],
  ['card.maximum-attempts', 'a try that the network would charge for, where the project wants that'],
  ['request.transaction-blocked', 'the scheme has advised against trying the card again'],
  ['routing-rules.transaction-blocked', 'a routing rule refuses the payment'],
  ['request.validation.missing-source', 'there is no source, and nothing is authorized'],
  ['request.source.invalid', 'the source is none'],
  ['request.source.card-already-used', 'the card pays another invoice'],
  ['resource.card.not-found', 'there is no such card'],
  ['resource.token.not-found', 'there is no such token, or it was deleted'],
  ['request.validation.missing-customer', '`save_source` without a customer'],
  ['request.validation.invalid-client-secret', '`save_source` without the client secret'],
  ['request.validation.invalid-date', '`auto_capture_at` is past, too late or without an offset'],
  ['request.validation.invalid-amount', 'the amount is none, or more than there is'],
  ['request.validation.invalid-id', 'lines of another invoice'],
  [
    'request.validation.invalid-state',
    'the payment was voided, the invoice has expired, or only your server may capture it',
  ],
  ['request.validation.error', 'a client sets what overrides a rule of the networks, or says how much is captured'],
  ['request.gateway.operation-not-supported', 'the gateway cannot part authorization and capture'],
  ['request.configuration.missing-gateway-configuration', 'the project has no gateway that can take it'],
  [
    'request.rate.too-many-failures',
    'clients have failed too often: for the invoice, with the card, or in the project',
  ],
  ['service.not-supported', 'it asks for what is not supported'],
  ['request.project-suspended', 'the project is suspended'],
  ['request.not-started', 'nobody took it up within 30 s: it was withdrawn'],
]

const LATER_STEP: readonly Refusal[] = [
  ['request.validation.invalid-amount', 'the amount is none of the currency, or more than is left'],
  ['request.gateway.operation-not-supported', 'the gateway cannot do it'],
  ['request.not-started', 'nobody took it up within 30 s: it was withdrawn'],
]

const REFUSED_REFUND: readonly Refusal[] = [
  ...LATER_STEP,
  ['card.declined', 'declined: the refund has failed, and the money stays captured'],
  ['request.validation.invalid-id', 'lines of another invoice'],
  ['request.validation.invalid-state', 'nothing was captured, it is charged back, or the lines were given back'],
  ['request.still-processing', 'the capture is not known yet'],
  ['request.project-suspended', 'the project is suspended'],
]

const refundInput = {
  name: 'RefundInput',
  description: 'What is given back, and why.',
  input: REFUND,
  about: ['Refund'],
}

export const PAYMENT_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /invoices/:id/authorize': {
    id: 'authorizeInvoice',
    tag: 'Payments',
    summary: 'Authorize an invoice',
    description:
      'Reserves the money; with `authorize_only` false it takes it at once, with `auto_capture_at` then. What is authorized already is returned as it is, and nothing is charged. An outcome that the gateway leaves open is `"outcome": "pending"`; the transaction and its events tell it later.',
    request: options,
    says: 'The payment: authorized, captured, or waiting for the customer or the gateway.',
    answers: STEP,
    expands: 'transaction',
    refuses: PAYING,
  },
  'POST /invoices/:id/capture': {
    id: 'captureInvoice',
    tag: 'Payments',
    summary: 'Capture an invoice',
    description:
      'Takes the reserved money, all of it or a part. Where nothing is authorized it authorizes first; then it needs a `source`. With `auto_capture_at` the scheduled capture is moved; where `auto_capture_at` is the only null of the body, it is dropped, and nothing is captured.',
    request: options,
    says: 'The payment: captured, or waiting for the customer or the gateway.',
    answers: STEP,
    expands: 'transaction',
    refuses: [
      ...PAYING,
      ['gateway.expired', 'the authorization has ended'],
      ['request.still-processing', 'an earlier step is not known yet'],
    ],
  },
  'POST /invoices/:id/three-d-s': {
    id: 'authenticateInvoice',
    tag: 'Payments',
    summary: 'Authenticate the customer of an invoice',
    description:
      'Authenticates before the payment. A gateway authenticates together with its authorization, so this is one without a capture; the call of `authorize` or `capture` that follows finds it. Where the customer has to act, the answer is 200 with the action.',
    request: options,
    says: 'The payment: authorized, or waiting for the customer.',
    answers: STEP,
    expands: 'transaction',
    refuses: PAYING,
  },
  'POST /invoices/:id/increment_authorization': {
    id: 'incrementAuthorization',
    tag: 'Payments',
    summary: 'Raise an authorization',
    description:
      'Raises what is reserved by an amount. The payment must have been authorized with `incremental` and not be captured; ten times at most. A decline leaves the authorization as it was. A client may do it only where the project allows that.',
    request: { name: 'IncrementInput', description: 'By how much.', input: INCREMENT },
    says: 'The payment, raised by the amount, or waiting for the gateway.',
    answers: STEP,
    expands: 'transaction',
    refuses: [
      ...LATER_STEP,
      ['card.no-money', 'declined; the authorization stands as it was'],
      ['gateway.expired', 'the authorization has ended'],
      ['request.validation.invalid-state', 'it was not authorized so, was captured, or was raised ten times'],
      ['request.still-processing', 'an earlier step is not known yet'],
      ['request.project-suspended', 'the project is suspended'],
    ],
  },
  'POST /invoices/:id/void': {
    id: 'voidInvoice',
    tag: 'Payments',
    summary: 'Release an authorization',
    description:
      'Releases what is reserved, all of it or a part. An authorization whose outcome is not known can be voided as a whole: what turns out approved later is given back.',
    request: { name: 'VoidInput', description: 'How much is released; by default everything.', input: VOID },
    says: 'The payment: released, or waiting for the gateway.',
    answers: STEP,
    expands: 'transaction',
    refuses: [
      ...LATER_STEP,
      ['gateway.declined', 'declined; the authorization stands'],
      ['request.validation.invalid-state', 'nothing is authorized, all was captured, or a capture is under way'],
      ['request.still-processing', 'an increment is not known yet'],
    ],
  },
  'POST /invoices/:id/refunds': {
    id: 'refundInvoice',
    tag: 'Payments',
    summary: 'Refund an invoice',
    description:
      'Gives captured money back, all of it or a part. Several refunds may be under way at once; together they never give back more than was captured. A refund that had succeeded may still fail.',
    request: refundInput,
    says: 'The refund: done, or waiting for the gateway.',
    answers: REFUNDED,
    expands: 'refund',
    refuses: REFUSED_REFUND,
  },
  'POST /transactions/:id/refunds': {
    id: 'refundTransaction',
    tag: 'Payments',
    summary: 'Refund a transaction',
    description: 'The same as `POST /invoices/{id}/refunds`, by the transaction.',
    request: refundInput,
    says: 'The refund: done, or waiting for the gateway.',
    answers: REFUNDED,
    expands: 'refund',
    refuses: REFUSED_REFUND,
  },
  'PUT /invoices/:id/sync-with-psp': {
    id: 'synchronizeInvoice',
    tag: 'Payments',
    summary: 'Ask the gateway now',
    description: 'Asks the gateway what became of every step whose outcome is not known. Takes no fields.',
    says: 'The payment as it is now.',
    answers: { 200: synchronization },
    expands: 'invoice',
  },
  'POST /invoices/:id/clock/advance': {
    id: 'advanceClock',
    tag: 'Payments',
    summary: 'Advance the test clock of a sandbox payment',
    description:
      'Moves one sandbox payment and its webhooks through time, on the real workflow: by `seconds`, or to the instant `to`; one of them. Waits until all that was due has happened, for 20 s at most.',
    request: { name: 'ClockAdvanceInput', description: 'How far to advance: one of the two.', input: CLOCK_ADVANCE },
    says: 'The payment at that time.',
    answers: { 200: clockAdvance },
    expands: 'transaction',
    refuses: [
      ['request.clock.sandbox-only', 'the key is of the live environment'],
      ['request.clock.not-available', 'the Temporal server does not skip time'],
      ['request.validation.invalid-state', 'nothing of the payment waits, and none of its webhooks'],
      ['request.validation.invalid-date', 'the instant has passed for the payment, or lies more than 90 days ahead'],
      ['request.still-processing', 'another advance takes long'],
      ['request.not-started', 'nothing was moved in time'],
    ],
  },
  'GET /transactions/:id': {
    id: 'retrieveTransaction',
    tag: 'Transactions',
    summary: 'Retrieve a transaction',
    says: 'The transaction.',
    answers: ok({ transaction }),
    expands: 'transaction',
  },
  'GET /transactions/:id/refunds/:refund_id': {
    id: 'retrieveRefund',
    tag: 'Transactions',
    summary: 'Retrieve a refund',
    says: 'The refund.',
    answers: ok({ refund }),
    expands: 'refund',
    refuses: [['resource.refund.not-found', 'the transaction has no such refund']],
  },
}
