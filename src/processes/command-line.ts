import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { explain } from './run-process.ts'

/** Where a command writes to, a line at a time. */
export interface Terminal {
  say(line: string): void
  complain(line: string): void
}

export const TERMINAL: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
}

/** How a command ends, as the shell is told: done, could not be done, the command line was wrong. */
export type ExitCode = 0 | 1 | 2

/** The command line cannot be read, beyond what commander finds by itself; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** A command of this project, `npm run NAME`, that throws in place of ending the process. */
export function createProgram(name: string, { say, complain }: Terminal): Command {
  return new Command(`npm run ${name} --`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => say(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
      getOutHelpWidth: () => 120,
      getErrHelpWidth: () => 120,
    })
    .helpCommand(false)
    .showHelpAfterError(`npm run ${name} -- --help tells what it takes.`)
}

const carryOn = () => undefined

/** Runs the program, and says what went wrong. */
export async function runProgram(program: Command, args: readonly string[], { complain }: Terminal): Promise<ExitCode> {
  // Whoever reads may go away first, as `head` does; what was begun is done to its end all the same.
  for (const stream of [process.stdout, process.stderr]) stream.off('error', carryOn).on('error', carryOn)
  try {
    await program.parseAsync([...args], { from: 'user' })
    return 0
  } catch (error) {
    // Commander has said what it finds wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    complain(error instanceof UsageError ? error.message : explain(error))
    return error instanceof UsageError ? 2 : 1
  }
}

/**
 * Runs `npm run NAME`, which takes nothing but --help; whatever else is given is refused before anything is done.
 *
 * @returns how it ends, where `run` does not end the process.
 */
export function runWithoutOptions(
  { name, about, run }: { name: string; about: string; run: () => Promise<unknown> },
  args: readonly string[] = process.argv.slice(2),
  terminal = TERMINAL,
): Promise<ExitCode> {
  const program = createProgram(name, terminal).description(about)
  return runProgram(
    program.action(async () => void (await run())),
    args,
    terminal,
  )
}

/** Reads the number of an option. */
export function numberFrom(least: number, most = Number.MAX_SAFE_INTEGER, { whole = true } = {}) {
  return (text: string): number => {
    const value = Number(text)
    const isOne = text.trim() !== '' && value >= least && value <= most && (Number.isInteger(value) || !whole)
    if (isOne) return value
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`
    throw new InvalidArgumentError(`It takes a ${whole ? 'whole ' : ''}number, ${range}.`)
  }
}
