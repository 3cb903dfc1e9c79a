import { type DestinationStream, type Logger, pino } from 'pino'
import { loggableDatabaseError } from './persistence/database-error.ts'

export type { Logger } from 'pino'

/**
 * The second line of defence: no code logs these, and where one does by mistake the log shows `[redacted]`.
 * The first line is that logs name ids, amounts and outcomes only.
 */
const REDACTED = [
  'authorization',
  'number',
  'cvc',
  'cvc2',
  'card',
  'secret',
  'secret_key',
  'client_secret',
  'password',
].flatMap((name) => [name, `*.${name}`])

interface LoggerOptions {
  level: string
  /** The process that writes, as in `npm run <process>`. */
  process: string
  /** Standard output when absent. */
  destination?: DestinationStream
}

/** One JSON object a line, with an ISO time and the level as a word. */
export function createLogger({ level, process, destination = pino.destination(1) }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
      // Temporal's SDK logs its errors as `error`, everybody else as `err`.
      serializers: { err: loggable, error: loggable },
    },
    destination,
  )
}

/** Without the values of rows that PostgreSQL repeats in its errors. */
function loggable(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { name, message, stack } = thrown
  return loggableDatabaseError(thrown) ?? { type: name, message, stack }
}
