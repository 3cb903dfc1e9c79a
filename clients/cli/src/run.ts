import { CommanderError } from 'commander'
import { HoldfastError } from '../../node/src/index.ts'
import { CannotError, EXIT, UsageError } from './failures.ts'
import { type Io, remark } from './io.ts'
import { errorOf, exitCodeOf, explain } from './output/explain.ts'
import { jsonOf } from './output/show.ts'
import { painterOf } from './output/style.ts'
import { createProgram } from './program.ts'

/**
 * Runs the command that the arguments name.
 *
 * @returns how it ended, as the shell is told.
 * @throws what is a defect of the command line.
 */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (io.signal.aborted || (error as Error).name === 'AbortError') return EXIT.interrupted
    // Commander has printed it.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    return tell(error, args.includes('--json'), io)
  }
}

function tell(error: unknown, asJson: boolean, io: Io): number {
  if (error instanceof HoldfastError) {
    remark(io, asJson ? jsonOf(errorOf(error)) : explain(error, io))
    return exitCodeOf(error)
  }
  const isUsage = error instanceof UsageError
  if (!isUsage && !(error instanceof CannotError)) throw error
  const { name, message } = error
  remark(io, asJson ? jsonOf({ error: name, message }) : `${painterOf(io.stderr)('red', 'Error:')} ${message}`)
  return isUsage ? EXIT.usage : EXIT.refused
}
