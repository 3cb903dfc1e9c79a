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

const NO_TRANSACTION = missing('resource.transaction.not-found')

export const TRANSACTIONS: readonly Endpoint[] = [
  { method: 'GET', path: '/transactions', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/transactions/:id',
    outcomes: [
      succeeds('the transaction'),
      succeeds('with its operations and what else is related'),
      ...READING,
      ...NO_TRANSACTION,
      EXPANSION,
    ],
  },
  { method: 'GET', path: '/refunds', outcomes: [...LIST, OWN_ROWS_ONLY] },
  {
    method: 'GET',
    path: '/disputes',
    outcomes: [succeeds('what gateways have told of chargebacks'), ...LIST, OWN_ROWS_ONLY],
  },
  { method: 'GET', path: '/transactions/:id/refunds', outcomes: [...LIST, ...NO_TRANSACTION] },
  {
    method: 'GET',
    path: '/transactions/:id/refunds/:refund_id',
    outcomes: [
      succeeds('the refund'),
      fails('resource.refund.not-found', 'it is of another transaction'),
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
    outcomes: [succeeds('in the order in which they were committed, each once'), ...LIST, OWN_ROWS_ONLY],
  },
  {
    method: 'GET',
    path: '/events/:id',
    outcomes: [
      succeeds('the event, with its data as it was'),
      ...READING,
      ...missing('resource.event.not-found'),
      EXPANSION,
    ],
  },
  {
    method: 'GET',
    path: '/events/:id/webhooks',
    outcomes: [
      succeeds('how its deliveries went'),
      succeeds('with every attempt'),
      ...LIST,
      ...missing('resource.event.not-found'),
    ],
  },
  {
    method: 'POST',
    path: '/events/:id/resend',
    outcomes: [
      succeeds('it begins anew at all that take it'),
      succeeds('with `endpoint_id`: at that one only'),
      succeeds('at the URL of its invoice or token'),
      succeeds('by two at once'),
      fails('resource.webhook-endpoint.not-found', 'there is no such endpoint'),
      fails('request.validation.invalid-state', 'the endpoint is disabled'),
      fails('request.validation.error', '`endpoint_id` is empty'),
      fails('request.validation.invalid-state', 'nobody takes it'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...missing('resource.event.not-found'),
    ],
  },
]

const NO_ACCOUNT = [
  ...missing('resource.gateway-configuration.not-found'),
  fails('resource.gateway-configuration.not-found', 'it was deleted, or is of the other environment'),
]

export const ACCOUNTS: readonly Endpoint[] = [
  { method: 'GET', path: '/gateway-configurations', outcomes: [...LIST, OWN_ROWS_ONLY, ACCOUNTS_SEEN_BY_CLIENT] },
  {
    method: 'GET',
    path: '/gateway-configurations/:id',
    outcomes: [succeeds('the account, without what is secret'), ...READING, ...NO_ACCOUNT, EXPANSION],
  },
  {
    method: 'POST',
    path: '/gateways/:name/gateway-configurations',
    outcomes: [
      succeeds('the configuration, without a value of its credentials'),
      succeeds('with every field'),
      fails('resource.gateway.not-found', 'there is no such gateway'),
      fails('request.validation.error', 'the account could not be used'),
      fails(
        'request.validation.error',
        'a key is of the other environment, or the simulator is asked to take live payments',
      ),
      fails('request.validation.error', 'it would add what the gateway cannot do'),
      fails('request.validation.missing-name', 'it has no name'),
      fails('request.validation.invalid-state', 'there are 50 already, counted in each environment'),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'PUT',
    path: '/gateway-configurations/:id',
    outcomes: [
      succeeds('what is given is changed'),
      succeeds('credentials and settings name by name'),
      succeeds('by two at once'),
      fails('request.validation.error', 'the account could not be used after it'),
      fails('request.configuration.in-use', 'it would become another account while something is open there'),
      fails('request.validation.invalid-state', 'its gateway is not installed any more'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ACCOUNT,
    ],
  },
  {
    method: 'DELETE',
    path: '/gateway-configurations/:id',
    outcomes: [succeeds('it takes nothing new; what is there goes on'), ...MUTATION, ...NO_ACCOUNT],
  },
]

export const REQUESTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/api-requests',
    outcomes: [succeeds('the latest first, without their bodies'), ...LIST, OWN_ROWS_ONLY],
  },
  {
    method: 'GET',
    path: '/api-requests/:id',
    outcomes: [
      succeeds('what was asked and told'),
      succeeds('by the id that the caller gave, the latest of several'),
      fails('resource.api-request.not-found', 'its 30 days are over'),
      ...READING,
      ...missing('resource.api-request.not-found'),
    ],
  },
]
