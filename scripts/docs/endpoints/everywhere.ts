import type { ErrorCode } from '../../../domain/errors.ts'
import { fails, type Outcome, succeeds } from './outcome.ts'

/** What many endpoints do in the same way, each of them shown by a row of one table. */

const WITHOUT_KEY = fails('request.authentication.invalid', 'no key, or not that of the project')

const CHANGING: readonly Outcome[] = [
  fails('request.bad-format', 'the body cannot be read'),
  fails('request.body-too-large', 'the body is larger than the route takes'),
  fails('request.idempotency-key.invalid', 'the idempotency key is empty, too long or not printable'),
]

const REPEATED: readonly Outcome[] = [
  succeeds('sent again with its idempotency key: the same bytes, and nothing is done'),
  fails('request.idempotency-key.invalid', 'the idempotency key came with another body'),
]

const REPEATED_PAYMENT: readonly Outcome[] = [
  succeeds('sent again with its idempotency key: the same bytes, and no money moves'),
  fails('request.idempotency-key.invalid', 'the idempotency key came with another body'),
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
)

/** Of an endpoint whose address names an object. */
export function missing(errorType: ErrorCode): readonly Outcome[] {
  return [fails(errorType, 'there is no such object'), fails(errorType, 'the object is of another project')]
}

/** Of an endpoint whose address names an object below another. */
export function missingBelow(errorType: ErrorCode): Outcome {
  return fails(errorType, 'there is no such object below')
}

export const EXPANSION = fails('request.expand.invalid', 'there is nothing of that name to expand')

/** Of a list. */
export const LIST: readonly Outcome[] = [
  succeeds('a page, the newest first'),
  WITHOUT_KEY,
  fails('request.pagination.invalid', 'there is no such page'),
  fails('request.filter.invalid', 'there is no such filter'),
  EXPANSION,
]

/** Of a list of all that a project has. */
export const OWN_ROWS_ONLY = succeeds('nothing of another project')

/** Of an endpoint whose address names an invoice. */
export const NO_INVOICE = missing('resource.invoice.not-found')
