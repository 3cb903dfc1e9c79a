import { testsIn } from '../proof.ts'
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

const customers = testsIn('test/http/customers.test.ts')
const deletion = testsIn('test/http/customer-deletion.test.ts')
const tokens = testsIn('test/http/tokens.test.ts')
const verifications = testsIn('test/http/token-verifications.test.ts')
const stored = testsIn('test/journeys/stored-sources.test.ts')

const NO_CUSTOMER = missing('resource.customer.not-found')
const NO_TOKEN = [...NO_CUSTOMER, missingBelow('resource.token.not-found')]

export const CUSTOMERS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/customers',
    outcomes: [
      succeeds('the customer', customers('comes back with all that was sent, and is read again as it was')),
      succeeds('with no field at all', customers('may be empty, or have every field unset')),
      succeeds('the event `customer.created`', customers('fires its event, with what was sent')),
      fails(
        'request.validation.invalid-email',
        'a field is wrong: each has its code',
        customers('is refused for its email: %j'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  { method: 'GET', path: '/customers', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/customers/:id',
    outcomes: [
      succeeds('the customer', customers('comes back with all that was sent, and is read again as it was')),
      fails(
        'resource.customer.not-found',
        'it was deleted',
        deletion('is gone with its tokens and cards, and can be neither changed nor deleted again'),
      ),
      ...READING,
      ...NO_CUSTOMER,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/customers/:id',
    outcomes: [
      succeeds('what is given is changed', customers('keeps what is not named or null, and loses what is empty')),
      fails(
        'request.validation.invalid-currency',
        'another currency than the one that is set',
        customers('cannot change the currency once it is set'),
      ),
      fails(
        'resource.token.not-found',
        'a default token that is not its own',
        customers('has no default token but one of its own'),
      ),
      fails(
        'resource.customer.not-found',
        'it was deleted',
        deletion('is gone with its tokens and cards, and can be neither changed nor deleted again'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_CUSTOMER,
    ],
  },
  {
    method: 'DELETE',
    path: '/customers/:id',
    outcomes: [
      succeeds(
        'all that is personal is erased, the books stay',
        deletion('leaves nothing personal and no card number, and leaves the books'),
      ),
      succeeds(
        'its tokens and cards go with it',
        deletion('is gone with its tokens and cards, and can be neither changed nor deleted again'),
      ),
      succeeds(
        'a payment under way keeps its money',
        stored('and deleted while its payment stands leaves the money where it is'),
      ),
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
      succeeds('a card is stored', tokens('is a token with all that is known of it')),
      succeeds('without a source: a token that waits for one', tokens('is pending and cannot be charged')),
      succeeds('the default token, where that is wished', tokens('is the default one only where that is wished')),
      succeeds(
        'with `verify`: the issuer is asked, without a charge',
        stored('is verified by nothing that is charged, and then pays'),
      ),
      succeeds(
        'with `verify`, and the issuer says no: the event tells',
        stored('is not verified where the issuer says no, and the event tells'),
      ),
      fails(
        'request.source.card-already-used',
        'the card was stored, or has paid',
        tokens('is stored once: not again, not for another customer, and not after it paid'),
      ),
      fails('request.source.invalid', 'the source is no card', tokens('cannot be nothing known')),
      fails('resource.card.not-found', 'there is no such card', tokens('cannot be a card that is not there')),
      fails(
        'resource.gateway-configuration.not-found',
        'there is no such gateway account',
        tokens('gateway_configuration_id is refused: %j'),
      ),
      fails(
        'request.validation.invalid-relationship',
        'an invoice that cannot verify it',
        verifications('does not take an invoice %s'),
      ),
      fails('request.validation.invalid-url', 'a field is wrong', tokens('return_url is refused: %j')),
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
      succeeds('the token', tokens('is a token with all that is known of it')),
      fails(
        'resource.token.not-found',
        'it is another customer’s, or was deleted',
        tokens('of another customer, of another project or deleted is not found'),
      ),
      ...READING,
      ...NO_TOKEN,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/customers/:id/tokens/:token_id',
    outcomes: [
      succeeds('what is given is changed', tokens('is changed in what is given, and in nothing else')),
      succeeds('the source that it waited for', tokens('is completed by a card, which it then keeps')),
      succeeds('the default token, or not any more', tokens('becomes the default one, and stops being it')),
      succeeds(
        'a verification that was interrupted goes on',
        verifications('that was interrupted stays pending, and is asked for again on the same invoice'),
      ),
      fails(
        'request.validation.invalid-state',
        'a second source',
        tokens('is completed by a card, which it then keeps'),
      ),
      ...TOKEN_OF_CLIENT,
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_TOKEN,
    ],
  },
  {
    method: 'DELETE',
    path: '/customers/:id/tokens/:token_id',
    outcomes: [
      succeeds('with the number of its card', tokens('that is deleted leaves no default behind, and no card number')),
      ...TOKEN_DELETED_BY_CLIENT,
      ...MUTATION,
      ...NO_TOKEN,
    ],
  },
]
