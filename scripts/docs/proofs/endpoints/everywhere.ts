import type { ErrorCode } from '../../../../domain/errors.ts'
import { testsIn } from '../proof.ts'
import { fails, type Outcome, succeeds } from './outcome.ts'

/** What many endpoints do in the same way, each of them shown by a row of one table. */
const every = testsIn('test/http/every-endpoint.test.ts')
const everyMutation = testsIn('test/http/every-mutation.test.ts')
const everyPayment = testsIn('test/http/every-payment-endpoint.test.ts')
const keys = testsIn('test/http/idempotency-mutations.test.ts')

const WITHOUT_KEY = fails(
  'request.authentication.invalid',
  'no key, or not that of the project',
  every('%s %s without a valid key is 401'),
)

const CHANGING: readonly Outcome[] = [
  fails('request.bad-format', 'the body cannot be read', every('%s %s with a body that cannot be read is 400')),
  fails(
    'request.body-too-large',
    'the body is larger than the route takes',
    every('%s %s with a body that is too large is 413'),
  ),
  fails(
    'request.idempotency-key.invalid',
    'the idempotency key is empty, too long or not printable',
    keys('every endpoint that changes something takes a key, and refuses a wrong one'),
  ),
]

const REPEATED: readonly Outcome[] = [
  succeeds(
    'sent again with its idempotency key: the same bytes, and nothing is done',
    everyMutation('%s %s sent again with its key gives the same bytes and does nothing'),
  ),
  fails(
    'request.idempotency-key.invalid',
    'the idempotency key came with another body',
    everyMutation('%s %s with the key of another body is 400'),
  ),
]

const REPEATED_PAYMENT: readonly Outcome[] = [
  succeeds(
    'sent again with its idempotency key: the same bytes, and no money moves',
    everyPayment('%s %s sent again with its key gives the same bytes and moves nothing'),
  ),
  fails(
    'request.idempotency-key.invalid',
    'the idempotency key came with another body',
    everyPayment('%s %s with the key of another body is 400 and moves nothing'),
  ),
]

/** Of an endpoint that reads. */
export const READING: readonly Outcome[] = [WITHOUT_KEY]

/** Of an endpoint that changes rows and moves no money. */
export const MUTATION: readonly Outcome[] = [WITHOUT_KEY, ...CHANGING, ...REPEATED]

/** Of an endpoint that moves money. */
export const PAYMENT: readonly Outcome[] = [WITHOUT_KEY, ...CHANGING, ...REPEATED_PAYMENT]

export const UNKNOWN_FIELD = fails(
  'request.validation.error',
  'a field that nobody knows; the answer names the nearest one',
  every('%s %s with a field that nobody knows is 400'),
)

/** Of an endpoint whose address names an object. */
export function missing(errorType: ErrorCode): readonly Outcome[] {
  return [
    fails(errorType, 'there is no such object', every('%s %s of an object that is not there is 404')),
    fails(errorType, 'the object is of another project', every('%s %s of an object of another project is 404')),
  ]
}

/** Of an endpoint whose address names an object below another. */
export function missingBelow(errorType: ErrorCode): Outcome {
  return fails(errorType, 'there is no such object below', every('%s %s below an object that is there is 404'))
}

export const EXPANSION = fails(
  'request.expand.invalid',
  'there is nothing of that name to expand',
  every('%s %s with an expansion that is none is 400'),
)

/** Of a list. */
export const LIST: readonly Outcome[] = [
  succeeds('a page, the newest first', every('%s %s without a query is the first page')),
  WITHOUT_KEY,
  fails('request.pagination.invalid', 'there is no such page', every('%s %s for a page that cannot be is 400')),
  fails('request.filter.invalid', 'there is no such filter', every('%s %s with a filter that is none is 400')),
  EXPANSION,
]

/** Of a list of all that a project has. */
export const OWN_ROWS_ONLY = succeeds('nothing of another project', every('%s %s shows nothing of another project'))

/** Of an endpoint whose address names an invoice. */
export const NO_INVOICE = missing('resource.invoice.not-found')
