import { CARD, CARD_CHANGES } from '../../schemas/card-input.ts'
import { CUSTOMER_CHANGES, NEW_CUSTOMER } from '../../schemas/customer-input.ts'
import { TOKEN } from '../../schemas/token-input.ts'
import { card, cardInformation } from '../answers/card.ts'
import { customer } from '../answers/customer.ts'
import { customer_action } from '../answers/error.ts'
import { token } from '../answers/token.ts'
import { type Operation, ok, type Refusal } from './operation.ts'

const WRONG_CARD: readonly Refusal[] = [
  ['card.invalid-cvc', 'the security code is none'],
  ['card.invalid-name', 'the name is too long'],
  ['request.validation.invalid-scheme', 'the preferred scheme is none'],
]

const tokenInput = {
  name: 'TokenInput',
  description: 'The payment source, and what is said of it.',
  input: TOKEN,
  about: ['Token', 'Invoice'],
}

const WRONG_SOURCE: readonly Refusal[] = [
  ['request.source.card-already-used', 'the card was stored, or has paid'],
  ['request.source.invalid', 'the source is no card'],
  ['resource.card.not-found', 'there is no such card'],
  ['resource.gateway-configuration.not-found', 'there is no such gateway account'],
  ['request.validation.invalid-relationship', 'the invoice cannot verify it'],
  ['request.validation.invalid-url', 'an address is none'],
]

/** Cards, customers and their tokens. */
export const SOURCE_OPERATIONS: Readonly<Record<string, Operation>> = {
  'POST /cards': {
    id: 'createCard',
    tag: 'Cards',
    summary: 'Create a card',
    description:
      'Takes a card as it was entered. Its number and security code go to the vault and are in no answer. The sandbox takes its documented test cards only.',
    request: { name: 'CardInput', description: 'A card as it was entered.', input: CARD, about: ['Card'] },
    says: 'The card, without its number.',
    answers: ok({ card }),
    expands: 'card',
    refuses: [
      ['card.invalid-number', 'the number has a wrong digit, or is none'],
      ['card.invalid-expiry-month', 'there is no such month'],
      ['card.invalid-expiry-year', 'the year is none'],
      ['card.invalid-expiry-date', 'the card has expired'],
      ...WRONG_CARD,
      ['request.validation.invalid-country', 'the country of the holder is none'],
      ['sandbox.not-supported', 'in the sandbox, the card is no test card'],
    ],
  },
  'GET /cards/:id': {
    id: 'retrieveCard',
    tag: 'Cards',
    summary: 'Retrieve a card',
    says: 'The card, without its number.',
    answers: ok({ card }),
    expands: 'card',
  },
  'PUT /cards/:id': {
    id: 'updateCard',
    tag: 'Cards',
    summary: 'Change a card',
    description:
      'Changes what is given. A client may change `cvc2` and `preferred_scheme`, as long as the card was not saved to a customer.',
    request: {
      name: 'CardChanges',
      clears: true,
      description: 'What is to be changed.',
      input: CARD_CHANGES,
      about: ['Card'],
    },
    says: 'The changed card.',
    answers: ok({ card }),
    expands: 'card',
    refuses: [
      ...WRONG_CARD,
      ['request.validation.invalid-state', 'a client changes a card that was saved'],
      ['request.validation.error', 'a client sets the name or the metadata'],
    ],
  },
  'DELETE /cards/:id': {
    id: 'deleteCard',
    tag: 'Cards',
    summary: 'Delete a card',
    description:
      'For good: number, security code and all that tells of the holder are erased, with the token that the card became. Transactions keep naming it.',
    says: 'The card is erased.',
    answers: ok({}),
    refuses: [['request.still-processing', 'the card becomes a token at this very moment']],
  },
  'GET /iins/:iin': {
    id: 'retrieveIin',
    tag: 'Cards',
    summary: 'Look up the first digits of a card',
    says: 'What the digits tell.',
    answers: ok({ card_information: cardInformation }),
    refuses: [['resource.card.not-found', 'no card is known to begin with these digits']],
  },

  'POST /customers': {
    id: 'createCustomer',
    tag: 'Customers',
    summary: 'Create a customer',
    description: 'Every field may be left out.',
    request: { name: 'CustomerInput', description: 'A new customer.', input: NEW_CUSTOMER, about: ['Customer'] },
    says: 'The customer.',
    answers: ok({ customer }),
    expands: 'customer',
    refuses: [
      ['request.validation.invalid-email', 'the email address is none; every field has its code'],
      ['request.validation.missing-currency', 'there is a balance, and no currency'],
    ],
  },
  'GET /customers/:id': {
    id: 'retrieveCustomer',
    tag: 'Customers',
    summary: 'Retrieve a customer',
    says: 'The customer.',
    answers: ok({ customer }),
    expands: 'customer',
  },
  'PUT /customers/:id': {
    id: 'updateCustomer',
    tag: 'Customers',
    summary: 'Change a customer',
    description: 'Changes what is given. A field that is absent or null stays, an empty text clears it.',
    request: {
      name: 'CustomerChanges',
      clears: true,
      description: 'What is to be changed.',
      input: CUSTOMER_CHANGES,
      about: ['Customer'],
    },
    says: 'The changed customer.',
    answers: ok({ customer }),
    expands: 'customer',
    refuses: [
      ['request.validation.invalid-currency', 'another currency than the one that is set'],
      ['resource.token.not-found', 'the default token is not one of the customer'],
    ],
  },
  'DELETE /customers/:id': {
    id: 'deleteCustomer',
    tag: 'Customers',
    summary: 'Delete a customer',
    description:
      'For good: all that is personal is erased, with tokens and card numbers, in invoices and in events as well. Invoices and transactions stay.',
    says: 'The customer is erased.',
    answers: ok({}),
  },

  'POST /customers/:id/tokens': {
    id: 'createToken',
    tag: 'Tokens',
    summary: 'Store a payment source',
    description:
      'Stores a card for a customer. Without a `source` the token waits for one. With `verify` the issuer is asked about the card, without a charge; the token and its event tell the result soon after. Where the bank wants the customer, the answer has `customer_action`.',
    request: tokenInput,
    says: 'The token, and what the customer has to do for its verification.',
    answers: ok({ token, customer_action }),
    expands: 'token',
    refuses: WRONG_SOURCE,
  },
  'GET /customers/:id/tokens/:token_id': {
    id: 'retrieveToken',
    tag: 'Tokens',
    summary: 'Retrieve a token',
    says: 'The token.',
    answers: ok({ token }),
    expands: 'token',
    refuses: [['resource.token.not-found', 'the customer has no such token']],
  },
  'PUT /customers/:id/tokens/:token_id': {
    id: 'updateToken',
    tag: 'Tokens',
    summary: 'Change a token',
    description:
      'Changes what is given; a `source` only where the token has none. A client may complete a token that waits for its source, and with the client secret of an invoice of the customer a token that has one. The answer to `customer_action` as a `source` goes on with the verification, and changes nothing else.',
    request: tokenInput,
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
  },
  'DELETE /customers/:id/tokens/:token_id': {
    id: 'deleteToken',
    tag: 'Tokens',
    summary: 'Delete a token',
    description:
      'For good, with the number of its card. A client needs the client secret of an invoice of the customer.',
    says: 'The token is gone.',
    answers: ok({}),
    refuses: [['resource.token.not-found', 'the customer has no such token']],
  },
}
