import { type ParseArgsConfig, parseArgs } from 'node:util'
import { withoutSecrets } from '../../domain/secret-text.ts'

/** Options of a command, as `parseArgs` of Node describes them. */
export type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** What was given for the options of a command, by their names. */
type ValuesOf<Options extends CommandOptions> = ReturnType<typeof parseArgs<{ options: Options }>>['values']

/** What a command gets beside its operands. */
export interface AdminContext<Options extends CommandOptions> {
  say: (line: string) => void
  /** Of the options that were given. */
  values: ValuesOf<Options>
  /** Who acts, for the audit log. */
  actor: string
}

interface CommandDefinition<Options extends CommandOptions> {
  /** The two words that it is called by. */
  name: string
  /** What follows the name, as a person reads it: `PROJECT_ID live|sandbox [--name TEXT]`; empty for nothing. */
  usage: string
  /** What it does, in one line. */
  summary: string
  /** What there is to know beyond that; shown by `--help` behind the command. */
  details?: string
  /** How many operands it takes. */
  operands: { min: number; max: number }
  options?: Options
  /** @throws StartupError with a sentence for the operator where it cannot be done; nothing is changed then. */
  run(operands: readonly string[], context: AdminContext<Options>): Promise<void>
}

/** One thing that an operator can do. */
export interface AdminCommand extends Pick<CommandDefinition<never>, 'name' | 'usage' | 'summary' | 'details'> {
  /**
   * Does it with the arguments that follow the name; `--help` among them only explains it.
   *
   * @throws UsageError where they are not what the command takes.
   */
  runWith(args: readonly string[], context: Omit<AdminContext<CommandOptions>, 'values'>): Promise<void>
}

/** Long enough for a sentence and the number of a case; it is kept in the audit log and in histories. */
const REASON_LENGTH_MAX = 200

/** For a command that somebody must be able to explain later. */
export const REASON_OPTION = { reason: { type: 'string' } } as const satisfies CommandOptions

/**
 * The reason that was given. Card numbers and secrets in it are masked, since many people may read it.
 *
 * @throws UsageError where it is missing or too long.
 */
export function reasonIn({ reason = '' }: { reason?: string | undefined }): string {
  const given = reason.trim()
  if (given === '' || given.length > REASON_LENGTH_MAX)
    throw new UsageError(`Say why with --reason TEXT, in ${REASON_LENGTH_MAX} characters at most.`)
  return withoutSecrets(given)
}

/** The command line cannot be read; nothing was done. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Makes a command, with its options known to `run` by their types.
 *
 * @example
 * defineCommand({
 *   name: 'keys create',
 *   usage: 'PROJECT_ID live|sandbox [--name TEXT]',
 *   summary: 'Makes a secret key.',
 *   operands: { min: 2, max: 2 },
 *   options: { name: { type: 'string' } },
 *   run: async ([projectId = '', environment = ''], { values: { name } }) => { … },
 * })
 */
export function defineCommand<const Options extends CommandOptions = Record<never, never>>(
  definition: CommandDefinition<Options>,
): AdminCommand {
  const { name, usage, summary, details, operands, options, run } = definition
  const wrong = (problem: string) => new UsageError(`${problem}\n\nUsage: npm run admin -- ${name} ${usage}`.trimEnd())
  return {
    name,
    usage,
    summary,
    ...(details !== undefined && { details }),
    async runWith(args, context) {
      const parsed = parse(args, options, wrong)
      if (parsed.values.help === true) {
        context.say(explain(definition))
        return
      }
      const given = parsed.positionals.length
      if (given < operands.min || given > operands.max)
        throw wrong(`"${name}" takes ${counted(operands)}, not ${given}.`)
      await run(parsed.positionals, { ...context, values: parsed.values as ValuesOf<Options> })
    },
  }
}

function parse(args: readonly string[], options: CommandOptions | undefined, wrong: (problem: string) => UsageError) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    })
  } catch (error) {
    throw wrong((error as Error).message)
  }
}

function explain({
  name,
  usage,
  summary,
  details,
}: Pick<AdminCommand, 'name' | 'usage' | 'summary' | 'details'>): string {
  return (
    `Usage: npm run admin -- ${name} ${usage}`.trimEnd() +
    `\n\n${summary}${details === undefined ? '' : `\n${details}`}`
  )
}

function counted({ min, max }: { min: number; max: number }): string {
  if (max === 0) return 'no operands'
  const most = `${max} operand${max === 1 ? '' : 's'}`
  return min === max ? most : `${min} to ${most}`
}
