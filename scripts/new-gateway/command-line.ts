import { parseArgs } from 'node:util'
import { NameTaken, writeGateway } from './write-gateway.ts'

const HELP = `Usage: npm run new:gateway -- NAME [--title TEXT]

Begins the adapter of a gateway: src/gateways/NAME, and test/gateways/NAME with the conformance suite that it has to pass. Both
type-check; the suite fails until the adapter is written, because what is not written is unknown, never a success.

  NAME            small letters, digits and single hyphens, such as acme or acme-pay
  --title TEXT    how people write it, such as "Acme Pay"; made of NAME where it is absent
  --help          this text

Nothing that is there is overwritten. Exit codes: 0 done, 1 it could not be done, 2 the command line was wrong.
docs/gateways.md is the tutorial.`

/** Part of addresses of the interface and of folders, and a word of a column. */
const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const NAME_LENGTH_MAX = 40

/** What becomes part of comments and of the names of tests. */
const TITLE = /^[\p{L}\p{N}][\p{L}\p{N} .&-]{0,59}$/u

/** Folders of `src/gateways` that are no gateway, and the placeholder itself. */
const RESERVED: ReadonlySet<string> = new Set(['guard', 'contract', 'placeholder'])

class UsageError extends Error {}

export interface Terminal {
  /** The root of the project. */
  project: string
  say(line: string): void
  complain(line: string): void
}

/** Begins the adapter that the arguments name, and tells what to do next; answers with the exit code. */
export async function runCommandLine(
  args: readonly string[],
  { project, say, complain }: Terminal,
): Promise<0 | 1 | 2> {
  try {
    const wanted = readArguments(args)
    if (wanted === null) {
      say(HELP)
      return 0
    }
    const { name, title } = wanted
    const { files, names } = await writeGateway({ project, name, title })
    say(`Made, each unless it is written unknown or refused:\n${files.map((file) => `  ${file}`).join('\n')}

Next:
  npm test -- test/gateways/${name}     fails until the adapter is written; docs/gateways.md goes through it
  npm run fix                           puts lines into order that a long name has made too long
When it passes, let the service know it:
  src/gateways/installed.ts     import { ${names.constant} } from './${name}/account.ts', and add ${names.constant} to GATEWAYS
  src/processes/adapters.ts     import { create${names.pascal} } from '../gateways/${name}/adapter.ts', and add create${names.pascal}()
  src/gateways/notification-reader.ts
                                import { readNotification as readFrom${names.pascal} } from './${name}/notifications.ts',
                                and add ['${name}', readFrom${names.pascal}] to NOTIFICATION_READERS`)
    return 0
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error))
    return error instanceof UsageError || error instanceof NameTaken ? 2 : 1
  }
}

/** Null where help is asked for. */
function readArguments(args: readonly string[]): { name: string; title: string } | null {
  const { values, positionals } = parse(args)
  if (values.help === true) return null
  const [name, ...more] = positionals
  if (name === undefined) throw new UsageError(HELP)
  if (more.length > 0) throw wrong(`One name is taken, not ${positionals.length}.`)
  if (!NAME.test(name) || name.length > NAME_LENGTH_MAX)
    throw wrong(`"${name}" is no name: small letters, digits and single hyphens, ${NAME_LENGTH_MAX} at most.`)
  if (RESERVED.has(name)) throw wrong(`"${name}" is a folder of the adapters' own; choose another name.`)
  const title = values.title ?? titleOf(name)
  if (!TITLE.test(title)) throw wrong('--title takes letters, digits, blanks and . & - only, 60 at most.')
  return { name, title }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { title: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw wrong((error as Error).message)
  }
}

function titleOf(name: string): string {
  return name
    .split('-')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
}

function wrong(problem: string): UsageError {
  return new UsageError(`${problem}\n\nUsage: npm run new:gateway -- NAME [--title TEXT]`)
}
