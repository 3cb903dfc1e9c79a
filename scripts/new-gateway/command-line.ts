import {
  createProgram,
  type ExitCode,
  runProgram,
  type Terminal,
  UsageError,
} from '../../src/processes/command-line.ts'
import { writeGateway } from './write-gateway.ts'

const ABOUT = `Begins the adapter of a gateway: src/gateways/NAME, stand-ins/NAME with a gateway to try it on, and test/gateways/NAME \
with the conformance suite that it has to pass. All type-check; the suite fails until the adapter is written, because what is not written is unknown, never a success. \
Nothing that is there is overwritten. docs/gateways.md is the tutorial.`

/** Part of addresses of the interface and of folders, and a word of a column. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const NAME_LENGTH_MAX = 40

/** What becomes part of comments and of the names of tests. */
const TITLE = /^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,59}$/u

/** Folders of `src/gateways` that are no gateway, and the placeholder itself. */
const RESERVED: ReadonlySet<string> = new Set(['guard', 'contract', 'placeholder'])

/**
 * Begins the adapter that the arguments name, and tells what to do next.
 *
 * @param project the root of the project.
 */
export async function runCommandLine(args: readonly string[], project: string, terminal: Terminal): Promise<ExitCode> {
  const program = createProgram('new:gateway', terminal)
    .description(ABOUT)
    .argument('<name>', 'small letters, digits and single hyphens, such as acme or acme-pay')
    .option('--title <text>', 'how people write it, such as "Acme Pay"; made of the name where it is absent')
    .action(async (name: string, { title }: { title?: string }) => terminal.say(await begin(project, name, title)))
  return runProgram(program, args, terminal)
}

async function begin(project: string, name: string, title = titleOf(name)): Promise<string> {
  if (!NAME.test(name) || name.length > NAME_LENGTH_MAX)
    throw new UsageError(`"${name}" is no name: small letters, digits and single hyphens, ${NAME_LENGTH_MAX} at most.`)
  if (RESERVED.has(name)) throw new UsageError(`"${name}" is a folder of the adapters' own; choose another name.`)
  if (!TITLE.test(title)) throw new UsageError('--title takes letters, digits, blanks and . & - only, 60 at most.')
  const { files, names } = await writeGateway({ project, name, title })
  return `Made, each unless it is written unknown or refused:
${files.map((file) => `  ${file}`).join('\n')}

Next:
  npm test -- test/gateways/${name}     fails until the adapter is written; docs/gateways.md goes through it
  npm run fix                           puts lines into order that a long name has made too long
When it passes, let the service know it:
  src/gateways/installed.ts     import { ${names.constant} } from './${name}/account.ts', and add ${names.constant} to GATEWAYS
  src/processes/adapters.ts     import { create${names.pascal} } from '../gateways/${name}/adapter.ts', and add create${names.pascal}()
  src/gateways/notification-reader.ts
                                import { readNotification as readFrom${names.pascal} } from './${name}/notifications.ts',
                                and add ['${name}', readFrom${names.pascal}] to NOTIFICATION_READERS
  stand-ins/program.ts          import { start${names.pascal}StandIn } from './${name}/${name}.ts', and add it to STAND_INS`
}

function titleOf(name: string): string {
  return name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
}
