import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const NO_ENDPOINT = [
  ...missing('resource.webhook-endpoint.not-found'),
  fails('resource.webhook-endpoint.not-found', 'it was deleted, or is of the other environment'),
]

const KEPT_SECRET = succeeds('the secret is kept encrypted for a repetition')

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints',
    outcomes: [
      succeeds('the endpoint, with its secret'),
      succeeds('with every field'),
      succeeds('events are sent to it from then on'),
      KEPT_SECRET,
      fails('request.validation.invalid-url', 'the URL is none, or leads where none may'),
      fails('request.validation.invalid-url', 'the URL is not https, in the live environment'),
      fails('request.validation.error', 'there is no such event, or the list or text is empty'),
      fails('request.validation.invalid-state', 'there are 16 already, counted in each environment'),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    outcomes: [succeeds('without a secret'), ...LIST, OWN_ROWS_ONLY],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/:id',
    outcomes: [succeeds('the endpoint, without its secret'), ...READING, ...NO_ENDPOINT, EXPANSION],
  },
  {
    method: 'PUT',
    path: '/webhook-endpoints/:id',
    outcomes: [
      succeeds('what is given is changed'),
      succeeds('with `enabled`'),
      succeeds('enabled again: what it failed before is forgotten'),
      succeeds('with `sign_with_ed25519`: its public key'),
      fails('request.validation.invalid-url', 'the URL is none, or leads where none may'),
      fails('request.validation.error', 'there is no such event, or the list or text is empty'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    outcomes: [succeeds('with its secrets; what waits for it has failed'), ...MUTATION, ...NO_ENDPOINT],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/:id/webhooks',
    outcomes: [succeeds('what was sent to it, or waits for that, and nothing else'), ...LIST, ...NO_ENDPOINT],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/rotate-secret',
    outcomes: [
      succeeds('a new secret; the previous one is good for a day'),
      succeeds('with `previous_expires_in`'),
      succeeds('with a time of 0'),
      succeeds('again: the two newest are good'),
      succeeds('webhooks are verified with either'),
      KEPT_SECRET,
      fails('request.validation.error', 'a time that is not 0 to 604800 seconds'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/test',
    outcomes: [
      succeeds('the event `webhook-endpoint.test`, for this endpoint only'),
      fails('request.validation.invalid-state', 'the endpoint is disabled'),
      fails('request.validation.error', 'any field'),
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/recover',
    outcomes: [
      succeeds('what has failed is sent again'),
      succeeds('what waits for a retry begins anew'),
      succeeds('what was never meant for it is sent, as far as it takes it'),
      succeeds('from `since` to before `until`'),
      succeeds('by two at once: each event once'),
      succeeds('more than 10,000: the oldest, and `has_more`'),
      succeeds('the first hundred begin at once'),
      fails('request.validation.invalid-date', 'the time is missing or none'),
      fails('request.validation.invalid-state', 'the endpoint is disabled'),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
]
