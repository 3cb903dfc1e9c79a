import { loggableDatabaseError } from '../persistence/database-error.ts'

/** The loggable parts of an unexpected error. */
export function loggableError(thrown: unknown) {
  if (!(thrown instanceof Error)) return { type: typeof thrown }
  const { name, message, stack } = thrown
  return loggableDatabaseError(thrown) ?? { type: name, message, stack }
}
