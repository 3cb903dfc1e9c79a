import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ErrorCode } from '../domain/errors.ts'
import { withoutSecrets } from '../domain/secret-text.ts'
import { loggableDatabaseError } from '../src/persistence/database-error.ts'

/**
 * The one place that makes failures for Temporal. A decline is a value and never comes here; what comes here is
 * either a passing fault, which is retried, or a defect that no retry mends.
 */
export const failures = {
  /** A workflow names an invoice that its project does not have, or has deleted meanwhile. */
  paymentNotFound: (invoiceId: string) =>
    ApplicationFailure.nonRetryable(
      `There is no invoice ${invoiceId} in this project and environment.`,
      'resource.invoice.not-found' satisfies ErrorCode,
    ),
  /** Too many attempts run at once to this host, or of this project; this one asks again and holds no slot meanwhile. */
  noPermit: (host: string, waitMs: number) =>
    ApplicationFailure.create({
      message: `No permit is free for an attempt to ${host}; it asks again.`,
      type: 'no-permit',
      nextRetryDelay: waitMs,
      category: ApplicationFailureCategory.BENIGN,
    }),
  /** Support staff's finding about an attempt was not signed by the administration command. */
  notSigned: (operationId: string) =>
    ApplicationFailure.nonRetryable(`What is said about ${operationId} is not signed by this service.`, 'not-signed'),
  /** Somebody asks for a step of our own before its time; it waits for it. */
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

/** An error that has that many others behind it tells by the last one nothing that the first ones do not. */
const CAUSES_MAX = 5

/**
 * What an activity throws is written into a history, with its stack and its causes. A database error repeats the row it is
 * about, names and e-mails included, so it is told by its class, its SQLSTATE and the names of table and constraint. Any
 * other may repeat what a library was given, so that card numbers and secrets are taken out of its words. Whether it is
 * retried stays as it was.
 */
function loggable(thrown: unknown, depth = 0): unknown {
  // Temporal would write whatever else is thrown into its sentence.
  if (!(thrown instanceof Error)) return ApplicationFailure.retryable('Something was thrown that is no error.')
  const refused = loggableDatabaseError(thrown)
  if (refused !== null) {
    const where = [refused.code, refused.table, refused.constraint].filter((word) => word !== undefined).join(', ')
    return ApplicationFailure.retryable(`The database refused or did not answer (${where}).`, refused.type)
  }
  const message = withoutSecrets(thrown.message)
  const stack = withoutSecrets(thrown.stack ?? '')
  const cause = thrown.cause === undefined || depth === CAUSES_MAX ? undefined : loggable(thrown.cause, depth + 1)
  // Changed where it stands, so that everything else about it, above all whether it is retried, stays.
  for (const [name, value] of Object.entries({ message, stack, cause }))
    Object.defineProperty(thrown, name, { value, writable: true, configurable: true, enumerable: false })
  return thrown
}

type Activity = (input: never) => Promise<unknown>

/** The same activities, whose errors may be written into a history. */
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
