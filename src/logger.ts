import { type DestinationStream, type Logger, pino } from 'pino'

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
  'credentials',
].flatMap((name) => [name, `*.${name}`])

interface LoggerOptions {
  level: string
  /** The process that writes, as in `npm run <process>`. */
  process: string
  /** What of an error may be written; gives back what is not an error. Default: class, message and stack. */
  describeError?: (thrown: unknown) => unknown
  /** Standard output when absent. */
  destination?: DestinationStream
}

/** One JSON object a line, with an ISO time and the level as a word. */
export function createLogger({
  level,
  process,
  describeError = pino.stdSerializers.err as (thrown: unknown) => unknown,
  destination = pino.destination(1),
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: '[redacted]' },
      // Temporal's SDK logs its errors as `error`, everybody else as `err`.
      serializers: { err: describeError, error: describeError },
    },
    destination,
  )
}
