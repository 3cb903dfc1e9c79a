import { type DestinationStream, pino } from 'pino'
import { redact, redactText } from '../http/request-log/redaction.ts'
import { createLogger, type Logger } from '../logger.ts'
import { loggableDatabaseError } from '../persistence/database-error.ts'
import { linesTogether } from './lines-together.ts'

/**
 * The logger of a process: errors without the values of rows that PostgreSQL repeats in them, and no line with a card
 * number or a secret of ours, whoever has put it into a text.
 *
 * @param destination standard output when absent.
 */
export function createProcessLogger(
  process: string,
  level: string,
  destination: DestinationStream = linesTogether(pino.destination(1)),
): Logger {
  return createLogger({ level, process, describeError, destination: withoutSecrets(destination) })
}

function describeError(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return thrown
  const { name, message, stack } = thrown
  return loggableDatabaseError(thrown) ?? { type: name, message, stack }
}

/** Looks at every line as it is written: a text has no name by which it could be known beforehand. */
function withoutSecrets(destination: DestinationStream): DestinationStream {
  return {
    write(line: string) {
      destination.write(redactText(line) === line ? line : redactedLine(line))
    },
  }
}

/** Value by value, since a number that is masked is no number of JSON any more. */
function redactedLine(line: string): string {
  try {
    return `${JSON.stringify(redact(JSON.parse(line)))}\n`
  } catch {
    return redactText(line)
  }
}
