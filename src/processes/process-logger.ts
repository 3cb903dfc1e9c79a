import { createLogger, type Logger } from '../logger.ts'
import { loggableDatabaseError } from '../persistence/database-error.ts'

/** The logger of a process: errors without the values of rows that PostgreSQL repeats in them. */
export function createProcessLogger(process: string, level: string): Logger {
  return createLogger({ level, process, describeError })
}

function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { name, message, stack } = thrown
  return loggableDatabaseError(thrown) ?? { type: name, message, stack }
}
