import { type Answers, endpoint, type Refusal, section } from '../../http/endpoint.ts'
import { customer_action } from '../../objects/answers.ts'
import { named } from '../../objects/object.ts'
import { presentAction } from '../../objects/payment-answer.ts'
import { body, ok, success } from '../answers.ts'
import { changing } from '../change.ts'
import { card, token } from '../examples/payer.ts'
import { action, invoice } from '../examples/payment.ts'
import { creates, deletes, lists, retrieves } from '../usual-endpoints.ts'
import { TOKEN } from './token-input.ts'
import { createToken, deleteToken, updateToken } from './tokens.ts'

const TOKEN_BODY = {
  name: 'TokenInput',
  description: 'The payment source, and what is said of it.',
  input: TOKEN,
  about: ['Token', 'Invoice'],
  example: { source: card.id, set_default: true },
}

const WRONG_SOURCE: readonly Refusal[] = [
  ['request.source.card-already-used', 'the card was stored, or has paid'],
  ['request.source.invalid', 'the source is no card'],
  ['resource.card.not-found', 'there is no such card'],
  ['resource.gateway-configuration.not-found', 'there is no such gateway account'],
  ['request.validation.invalid-relationship', 'the invoice cannot verify it'],
  ['request.validation.invalid-url', 'a URL is invalid'],
]

const stores = (says: string): Answers => ({
  ...ok(says, { token: named('Token'), customer_action }, {}),
  expands: 'token',
  examples: {
    200: {
      stored: body({ token }),
      'waiting for the customer': body({
        token: { ...token, invoice_id: invoice.id, verification_status: 'pending' },
        customer_action: presentAction(action, { handlesActions: true }),
      }),
    },
  },
})

const LOGGED = [
  'source',
  'set_default',
  'gateway_configuration_id',
  'preferred_scheme',
  'manual_invoice_cancellation',
  'verify',
  'verify_statement_descriptor',
  'invoice_id',
  'return_url',
  'cancel_url',
  'webhook_url',
  'invoice_return_url',
  'device',
]

export const TOKENS = section({ tag: 'Tokens', says: 'Payment sources that are stored for customers.', logs: LOGGED }, [
  lists('GET /customers/:id/tokens', 'token', { method: 'customers.tokens.list', of: 'customer' }),
  creates('POST /customers/:id/tokens', 'token', {
    method: 'customers.tokens.create',
    summary: 'Store a payment source',
    access: { permission: 'payments' },
    description:
      'Stores a card for a customer. Without a `source` the token waits for one. With `verify` the issuer is asked about the card, without a charge; the token and its event tell the result soon after. Where the bank wants the customer, the answer has `customer_action`.',
    body: TOKEN_BODY,
    waits: true,
    answers: stores('The token, and what the customer has to do for its verification.'),
    refuses: WRONG_SOURCE,
    run: createToken,
  }),
  retrieves('GET /customers/:id/tokens/:token_id', 'token', {
    method: 'customers.tokens.retrieve',
    refuses: [['resource.token.not-found', 'the customer has no such token']],
    below: { owner: 'customer', parameter: 'token_id', property: 'customerId' },
  }),
  endpoint('PUT /customers/:id/tokens/:token_id', {
    id: 'updateToken',
    method: 'customers.tokens.update',
    summary: 'Change a token',
    access: { permission: 'payments', isOpenToClients: true },
    description:
      'Changes what is given; a `source` only where the token has none. A client may complete a token that waits for its source, and with the client secret of an invoice of the customer a token that has one. The answer to `customer_action` as a `source` goes on with the verification, and changes nothing else.',
    body: { ...TOKEN_BODY, example: { set_default: true } },
    waits: true,
    answers: stores('The changed token, and what the customer has to do for its verification.'),
    refuses: [
      ...WRONG_SOURCE,
      ['resource.token.not-found', 'the customer has no such token'],
      ['request.validation.invalid-state', 'it has its source already'],
      ['request.validation.missing-source', 'a client without the client secret brings no source'],
      ['request.validation.error', 'a client sets what is the merchant’s'],
    ],
    run: updateToken,
  }),
  deletes('DELETE /customers/:id/tokens/:token_id', 'token', {
    method: 'customers.tokens.delete',
    access: { permission: 'payments', isOpenToClients: true },
    description:
      'For good, with the number of its card. A client needs the client secret of an invoice of the customer.',
    answers: success('The token is gone.'),
    refuses: [['resource.token.not-found', 'the customer has no such token']],
    run: changing(deleteToken),
  }),
])
