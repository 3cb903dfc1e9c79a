import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common'
import type { ErrorCode } from '../domain/errors.ts'
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
  /** Too many attempts to one receiver run at once; this one waits without holding a slot, and counts for nothing. */
  hostBusy: (host: string, waitMs: number) =>
    ApplicationFailure.create({
      message: `${host} has as many attempts under way as it may have; this one waits for its turn.`,
      type: 'host-busy',
      nextRetryDelay: waitMs,
      category: ApplicationFailureCategory.BENIGN,
    }),
  /** A step refers to an attempt that was never written. */
  attemptNotFound: (operationId: string) =>
    ApplicationFailure.nonRetryable(`There is no attempt ${operationId}.`, 'attempt-not-found'),
}

/**
 * What an activity throws is written into a history. A database error repeats the row it is about, names and e-mails
 * included, so it is told by its class, its SQLSTATE and the names of table and constraint; it is retried all the same.
 */
function tellable(thrown: unknown): unknown {
  const told = thrown instanceof Error ? loggableDatabaseError(thrown) : null
  if (told === null) return thrown
  const where = [told.code, told.table, told.constraint].filter((word) => word !== undefined).join(', ')
  return ApplicationFailure.retryable(`The database refused or did not answer (${where}).`, told.type)
}

type Activity = (input: never) => Promise<unknown>

/** The same activities, whose errors may be written into a history. */
export function withTellableErrors<Activities extends { [name in keyof Activities]: Activity }>(
  activities: Activities,
): Activities {
  const guarded = Object.entries<Activity>(activities).map(([name, activity]): [string, Activity] => [
    name,
    async (input) => {
      try {
        return await activity(input)
      } catch (error) {
        throw tellable(error)
      }
    },
  ])
  return Object.fromEntries(guarded) as Activities
}
