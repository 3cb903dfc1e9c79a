import { testsIn } from '../proof.ts'
import { EXPANSION, LIST, MUTATION, missing, OWN_ROWS_ONLY, READING, UNKNOWN_FIELD } from './everywhere.ts'
import { type Endpoint, fails, succeeds } from './outcome.ts'

const endpoints = testsIn('test/http/webhook-endpoints.test.ts')
const secrets = testsIn('test/http/webhook-secrets.test.ts')
const expansion = testsIn('test/http/expansion.test.ts')
const recovery = testsIn('test/http/webhook-recovery.test.ts')

const NO_ENDPOINT = [
  ...missing('resource.webhook-endpoint.not-found'),
  fails(
    'resource.webhook-endpoint.not-found',
    'it was deleted, or is of the other environment',
    endpoints('of the other environment, deleted or unknown is not found, by whatever request'),
  ),
]

const KEPT_SECRET = succeeds(
  'the secret is kept sealed for a repetition',
  secrets('is told again with the same key, to the byte, and lies nowhere in plain'),
)

export const WEBHOOK_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/webhook-endpoints',
    outcomes: [
      succeeds(
        'the endpoint, with its secret',
        endpoints('is created with a URL alone, takes all events, and tells its secret once'),
      ),
      succeeds('with every field', endpoints('is created with all that can be said of it, in JSON and in a form')),
      succeeds(
        'events are sent to it from then on',
        endpoints('receives what it takes from then on, and nothing of another environment or project'),
      ),
      KEPT_SECRET,
      fails('request.validation.invalid-url', 'the URL is none, or leads where none may', endpoints('with %s')),
      fails(
        'request.validation.invalid-url',
        'the URL is not https, in the live environment',
        endpoints('without encryption in the live environment'),
      ),
      fails('request.validation.error', 'there is no such event, or the list or text is empty', endpoints('with %s')),
      fails(
        'request.validation.invalid-state',
        'there are 16 already, counted in each environment',
        endpoints('as the seventeenth, in whatever race, and in each environment by itself'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
    ],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints',
    outcomes: [succeeds('without a secret', secrets('is in no answer but those that make it')), ...LIST, OWN_ROWS_ONLY],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/:id',
    outcomes: [
      succeeds(
        'the endpoint, without its secret',
        endpoints('is created with a URL alone, takes all events, and tells its secret once'),
      ),
      ...READING,
      ...NO_ENDPOINT,
      EXPANSION,
    ],
  },
  {
    method: 'PUT',
    path: '/webhook-endpoints/:id',
    outcomes: [
      succeeds('what is given is changed', endpoints('changes in what is given, and in nothing else')),
      succeeds('with `enabled`', endpoints('and disabled receives nothing new, until it is enabled')),
      succeeds(
        'enabled again: what it failed before is forgotten',
        endpoints('and enabled again begins anew; what is enabled already keeps its record'),
      ),
      succeeds(
        'with `sign_with_ed25519`: its public key',
        secrets('of a key pair is its public half, as long as it is used, and the same when it is used again'),
      ),
      fails('request.validation.invalid-url', 'the URL is none, or leads where none may', endpoints('is not given %j')),
      fails(
        'request.validation.error',
        'there is no such event, or the list or text is empty',
        endpoints('is not given %j'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'DELETE',
    path: '/webhook-endpoints/:id',
    outcomes: [
      succeeds(
        'with its secrets; what waits for it has failed',
        endpoints('has failed in what it waits for, keeps what it got, and has no secret left'),
      ),
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'GET',
    path: '/webhook-endpoints/:id/webhooks',
    outcomes: [
      succeeds(
        'what was sent to it, or waits for that, and nothing else',
        expansion('to an endpoint are listed with their events, and no other endpoint’s'),
      ),
      ...LIST,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/rotate-secret',
    outcomes: [
      succeeds(
        'a new secret; the previous one is good for a day',
        secrets('leaves the previous secret good for a day, and then only the new one'),
      ),
      succeeds(
        'with `previous_expires_in`',
        secrets('leaves it for as long as it says, in JSON or in a form, up to a week'),
      ),
      succeeds('with a time of 0', secrets('ends the previous secret at once where no second is left to it')),
      succeeds('again: the two newest are good', secrets('again leaves the two newest')),
      succeeds('webhooks are verified with either', secrets('verifies what is signed, before and after a rotation')),
      KEPT_SECRET,
      fails(
        'request.validation.error',
        'a time that is not 0 to 604800 seconds',
        secrets('is refused with %j, and the secret stays'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/test',
    outcomes: [
      succeeds(
        'the event `webhook-endpoint.test`, for this endpoint only',
        endpoints('is sent an event of its own, whatever it takes, and nobody else is'),
      ),
      fails(
        'request.validation.invalid-state',
        'the endpoint is disabled',
        endpoints('while it is disabled is 400, and nothing is fired'),
      ),
      fails('request.validation.error', 'any field', endpoints('with a field is 400, because nobody knows any')),
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
  {
    method: 'POST',
    path: '/webhook-endpoints/:id/recover',
    outcomes: [
      succeeds(
        'what has failed is sent again',
        recovery('brings again what has failed, and neither what was delivered nor what waits for its first attempt'),
      ),
      succeeds(
        'what waits for a retry begins anew',
        recovery('brings what is between two retries, in a new run, and never what was accepted meanwhile'),
      ),
      succeeds(
        'what was never meant for it is sent, as far as it takes it',
        recovery('brings what was fired while the endpoint was disabled or not there, as far as it takes it'),
      ),
      succeeds('from `since` to before `until`', recovery('begins with its first instant and ends before its last')),
      succeeds('by two at once: each event once', recovery('by several at once brings each event once')),
      succeeds(
        'more than 10,000: the oldest, and `has_more`',
        recovery('of more than ten thousand brings the oldest first, and says that there are more'),
      ),
      succeeds('the first hundred begin at once', recovery('begins the oldest hundred at once')),
      fails('request.validation.invalid-date', 'the time is missing or none', recovery('of %j is refused')),
      fails(
        'request.validation.invalid-state',
        'the endpoint is disabled',
        recovery('of an endpoint that is disabled is refused, and nothing waits for it'),
      ),
      UNKNOWN_FIELD,
      ...MUTATION,
      ...NO_ENDPOINT,
    ],
  },
]
