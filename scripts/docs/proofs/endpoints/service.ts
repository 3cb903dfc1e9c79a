import { testsIn } from '../proof.ts'
import { type Endpoint, fails, type Outcome, succeeds } from './outcome.ts'

const transport = testsIn('test/http/transport.test.ts')
const codes = testsIn('test/http/error-codes.test.ts')
const keys = testsIn('test/http/idempotency-mutations.test.ts')
const underWay = testsIn('test/http/idempotency-under-way.test.ts')
const everywhere = testsIn('test/http/every-endpoint.test.ts')

const NEEDS_NO_KEY = succeeds('no key is needed', everywhere('%s %s needs no key'))

export const SERVICE: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/',
    outcomes: [succeeds('the versions of the interface', transport('the root tells what it is')), NEEDS_NO_KEY],
  },
  {
    method: 'GET',
    path: '/error-codes',
    outcomes: [
      succeeds(
        'every code with its meaning',
        codes('tells a caller without a key what every code means and what to do'),
      ),
      NEEDS_NO_KEY,
    ],
  },
  {
    method: 'GET',
    path: '/health/live',
    outcomes: [succeeds('the process answers', transport('is alive while the process answers')), NEEDS_NO_KEY],
  },
  {
    method: 'GET',
    path: '/health/ready',
    outcomes: [
      succeeds('database and Temporal answer', transport('with %j is %i')),
      { when: 'one of them does not', status: 503, errorType: null, outcome: null, proof: transport('with %j is %i') },
      {
        when: 'one of them does not within 2 s',
        status: 503,
        errorType: null,
        outcome: null,
        proof: transport('counts a question that fails, or that nobody answers, as absence'),
      },
      NEEDS_NO_KEY,
    ],
  },
]

/** What can happen wherever a request goes. */
export const ANYWHERE: readonly Outcome[] = [
  fails('request.route-not-found', 'there is nothing at the address', transport('%s is 404')),
  fails(
    'request.method-not-allowed',
    'the address does not know the method',
    transport('%s %s is 405 and tells which methods there are'),
  ),
  fails('request.bad-format', 'the body stops halfway', transport('a body that stops halfway occupies nobody')),
  fails(
    'request.still-processing',
    'another request with the same key is under way for more than 5 s',
    keys('a second one is sent away after 5 seconds, and may come again'),
  ),
  fails(
    'request.still-processing',
    'the same, where money moves',
    underWay('the same one is sent away after 5 seconds, asks nothing, and may come again'),
  ),
  fails(
    'request.still-processing',
    'too many requests on one payment at once',
    testsIn('test/journeys/payment.test.ts')('captured by many requests at once is captured once'),
  ),
  fails(
    'request.still-processing',
    'somebody else holds what it changes for more than 5 s',
    testsIn('test/journeys/held-payment.test.ts')(
      'is answered 409 or 503 and moves no money, while every other merchant is served',
    ),
  ),
  fails(
    'server.internal-error',
    'a defect of ours',
    transport('a defect is 500, told to the log and not to the merchant'),
  ),
  fails(
    'server.unavailable',
    'the database is out of reach',
    transport('a database out of reach is 503 with a time to wait'),
  ),
]
