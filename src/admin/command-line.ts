import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { type Command, Help } from 'commander'
import { createProgram, type ExitCode, runProgram, type Terminal } from '../processes/command-line.ts'
import type { AdminCommand } from './command.ts'
import { COMMANDS } from './commands.ts'

const MANIFEST = new URL('../../package.json', import.meta.url)

const NOTES = `
COMMAND --help tells more about one of them. Beside a running npm start on the default DATA_DIR nothing needs to be set, on
another DATA_DIR that. Otherwise DATABASE_URL is needed, TEMPORAL_ADDRESS to resolve and acknowledge payments, to retire keys and for
workers, and the keys of the service to make a project or a key, to recover books, and for all of that but workers: in the
environment, or in DATA_DIR/keys.json.

Exit codes: 0 done, 1 it could not be done, 2 the command line was wrong. Nothing is changed unless it ends with 0;
encryption-keys rotate, encryption-keys retire and books recover go on where they were when they are run again.`

/** Runs the command that the arguments name, and tells what became of it. */
export function runCommandLine(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const list = COMMANDS.map(
    ({ name, operands = '', summary }) => `  ${`${name} ${operands}`.trimEnd()}\n      ${summary}`,
  )
  const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }
  const program = createProgram('admin', terminal)
    .version(version, '--version', 'tells the version of the service')
    .helpCommand('help [subject]')
    // The list below names every command; commander looks for the nearest one among those that it shows.
    .configureHelp({ formatHelp: withoutSubjects })
    .addHelpText('after', `\n${list.join('\n')}\n${NOTES}`)
  for (const command of COMMANDS) addCommand(program, command, terminal)
  return runProgram(program, args, terminal)
}

function withoutSubjects(command: Command, help: Help): string {
  const shown = Object.create(help) as Help
  if (command.parent === null) shown.visibleCommands = () => []
  return Help.prototype.formatHelp.call(shown, command, shown)
}

function addCommand(program: Command, definition: AdminCommand, { say }: Terminal): void {
  const { name, operands, options = [], summary, details = '' } = definition
  const [subject = '', verb = ''] = name.split(' ')
  const known = program.commands.find((group) => group.name() === subject)
  const group = known ?? program.command(subject).helpCommand(false)
  const command = group.command(verb).summary(summary).description(`${summary}\n${details}`.trimEnd())
  command.showHelpAfterError(`npm run admin -- ${name} --help tells what it takes.`)
  if (operands !== undefined) command.arguments(operands)
  for (const [flags, about, read] of options) {
    if (read === undefined) command.option(flags, about)
    else command.option(flags, about, read)
  }
  const actor = `operator:${operatorName()}`
  command.action(() => definition.run(command.args, { say, actor, values: command.opts() as never }))
}

/** Of the account that runs the command; in a container it may have a number only. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}
