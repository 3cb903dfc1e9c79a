import { testsIn } from '../proof.ts'
import { SEEN_BY_CLIENT } from './clients.ts'
import { EXPANSION, LIST, MUTATION, NO_INVOICE, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const invoices = testsIn('test/http/invoices.test.ts')
const rules = testsIn('test/http/invoice-rules.test.ts')
const changes = testsIn('test/http/invoice-changes.test.ts')
const deletion = testsIn('test/http/invoice-deletion.test.ts')
const customers = testsIn('test/http/invoice-customers.test.ts')
const codes = testsIn('test/http/error-codes.test.ts')
const lists = testsIn('test/http/lists.test.ts')
const outcomes = testsIn('test/journeys/outcomes.test.ts')
const money = testsIn('test/journeys/traps/money.test.ts')

const EACH_CODE = codes('%s is what a request can be answered with')
const GONE = deletion('is gone, with its lines, for reading, changing, deleting and paying')

export const INVOICES: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/invoices',
    outcomes: [
      succeeds(
        'the invoice, and the client secret in a header',
        invoices('needs a name, an amount and a currency, and comes back with every field'),
      ),
      succeeds('with everything that can be said of it', invoices('keeps everything that a merchant says of it')),
      succeeds('as a form', invoices('may be sent as a form with %s, lists and all')),
      succeeds('over nothing, to verify a source', rules('over nothing only verifies a source')),
      fails('request.validation.missing-name', 'there is no name', EACH_CODE),
      fails('request.validation.missing-currency', 'there is no currency', EACH_CODE),
      fails('request.validation.missing-amount', 'a line has no amount', EACH_CODE),
      fails(
        'request.validation.invalid-amount',
        'the amount is no decimal text of its currency',
        money('that is written as %j is refused wherever money is named, and moves none'),
      ),
      fails('request.validation.invalid-currency', 'the currency is none', EACH_CODE),
      fails('request.validation.invalid-date', 'an instant is past, or has no offset', EACH_CODE),
      fails('request.validation.invalid-url', 'an address is none', EACH_CODE),
      fails(
        'request.validation.invalid-url',
        'in live, webhooks without https',
        rules('of the live environment needs an encrypted address for its webhooks'),
      ),
      fails(
        'request.validation.invalid-url',
        'webhooks that lead where none may',
        rules('is given no address for its webhooks that cannot be sent to: %s'),
      ),
      fails('request.validation.invalid-relationship', 'a token of another customer', EACH_CODE),
      fails(
        'resource.customer.not-found',
        'there is no such customer',
        changes('of another project is no customer of this one'),
      ),
      fails(
        'request.validation.error',
        'the reference of another invoice',
        rules('has a reference of its own within project and environment'),
      ),
      fails(
        'service.not-supported',
        'it asks for what is not built',
        outcomes('that asks for what is not built is refused: %j'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  { method: 'GET', path: '/invoices', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/invoices/:id',
    outcomes: [
      succeeds(
        'the invoice, and the client secret in a header',
        invoices('keeps everything that a merchant says of it'),
      ),
      succeeds(
        'with the status that follows from its payment',
        testsIn('test/presenters/invoice.test.ts')('an invoice whose transaction is %s is %s'),
      ),
      ...SEEN_BY_CLIENT,
      succeeds('expired as soon as its end has passed', rules('is expired after its end, and shows it at once')),
      fails('resource.invoice.not-found', 'it was deleted', GONE),
      ...READING,
      ...NO_INVOICE,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/invoices/:id',
    outcomes: [
      succeeds('what is given is changed', changes('keeps what is not given, and what is null')),
      succeeds(
        'after a failed payment: it is paid as it is now',
        changes('after its payment was %s is paid with its new amount'),
      ),
      fails(
        'request.validation.invalid-state',
        'it is being paid, or was',
        changes('is refused once its payment is %s, and stays as it is'),
      ),
      fails(
        'request.validation.invalid-amount',
        'an amount that its currency does not have',
        changes('to have an amount with decimals that its currency does not have is refused'),
      ),
      fails(
        'request.validation.invalid-amount',
        'another currency, with an amount in the old one',
        changes('into another currency with %s is refused'),
      ),
      fails(
        'request.validation.error',
        'the reference of another invoice',
        changes('cannot take the reference of another one, and may keep its own'),
      ),
      fails(
        'request.validation.invalid-relationship',
        'a token of another customer',
        changes('has a token of its customer only, whichever of the two changes'),
      ),
      fails('resource.invoice.not-found', 'it was deleted', GONE),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_INVOICE,
    ],
  },
  {
    method: 'DELETE',
    path: '/invoices/:id',
    outcomes: [
      succeeds('it is gone, with its lines', GONE),
      fails('request.validation.invalid-state', 'a payment was begun', deletion('is refused once its payment is %s')),
      fails(
        'request.validation.invalid-state',
        'a token refers to it',
        deletion('is refused while a token of a customer refers to it'),
      ),
      ...MUTATION,
      ...NO_INVOICE,
    ],
  },
  {
    method: 'GET',
    path: '/invoices/:id/customers',
    outcomes: [
      succeeds('the customer', customers('is assigned by its id, and read')),
      fails('resource.customer.not-found', 'it has none', customers('is not found where there is none')),
      ...READING,
      ...NO_INVOICE,
    ],
  },
  {
    method: 'POST',
    path: '/invoices/:id/customers',
    outcomes: [
      succeeds('a customer that is there', customers('is assigned by its id, and read')),
      succeeds('a new customer', customers('is made of the fields that are sent')),
      fails(
        'request.validation.invalid-state',
        'it is being paid, or was',
        outcomes('cannot be changed while it is being paid, nor afterwards, but may be named again'),
      ),
      fails('resource.customer.not-found', 'there is no such customer', customers('is not made of %j')),
      fails('request.validation.invalid-email', 'a field is wrong', customers('is not made of %j')),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_INVOICE,
    ],
  },
  {
    method: 'GET',
    path: '/invoices/:id/transactions',
    outcomes: [succeeds('those of this invoice only', lists('has its own rows only')), ...LIST, ...NO_INVOICE],
  },
  { method: 'GET', path: '/invoices/:id/refunds', outcomes: [...LIST, ...NO_INVOICE] },
]
