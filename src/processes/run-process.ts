import { ConfigurationError } from '../config.ts'
import { redactText } from '../http/request-log/redaction.ts'
import { loggableDatabaseError } from '../persistence/database-error.ts'
import { createShutdown, type Report, type Shutdown } from '../shutdown.ts'
import { StartupError } from '../startup-error.ts'

interface RunProcessOptions {
  /** Is told why and how the process ends; by default the person at the terminal. */
  report?: Report
  /** It ends by itself: that it has stopped would be read as said of the service beside it. */
  isTask?: boolean
}

/**
 * Runs one process of the service from its start to its exit: exit code 0 after a stop that was asked for, 1 after a
 * failure. What was added to the shutdown is stopped in either case.
 */
export async function runProcess(
  start: (shutdown: Shutdown) => Promise<void>,
  { report = (line) => say(line), isTask = false }: RunProcessOptions = {},
): Promise<never> {
  const shutdown = createShutdown(report)
  // The terminal may go away first; that is no reason to leave servers behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => shutdown.request(`Stopping because of a defect: ${explain(error)}`, 1))
  }
  const started = start(shutdown).catch((error: unknown) => shutdown.request(explain(error), 1))
  // What is starting gives up by itself; stopping before that would miss what it has begun.
  shutdown.onRequest(() => started)
  const exitCode = await shutdown.finished()
  if (!isTask) report('Stopped', 'info')
  process.exit(exitCode)
}

/** A line for the person at the terminal; logs are for machines and go through the logger. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/**
 * One sentence for what a person can act on, the stack for what is a defect; without the row that a database error
 * repeats, and without card numbers and secrets, since terminals are kept in logs like everything else.
 */
export function explain(error: unknown): string {
  if (error instanceof StartupError || error instanceof ConfigurationError) return redactText(error.message)
  if (!(error instanceof Error)) return redactText(String(error))
  const refused = loggableDatabaseError(error)
  if (refused === null) return redactText(error.stack ?? error.message)
  const where = [refused.code, refused.table, refused.constraint].filter((word) => word !== undefined).join(', ')
  return `${refused.type} (${where})\n${refused.stack}`
}
