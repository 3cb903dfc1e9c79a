import { type DestinationStream, pino } from 'pino'
import { redact, redactText } from '../http/request-log/redaction.ts'
import { createLogger, type Logger } from '../logger.ts'
import { loggableDatabaseError } from '../persistence/database-error.ts'

/**
 * The logger of a process: errors without the values of rows that PostgreSQL repeats in them, and no line with a card
 * number or a secret of ours, whoever has put it into a text.
 *
 * @param destination standard output when absent.
 */
export function createProcessLogger(
  process: string,
  level: string,
  destination: DestinationStream = standardOutput(),
): Logger {
  return createLogger({ level, process, describeError, destination: withoutSecrets(destination) })
}

/** One for all loggers of the process, so that their lines stay in their order. */
let opened: DestinationStream | undefined

function standardOutput(): DestinationStream {
  opened ??= openStandardOutput()
  return opened
}

/** Nobody reads a log sooner, and in a busy process it is time for some ten lines. */
const WAIT_MS = 10

/**
 * Lines that come shortly after each other are written together: each writing is a call into the system, which takes longer
 * than everything else about an ordinary line. What waits is written before the process exits, whatever the reason; only one
 * that is killed takes along the lines of its last ten milliseconds. (Pino's own `periodicFlush` wakes an idle process.)
 * The writing is synchronous: one that is under way in another thread when the process exits comes after what is written
 * at the exit.
 */
function openStandardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, minLength: 4_096, sync: true })
  let isWaiting = false
  const writeAll = () => {
    isWaiting = false
    output.flush()
  }
  process.once('exit', writeAll)
  return {
    write(line: string) {
      output.write(line)
      if (isWaiting) return
      isWaiting = true
      setTimeout(writeAll, WAIT_MS)
    },
  }
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
