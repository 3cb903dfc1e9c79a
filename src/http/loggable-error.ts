import { loggableDatabaseError } from '../persistence/database-error.ts'

/** What may be logged of an error that no route expected. */
export function loggableError(thrown: unknown) {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, message, stack } = thrown
  return loggableDatabaseError(thrown) ?? { type: name, message, stack }
}
