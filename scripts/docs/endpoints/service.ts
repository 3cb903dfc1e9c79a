import { type Endpoint, fails, type Outcome, succeeds } from './outcome.ts'

const NEEDS_NO_KEY = succeeds('no key is needed')

export const SERVICE: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/',
    outcomes: [succeeds('the versions of the interface'), NEEDS_NO_KEY],
  },
  {
    method: 'GET',
    path: '/error-codes',
    outcomes: [succeeds('every code with its meaning'), NEEDS_NO_KEY],
  },
  {
    method: 'GET',
    path: '/health/live',
    outcomes: [succeeds('the process answers'), NEEDS_NO_KEY],
  },
  {
    method: 'GET',
    path: '/health/ready',
    outcomes: [
      succeeds('database and Temporal answer'),
      { when: 'one of them does not', status: 503, errorType: null, outcome: null },
      {
        when: 'one of them does not within 2 s',
        status: 503,
        errorType: null,
        outcome: null,
      },
      NEEDS_NO_KEY,
    ],
  },
]

/** What can happen wherever a request goes. */
export const ANYWHERE: readonly Outcome[] = [
  fails('request.route-not-found', 'there is nothing at the address'),
  fails('request.method-not-allowed', 'the address does not know the method'),
  fails('request.bad-format', 'the body stops halfway'),
  fails('request.still-processing', 'another request with the same key is under way for more than 5 s'),
  fails('request.still-processing', 'the same, where money moves'),
  fails('request.still-processing', 'too many requests on one payment at once'),
  fails('request.still-processing', 'somebody else holds what it changes for more than 5 s'),
  fails('server.internal-error', 'a defect of ours'),
  fails('server.unavailable', 'the database is out of reach'),
]
