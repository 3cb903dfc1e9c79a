import { testsIn } from '../proof.ts'
import { ACCOUNTS_SEEN_BY_CLIENT } from './clients.ts'
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

const payment = testsIn('test/journeys/payment.test.ts')
const refunds = testsIn('test/journeys/refunds.test.ts')
const expansion = testsIn('test/http/expansion.test.ts')
const events = testsIn('test/http/events.test.ts')
const resend = testsIn('test/http/resend.test.ts')
const requests = testsIn('test/http/api-requests.test.ts')
const accounts = testsIn('test/http/gateway-configurations.test.ts')
const exchange = testsIn('test/http/account-exchange.test.ts')
const filters = testsIn('test/http/list-filters.test.ts')
const requestList = testsIn('test/http/api-request-list.test.ts')

const NO_TRANSACTION = missing('resource.transaction.not-found')

export const TRANSACTIONS: readonly Endpoint[] = [
  { method: 'GET', path: '/transactions', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/transactions/:id',
    outcomes: [
      succeeds('the transaction', payment('is authorized, and its transaction says so everywhere')),
      succeeds('with its operations and what else is related', expansion('is what it is when it is read alone')),
      ...READING,
      ...NO_TRANSACTION,
      EXPANSION,
    ],
  },
  { method: 'GET', path: '/refunds', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/disputes',
    outcomes: [
      succeeds('what gateways have told of chargebacks', filters('of disputes finds no other operation')),
      ...LIST,
      OWN_ROWS_ONLY,
    ],
  },
  { method: 'GET', path: '/transactions/:id/refunds', outcomes: [...LIST, ...NO_TRANSACTION] },
  {
    method: 'GET',
    path: '/transactions/:id/refunds/:refund_id',
    outcomes: [
      succeeds('the refund', refunds('of parts and then of what is left give back exactly what was captured')),
      fails(
        'resource.refund.not-found',
        'it is of another transaction',
        expansion('is found under its own transaction only'),
      ),
      ...READING,
      ...NO_TRANSACTION,
      missingBelow('resource.refund.not-found'),
      EXPANSION,
    ],
  },
]

export const EVENTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/events',
    outcomes: [
      succeeds(
        'in the order in which they were committed, each once',
        events('can be read to its end, each event once'),
      ),
      ...LIST,
      OWN_ROWS_ONLY,
    ],
  },
  {
    method: 'GET',
    path: '/events/:id',
    outcomes: [
      succeeds('the event, with its data as it was', events('is read by its id, with its data as it was')),
      ...READING,
      ...missing('resource.event.not-found'),
      EXPANSION,
    ],
  },
  {
    method: 'GET',
    path: '/events/:id/webhooks',
    outcomes: [
      succeeds('how its deliveries went', expansion('tell how the last attempt went')),
      succeeds(
        'with every attempt',
        expansion('show every attempt of every run, the first one first, where that is asked for'),
      ),
      ...LIST,
      ...missing('resource.event.not-found'),
    ],
  },
  {
    method: 'POST',
    path: '/events/:id/resend',
    outcomes: [
      succeeds(
        'it begins anew at all that take it',
        resend('begins anew at all that take it, and keeps what was tried before'),
      ),
      succeeds(
        'with `endpoint_id`: at that one only',
        resend('to one endpoint goes to no other, whatever that one takes, and wherever it is by now'),
      ),
      succeeds('at the URL of its invoice or token', resend('goes to the URL of its own as well, once')),
      succeeds('by two at once', resend('by two at once has a run for each, and a delivery for each target')),
      fails(
        'resource.webhook-endpoint.not-found',
        'there is no such endpoint',
        resend('to an endpoint of another project, of the other environment, deleted or unknown'),
      ),
      fails(
        'request.validation.invalid-state',
        'the endpoint is disabled',
        resend('to an endpoint that is disabled, by whomever'),
      ),
      fails(
        'request.validation.error',
        '`endpoint_id` is empty',
        resend('to everybody where the id of the endpoint is empty, in JSON or in a form'),
      ),
      fails('request.validation.invalid-state', 'nobody takes it', resend('where there is nobody to send it to')),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...missing('resource.event.not-found'),
    ],
  },
]

const NO_ACCOUNT = [
  ...missing('resource.gateway-configuration.not-found'),
  fails(
    'resource.gateway-configuration.not-found',
    'it was deleted, or is of the other environment',
    accounts('of another project, of the other environment, or deleted is not found, by whatever request'),
  ),
]

export const ACCOUNTS: readonly Endpoint[] = [
  { method: 'GET', path: '/gateway-configurations', outcomes: [...LIST, OWN_ROWS_ONLY, ACCOUNTS_SEEN_BY_CLIENT] },
  {
    method: 'GET',
    path: '/gateway-configurations/:id',
    outcomes: [
      succeeds('the account, without what is secret', expansion('is what it is when it is read alone')),
      ...READING,
      ...NO_ACCOUNT,
      EXPANSION,
    ],
  },
  {
    method: 'POST',
    path: '/gateways/:name/gateway-configurations',
    outcomes: [
      succeeds(
        'the configuration, without a value of its credentials',
        accounts('is created with its name alone where the gateway needs nothing, and is enabled'),
      ),
      succeeds('with every field', accounts('is created with all that can be said of it, in JSON and in a form')),
      fails('resource.gateway.not-found', 'there is no such gateway', accounts('at a gateway that is not installed')),
      fails('request.validation.error', 'the account could not be used', accounts('without the key of the account')),
      fails(
        'request.validation.error',
        'a key is of the other environment, or the simulator is asked to take live payments',
        accounts('with a test key in the live environment, nor at the simulator there'),
      ),
      fails(
        'request.validation.error',
        'it would add what the gateway cannot do',
        accounts('with an ability that the gateway does not have'),
      ),
      fails('request.validation.missing-name', 'it has no name', accounts('without a name')),
      fails(
        'request.validation.invalid-state',
        'there are 50 already, counted in each environment',
        accounts('as the fifty-first, in whatever race, and in each environment by itself'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'PUT',
    path: '/gateway-configurations/:id',
    outcomes: [
      succeeds('what is given is changed', accounts('is changed in what is given, and in nothing else')),
      succeeds(
        'credentials and settings name by name',
        accounts('changes its credentials and settings name by name, and null takes one away'),
      ),
      succeeds('by two at once', accounts('is changed by two at once as if by one after the other')),
      fails(
        'request.validation.error',
        'the account could not be used after it',
        accounts('keeps what it has where a change would leave it unusable'),
      ),
      fails(
        'request.configuration.in-use',
        'it would become another account while something is open there',
        exchange('says what is open, five invoices at most, and changes nothing of what came with it'),
      ),
      fails(
        'request.validation.invalid-state',
        'its gateway is not installed any more',
        accounts('whose gateway is not installed any more can be read and switched off, and nothing else'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ACCOUNT,
    ],
  },
  {
    method: 'DELETE',
    path: '/gateway-configurations/:id',
    outcomes: [
      succeeds(
        'it takes nothing new; what is there goes on',
        accounts('that is deleted takes nothing new and is in no list, and keeps what its payments need'),
      ),
      ...MUTATION,
      ...NO_ACCOUNT,
    ],
  },
]

export const REQUESTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api-requests',
    outcomes: [
      succeeds(
        'the latest first, without their bodies',
        requestList('has the latest first, of its project only, without their bodies'),
      ),
      ...LIST,
      OWN_ROWS_ONLY,
    ],
  },
  {
    method: 'GET',
    path: '/api-requests/:id',
    outcomes: [
      succeeds('what was asked and told', requests('with what was asked and what was told')),
      succeeds(
        'by the id that the caller gave, the latest of several',
        requests('is found under a name that a caller gave twice, the later one first'),
      ),
      fails('resource.api-request.not-found', 'its 30 days are over', requests('goes after its time')),
      ...READING,
      ...missing('resource.api-request.not-found'),
    ],
  },
]
