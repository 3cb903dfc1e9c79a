import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ErrorCode } from '../domain/errors.ts'
import { withoutSecrets } from '../domain/secret-text.ts'
import { loggableDatabaseError } from '../src/persistence/database-error.ts'

/**
 * All failures that activities throw to Temporal: temporary faults, which it retries, and defects, which no retry fixes.
 * A decline is a result, not a failure.
 */
export const failures = {
  /** The project does not have the workflow's invoice, or has deleted it. */
  paymentNotFound: (invoiceId: string) =>
    ApplicationFailure.nonRetryable(
      `There is no invoice ${invoiceId} in this project and environment.`,
      'resource.invoice.not-found' satisfies ErrorCode,
    ),
  /** Too many attempts to this host, or of this project, run at once. The retry is delayed and occupies no worker slot. */
  noPermit: (host: string, waitMs: number) =>
    ApplicationFailure.create({
      message: `No permit is free for an attempt to ${host}; it asks again.`,
      type: 'no-permit',
      nextRetryDelay: waitMs,
      category: ApplicationFailureCategory.BENIGN,
    }),
  /** A resolution was not signed by the administration command. */
  notSigned: (operationId: string) =>
    ApplicationFailure.nonRetryable(`What is said about ${operationId} is not signed by this service.`, 'not-signed'),
  /** Our own step was requested before it is due. The retry waits until then. */
  notDueYet: (waitMs: number) =>
    ApplicationFailure.create({
      message: 'By the clock of this machine the step is not due yet.',
      type: 'not-due-yet',
      nextRetryDelay: Math.max(1, waitMs),
    }),
  /** A step refers to an attempt that was never written. */
  attemptNotFound: (operationId: string) =>
    ApplicationFailure.nonRetryable(`There is no attempt ${operationId}.`, 'attempt-not-found'),
}

/** Causes beyond this depth add no information. */
const CAUSES_MAX = 5

/**
 * Makes an error safe for a history, which stores its message, stack and causes. A database error repeats row values such as
 * names and e-mails, so only its class, SQLSTATE, table and constraint are kept. Other errors may repeat the input of a
 * library, so card numbers and secrets are masked. Whether the error is retried does not change.
 */
function loggable(thrown: unknown, depth = 0): unknown {
  // Temporal would write a thrown value that is not an Error into its message.
  if (!(thrown instanceof Error)) return ApplicationFailure.retryable('A value was thrown that is not an Error.')
  const refused = loggableDatabaseError(thrown)
  if (refused !== null) {
    const where = [refused.code, refused.table, refused.constraint].filter((word) => word !== undefined).join(', ')
    return ApplicationFailure.retryable(`The database refused or did not answer (${where}).`, refused.type)
  }
  const message = withoutSecrets(thrown.message)
  const stack = withoutSecrets(thrown.stack ?? '')
  const cause = thrown.cause === undefined || depth === CAUSES_MAX ? undefined : loggable(thrown.cause, depth + 1)
  // Changed in place, so that all other properties stay, above all whether it is retried.
  for (const [name, value] of Object.entries({ message, stack, cause }))
    Object.defineProperty(thrown, name, { value, writable: true, configurable: true, enumerable: false })
  return thrown
}

type Activity = (input: never) => Promise<unknown>

/** Wraps activities so that their errors are safe for a history. */
export function withLoggableErrors<Activities extends { [name in keyof Activities]: Activity }>(
  activities: Activities,
): Activities {
  const guarded = Object.entries<Activity>(activities).map(([name, activity]): [string, Activity] => [
    name,
    async (input) => {
      try {
        return await activity(input)
      } catch (error) {
        throw loggable(error)
      }
    },
  ])
  return Object.fromEntries(guarded) as Activities
}
