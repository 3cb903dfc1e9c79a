import { TOKEN_DELETED_BY_CLIENT, TOKEN_OF_CLIENT } from './clients.ts'
import {
  EXPANSION,
  LIST,
  MUTATION,
  missing,
  missingBelow,
  OWN_ROWS_ONLY,
  READING,
  UNKNOWN_FIELD,
} from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const NO_CUSTOMER = missing('resource.customer.not-found')
const NO_TOKEN = [...NO_CUSTOMER, missingBelow('resource.token.not-found')]

export const CUSTOMERS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/customers',
    outcomes: [
      succeeds('the customer'),
      succeeds('with no field at all'),
      succeeds('the event `customer.created`'),
      fails('request.validation.invalid-email', 'a field is wrong: each has its code'),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  { method: 'GET', path: '/customers', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/customers/:id',
    outcomes: [
      succeeds('the customer'),
      fails('resource.customer.not-found', 'it was deleted'),
      ...READING,
      ...NO_CUSTOMER,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/customers/:id',
    outcomes: [
      succeeds('what is given is changed'),
      fails('request.validation.invalid-currency', 'another currency than the one that is set'),
      fails('resource.token.not-found', 'a default token that is not its own'),
      fails('resource.customer.not-found', 'it was deleted'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_CUSTOMER,
    ],
  },
  {
    method: 'DELETE',
    path: '/customers/:id',
    outcomes: [
      succeeds('all that is personal is erased, the record stays'),
      succeeds('its tokens and cards go with it'),
      succeeds('a payment under way keeps its money'),
      ...MUTATION,
      ...NO_CUSTOMER,
    ],
  },
  { method: 'GET', path: '/customers/:id/transactions', outcomes: [...LIST, ...NO_CUSTOMER] },
]

export const TOKENS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/customers/:id/tokens',
    outcomes: [
      succeeds('a card is stored'),
      succeeds('without a source: a token that waits for one'),
      succeeds('the default token, where that is wished'),
      succeeds('with `verify`: the issuer is asked, without a charge'),
      succeeds('with `verify`, and the issuer says no: the event tells'),
      fails('request.source.card-already-used', 'the card was stored, or has paid'),
      fails('request.source.invalid', 'the source is no card'),
      fails('resource.card.not-found', 'there is no such card'),
      fails('resource.gateway-configuration.not-found', 'there is no such gateway account'),
      fails('request.validation.invalid-relationship', 'an invoice that cannot verify it'),
      fails('request.validation.invalid-url', 'a field is wrong'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_CUSTOMER,
    ],
  },
  { method: 'GET', path: '/customers/:id/tokens', outcomes: [...LIST, ...NO_CUSTOMER] },
  {
    method: 'GET',
    path: '/customers/:id/tokens/:token_id',
    outcomes: [
      succeeds('the token'),
      fails('resource.token.not-found', 'it is another customer’s, or was deleted'),
      ...READING,
      ...NO_TOKEN,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/customers/:id/tokens/:token_id',
    outcomes: [
      succeeds('what is given is changed'),
      succeeds('the source that it waited for'),
      succeeds('the default token, or not any more'),
      succeeds('a verification that was interrupted goes on'),
      fails('request.validation.invalid-state', 'a second source'),
      ...TOKEN_OF_CLIENT,
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_TOKEN,
    ],
  },
  {
    method: 'DELETE',
    path: '/customers/:id/tokens/:token_id',
    outcomes: [succeeds('with the number of its card'), ...TOKEN_DELETED_BY_CLIENT, ...MUTATION, ...NO_TOKEN],
  },
]
