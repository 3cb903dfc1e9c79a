import { type Logger, pino } from 'pino'

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

/**
 * One JSON object a line on standard output, with an ISO time and the level as a word.
 *
 * @param process the process that writes, as in `npm run <process>`.
 */
export const createLogger = ({ level, process }: { level: string; process: string }): Logger =>
  pino({
    level,
    base: { process },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
  })
