import type { Answers } from '../../http/endpoint.ts'
import { endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { LINES_BODY } from '../../http/middleware/body.ts'
import { clockAdvance, failedPayment, paymentAnswer, refundAnswer, synchronization } from '../../objects/answers.ts'
import { card } from '../examples/payer.ts'
import { refund } from '../examples/payment.ts'
import { CLOCK_ADVANCE } from './clock-input.ts'
import { INCREMENT, REFUND, VOID } from './command-input.ts'
import { ADVANCED, DECLINED_STEP, declined, done, PLACED, REFUNDED, SYNCHRONIZED } from './examples.ts'
import { PAYMENT_OPTIONS } from './payment-options.ts'
import { incrementAuthorization, payInvoice, refundInvoice, refundTransaction, voidInvoice } from './payments.ts'
import { synchronizeInvoice } from './synchronize.ts'
import { advanceTestClock } from './test-clock.ts'

const step = (says: string, examples: Answers['examples']): Answers => ({
  says,
  bodies: { 200: paymentAnswer, 410: failedPayment },
  expands: 'transaction',
  examples,
})

const REFUND_ANSWERS: Answers = {
  says: 'The refund: done, or waiting for the gateway.',
  bodies: { 200: refundAnswer, 410: failedPayment },
  expands: 'refund',
  examples: REFUNDED,
}

const OPTIONS = {
  name: 'PaymentOptions',
  description: 'The options of a payment.',
  input: PAYMENT_OPTIONS,
  about: ['Invoice'],
  limits: LINES_BODY,
  example: { source: card.id, authorize_only: true },
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
  [
    'request.source.invalid',
    'the source is neither a card, a token nor a customer, or the customer has no default token',
  ],
  ['request.source.card-already-used', 'the card pays another invoice'],
  ['resource.card.not-found', 'there is no such card'],
  ['resource.token.not-found', 'there is no such token, or it was deleted'],
  ['resource.customer.not-found', 'there is no such customer, or it was deleted'],
  ['request.validation.missing-customer', '`save_source` without a customer'],
  ['request.validation.invalid-client-secret', '`save_source` without the client secret'],
  ['request.validation.invalid-date', '`auto_capture_at` is past, too late or without an offset'],
  ['request.validation.invalid-amount', 'the amount is invalid, or more than can be captured'],
  ['request.validation.invalid-id', 'lines of another invoice, or a list of none'],
  [
    'request.validation.invalid-state',
    'the payment was voided, the invoice has expired, or only your server may capture it',
  ],
  ['request.validation.error', 'a client sets what overrides a rule of the networks, or says how much is captured'],
  ['request.gateway.operation-not-supported', 'the gateway does not support separate authorization and capture'],
  ['request.configuration.missing-gateway-configuration', 'the project has no gateway that can take it'],
  [
    'request.rate.too-many-failures',
    'clients have failed too often: for the invoice, with the card, or in the project',
  ],
  ['service.not-supported', 'it asks for what is not supported'],
  ['request.project-suspended', 'the project is suspended'],
  ['request.not-started', 'the call was not started within 30 s and is withdrawn'],
]

const LATER_STEP: readonly Refusal[] = [
  ['request.validation.invalid-amount', 'the amount is invalid, or more than is left'],
  ['request.gateway.operation-not-supported', 'the gateway cannot do it'],
  ['request.not-started', 'the call was not started within 30 s and is withdrawn'],
]

const REFUSED_REFUND: readonly Refusal[] = [
  ...LATER_STEP,
  ['card.declined', 'declined: the refund has failed, and the money stays captured'],
  ['request.validation.invalid-id', 'lines of another invoice, or a list of none'],
  ['request.validation.invalid-state', 'nothing was captured, it is charged back, or the lines were given back'],
  ['request.still-processing', 'the capture is not known yet'],
  ['request.project-suspended', 'the project is suspended'],
]

const REFUND_BODY = {
  name: 'RefundInput',
  description: 'What is given back, and why.',
  input: REFUND,
  about: ['Refund'],
  limits: LINES_BODY,
  example: { amount: '10.00', reason: refund.reason, information: refund.information },
}

export const PAYMENTS = section(
  {
    tag: 'Payments',
    says: 'Authorize, capture, raise, release and refund. Each works on the one payment of an invoice.',
    waits: true,
  },
  [
    endpoint('POST /invoices/:id/authorize', {
      id: 'authorizeInvoice',
      method: 'invoices.authorize',
      summary: 'Authorize an invoice',
      access: { permission: 'payments', isOpenToClients: true, reads: 'payment' },
      description:
        'Reserves the money; with `authorize_only` false it takes it at once, with `auto_capture_at` then. What is authorized already is returned as it is, and nothing is charged. An outcome that the gateway leaves open is `"outcome": "pending"`; the transaction and its events tell it later.',
      body: OPTIONS,
      answers: step('The payment: authorized, captured, or waiting for the customer or the gateway.', PLACED),
      refuses: PAYING,
      run: (deps) => payInvoice(deps, 'authorize'),
    }),
    endpoint('POST /invoices/:id/capture', {
      id: 'captureInvoice',
      method: 'invoices.capture',
      summary: 'Capture an invoice',
      access: { permission: 'payments', isOpenToClients: true, reads: 'payment' },
      description:
        'Takes the reserved money, all of it or a part. Where nothing is authorized it authorizes first; then it needs a `source`. With `auto_capture_at` the scheduled capture is moved; where `auto_capture_at` is the only null of the body, it is dropped, and nothing is captured.',
      body: { ...OPTIONS, example: { capture_amount: '129.90' } },
      answers: step('The payment: captured, or waiting for the customer or the gateway.', {
        200: { captured: done('captured') },
        410: { declined },
      }),
      refuses: [
        ...PAYING,
        ['gateway.expired', 'the authorization has ended'],
        ['request.still-processing', 'an earlier step is not known yet'],
      ],
      run: (deps) => payInvoice(deps, 'capture'),
    }),
    endpoint('POST /invoices/:id/three-d-s', {
      id: 'authenticateInvoice',
      method: 'invoices.authenticate',
      summary: 'Authenticate the customer of an invoice',
      access: { permission: 'payments', isOpenToClients: true, reads: 'payment' },
      description:
        'Authenticates before the payment. A gateway authenticates together with its authorization, so this is one without a capture; the call of `authorize` or `capture` that follows finds it. Where the customer has to act, the answer is 200 with the action.',
      body: OPTIONS,
      answers: step('The payment: authorized, or waiting for the customer.', PLACED),
      refuses: PAYING,
      run: (deps) => payInvoice(deps, 'three-d-s'),
    }),
    endpoint('POST /invoices/:id/increment_authorization', {
      id: 'incrementAuthorization',
      method: 'invoices.incrementAuthorization',
      summary: 'Raise an authorization',
      access: { permission: 'payments', isOpenToClients: true, reads: 'payment' },
      description:
        'Raises what is reserved by an amount. The payment must have been authorized with `incremental` and not be captured; ten times at most. A decline leaves the authorization as it was. A client may do it only where the project allows that.',
      body: { name: 'IncrementInput', description: 'By how much.', input: INCREMENT, example: { amount: '5.00' } },
      answers: step('The payment, raised by the amount, or waiting for the gateway.', {
        200: { raised: done('incremented') },
        410: DECLINED_STEP,
      }),
      refuses: [
        ...LATER_STEP,
        ['card.no-money', 'declined; the authorization stands as it was'],
        ['gateway.expired', 'the authorization has ended'],
        ['request.validation.invalid-state', 'it was not authorized so, was captured, or was raised ten times'],
        ['request.still-processing', 'an earlier step is not known yet'],
        ['request.project-suspended', 'the project is suspended'],
      ],
      run: incrementAuthorization,
    }),
    endpoint('POST /invoices/:id/void', {
      id: 'voidInvoice',
      method: 'invoices.void',
      summary: 'Release an authorization',
      access: { permission: 'payments', reads: 'payment' },
      description:
        'Releases what is reserved, all of it or a part. An authorization whose outcome is not known can be voided as a whole: what turns out approved later is given back. What is voided already is returned as it is, and refused where another amount is asked for.',
      body: {
        name: 'VoidInput',
        description: 'How much is released; by default everything.',
        input: VOID,
        example: { amount: '129.90' },
      },
      answers: step('The payment: released, or waiting for the gateway.', {
        200: { released: done('voided') },
        410: DECLINED_STEP,
      }),
      refuses: [
        ...LATER_STEP,
        ['gateway.declined', 'declined; the authorization stands'],
        [
          'request.validation.invalid-state',
          'nothing is authorized, all was captured, another amount was voided, or a capture is under way',
        ],
        ['request.still-processing', 'an increment is not known yet'],
      ],
      run: voidInvoice,
    }),
    endpoint('POST /invoices/:id/refunds', {
      id: 'refundInvoice',
      method: 'invoices.refund',
      summary: 'Refund an invoice',
      access: { permission: 'refunds' },
      description:
        'Gives captured money back, all of it or a part. Several refunds may be under way at once; together they never give back more than was captured. A refund that had succeeded may still fail.',
      body: REFUND_BODY,
      answers: REFUND_ANSWERS,
      refuses: REFUSED_REFUND,
      run: refundInvoice,
    }),
    endpoint('POST /transactions/:id/refunds', {
      id: 'refundTransaction',
      method: 'transactions.refund',
      summary: 'Refund a transaction',
      access: { permission: 'refunds' },
      description: 'The same as `POST /invoices/{id}/refunds`, by the transaction.',
      body: REFUND_BODY,
      answers: REFUND_ANSWERS,
      refuses: REFUSED_REFUND,
      run: refundTransaction,
    }),
    endpoint('PUT /invoices/:id/sync-with-psp', {
      id: 'synchronizeInvoice',
      method: 'invoices.synchronize',
      summary: 'Ask the gateway now',
      access: { permission: 'payments' },
      description: 'Asks the gateway what became of every step whose outcome is not known. Takes no fields.',
      answers: {
        says: 'The payment as it is now.',
        bodies: { 200: synchronization },
        expands: 'invoice',
        examples: { 200: { example: SYNCHRONIZED } },
      },
      run: synchronizeInvoice,
    }),
    endpoint('POST /invoices/:id/clock/advance', {
      id: 'advanceClock',
      method: 'invoices.advanceClock',
      summary: 'Advance the test clock of a sandbox payment',
      access: { permission: 'payments' },
      description:
        'Moves one sandbox payment and its webhooks through time, on the real workflow: by `seconds`, or to the instant `to`; one of them. Waits until all that was due has happened, for 20 s at most.',
      body: {
        name: 'ClockAdvanceInput',
        description: 'How far to advance: one of the two.',
        input: CLOCK_ADVANCE,
        example: { seconds: 259_200 },
      },
      answers: {
        says: 'The payment at that time.',
        bodies: { 200: clockAdvance },
        expands: 'transaction',
        examples: { 200: { example: ADVANCED } },
      },
      refuses: [
        ['request.clock.sandbox-only', 'the key is of the live environment'],
        ['request.clock.not-available', 'the Temporal server does not skip time'],
        ['request.validation.invalid-state', 'nothing of the payment waits, and none of its webhooks'],
        ['request.validation.invalid-date', 'the instant has passed for the payment, or lies more than 90 days ahead'],
        ['request.still-processing', 'another advance takes long'],
        ['request.not-started', 'nothing was moved in time'],
      ],
      run: advanceTestClock,
    }),
  ],
)
