import type { Examples } from '../../http/endpoint.ts'
import { endpoint, logging, type Refusal } from '../../http/endpoint.ts'
import { listEndpoint } from '../../http/lists/list-endpoint.ts'
import { retrieve } from '../../http/lists/retrieve.ts'
import { customer_action } from '../../objects/answers.ts'
import { presentAction } from '../../objects/payment-answer.ts'
import { token } from '../../objects/token.ts'
import { ok } from '../answers.ts'
import * as example from '../examples/index.ts'
import { action } from '../examples/payment.ts'
import { body, shown } from '../examples/shown.ts'
import { TOKEN } from './token-input.ts'
import { createToken, deleteToken, updateToken } from './tokens.ts'

const TOKEN_BODY = {
  name: 'TokenInput',
  description: 'The payment source, and what is said of it.',
  input: TOKEN,
  about: ['Token', 'Invoice'],
  example: { source: example.card.id, set_default: true, description: 'Ann’s Visa', verify: true },
}

const WRONG_SOURCE: readonly Refusal[] = [
  ['request.source.card-already-used', 'the card was stored, or has paid'],
  ['request.source.invalid', 'the source is no card'],
  ['resource.card.not-found', 'there is no such card'],
  ['resource.gateway-configuration.not-found', 'there is no such gateway account'],
  ['request.validation.invalid-relationship', 'the invoice cannot verify it'],
  ['request.validation.invalid-url', 'an address is none'],
]

const STORED: Readonly<Record<number, Examples>> = {
  200: {
    stored: body({ token: example.token }),
    'waiting for the customer': body({
      token: { ...example.token, invoice_id: example.invoice.id, verification_status: 'pending' },
      customer_action: presentAction(action, { handlesActions: true }),
    }),
  },
}

export const TOKENS = logging(
  [
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
  ],
  [
    listEndpoint('GET /customers/:id/tokens', {
      id: 'listCustomerTokens',
      method: 'customers.tokens.list',
      tag: 'Tokens',
      summary: 'List tokens of a customer',
      list: 'tokens',
      resource: 'token',
      of: 'customer',
      by: 'customer_id',
      shows: 'Token',
      example: () => example.token,
    }),
    endpoint('POST /customers/:id/tokens', {
      id: 'createToken',
      method: 'customers.tokens.create',
      tag: 'Tokens',
      summary: 'Store a payment source',
      access: { permission: 'payments' },
      description:
        'Stores a card for a customer. Without a `source` the token waits for one. With `verify` the issuer is asked about the card, without a charge; the token and its event tell the result soon after. Where the bank wants the customer, the answer has `customer_action`.',
      body: TOKEN_BODY,
      says: 'The token, and what the customer has to do for its verification.',
      answers: ok({ token, customer_action }),
      expands: 'token',
      refuses: WRONG_SOURCE,
      examples: () => STORED,
      run: createToken,
    }),
    endpoint('GET /customers/:id/tokens/:token_id', {
      id: 'retrieveToken',
      method: 'customers.tokens.retrieve',
      tag: 'Tokens',
      summary: 'Retrieve a token',
      access: { permission: 'read' },
      says: 'The token.',
      answers: ok({ token }),
      expands: 'token',
      refuses: [['resource.token.not-found', 'the customer has no such token']],
      examples: () => shown({ token: example.token }),
      run: (deps) => retrieve(deps, 'token', { owner: 'customer', parameter: 'token_id', property: 'customerId' }),
    }),
    endpoint('PUT /customers/:id/tokens/:token_id', {
      id: 'updateToken',
      method: 'customers.tokens.update',
      tag: 'Tokens',
      summary: 'Change a token',
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'Changes what is given; a `source` only where the token has none. A client may complete a token that waits for its source, and with the client secret of an invoice of the customer a token that has one. The answer to `customer_action` as a `source` goes on with the verification, and changes nothing else.',
      body: TOKEN_BODY,
      says: 'The changed token, and what the customer has to do for its verification.',
      answers: ok({ token, customer_action }),
      expands: 'token',
      refuses: [
        ...WRONG_SOURCE,
        ['resource.token.not-found', 'the customer has no such token'],
        ['request.validation.invalid-state', 'it has its source already'],
        ['request.validation.missing-source', 'a client without the client secret brings no source'],
        ['request.validation.error', 'a client sets what is the merchant’s'],
      ],
      examples: () => STORED,
      run: updateToken,
    }),
    endpoint('DELETE /customers/:id/tokens/:token_id', {
      id: 'deleteToken',
      method: 'customers.tokens.delete',
      tag: 'Tokens',
      summary: 'Delete a token',
      access: { permission: 'payments', isOpenToClients: true },
      description:
        'For good, with the number of its card. A client needs the client secret of an invoice of the customer.',
      says: 'The token is gone.',
      answers: ok({}),
      refuses: [['resource.token.not-found', 'the customer has no such token']],
      examples: () => shown({}),
      run: deleteToken,
    }),
  ],
)
