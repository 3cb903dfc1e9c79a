import tab from '@bomb.sh/tab/commander'
import { Command } from 'commander'
import { addClock } from './clock.ts'
import { addLogin } from './credentials/login.ts'
import { addListen } from './follow/listen.ts'
import { addLogs } from './follow/logs.ts'
import { type Io, widthOf } from './io.ts'
import { addOpen } from './open.ts'
import { addOperations } from './operations/commands.ts'
import { painterOf } from './output/style.ts'
import { addTrigger } from './trigger/trigger.ts'
import { VERSION } from './version.ts'

const afterHelp = ({ command }: Io) => `
Examples:
  ${command} login
  ${command} listen --forward-to http://127.0.0.1:4000/webhooks
  ${command} trigger transaction.captured
  ${command} invoices create --name "Order 1" --amount 29.00 --currency EUR
  ${command} invoices list --filter status:authorized --json

@FILE as a value is what the file holds; @@joe is the text @joe.

HOLDFAST_URL, HOLDFAST_PROJECT_ID and HOLDFAST_SECRET_KEY together take the
place of a login; NO_COLOR switches colours off. Exit codes: 0 done, 1 refused,
2 wrong command line, 3 declined or its customer has to act, 4 no answer.`

/** Of a single command what it does, since its name alone says too little; of several their names. */
function aboutGroup({ commands }: Command): string {
  const [first, ...others] = commands
  if (first === undefined || others.length > 0) return commands.map((command) => command.name()).join(', ')
  return `${first.name()}: ${first.description()}`
}

/** Every command. */
export function createProgram(io: Io): Command {
  const paint = painterOf(io.stdout)
  const program = new Command('holdfast')
    .description('Holdfast at the terminal: payments, events and webhooks of a project.')
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      getOutHelpWidth: () => widthOf(io),
      outputError: (text, write) => write(text.replace(/^error: /, `${painterOf(io.stderr)('red', 'Error:')} `)),
    })
    .configureHelp({ styleTitle: (text) => paint('bold', text), minWidthToWrap: 30 })
    .helpCommand(false)
    .showHelpAfterError('Run it with --help to see what it takes.')
    .addHelpText('after', afterHelp(io))
    .commandsGroup('At your desk:')
  addLogin(program, io)
  addListen(program, io)
  addTrigger(program, io)
  addLogs(program, io)
  addClock(program, io)
  addOpen(program, io)
  program.commandsGroup('Every operation of the interface:')
  addOperations(program, io)
  for (const group of program.commands.filter(({ commands }) => commands.length > 0))
    group.description(aboutGroup(group))
  program.commandsGroup('Your shell:')
  tab(program, { completionCommandName: 'completion' })
  return program
}
