import { userInfo } from 'node:os'
import { explain } from '../../src/processes/run-process.ts'
import { type AdminCommand, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'

const HELP = `Usage: npm run admin -- COMMAND

${listOf(COMMANDS)}

COMMAND --help tells more about one of them. Beside a running npm start on the default DATA_DIR nothing needs to be set, on
another DATA_DIR that. Otherwise DATABASE_URL is needed, TEMPORAL_ADDRESS to resolve and acknowledge payments, to retire keys and for
workers, and the keys of the service to make a project or a key and for all of that but workers: in the environment, or in
DATA_DIR/keys.json.

Exit codes: 0 done, 1 it could not be done, 2 the command line was wrong. Nothing is changed unless it ends with 0;
keys rotate and keys retire go on where they were when they are run again.`

const ONE_COMMAND = 'COMMAND --help tells more about one of them.'

/** How a command ends: as the shell is told. */
export type ExitCode = 0 | 1 | 2

/** Where a command writes to, a line at a time. */
export interface Terminal {
  say: (line: string) => void
  complain: (line: string) => void
}

/** Runs the command that the arguments name, and tells what became of it. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await run(args, terminal.say)
    return 0
  } catch (error) {
    terminal.complain(error instanceof UsageError ? error.message : explain(error))
    return error instanceof UsageError ? 2 : 1
  }
}

async function run([subject, verb = '', ...args]: readonly string[], say: (line: string) => void) {
  if (subject === undefined) throw new UsageError(HELP)
  if (isHelp(subject)) return say(HELP)
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${subject} `))
  if (isHelp(verb) && group.length > 0)
    return say(`Usage: npm run admin -- ${subject} COMMAND\n\n${listOf(group)}\n\n${ONE_COMMAND}`)
  const command = COMMANDS.find(({ name }) => name === `${subject} ${verb}`)
  if (command === undefined) throw new UsageError(`There is no command "${`${subject} ${verb}`.trimEnd()}".\n\n${HELP}`)
  await command.runWith(args, { say, actor: `operator:${operatorName()}` })
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h'
}

function listOf(commands: readonly AdminCommand[]): string {
  return commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.trimEnd()}\n      ${summary}`).join('\n')
}

/** Of the account that runs the command; in a container it may have a number only. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
