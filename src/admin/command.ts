import { withoutSecrets } from '../../domain/secret-text.ts'
import { UsageError } from '../processes/command-line.ts'

/** An option as commander reads it: its flags, what it is for, and what reads its value where that is no text. */
// biome-ignore lint/suspicious/noExplicitAny: what the option was before, which only its own reader knows.
type OptionDefinition = readonly [flags: string, about: string, read?: (text: string, before: any) => unknown]

/** What a command gets beside its operands. */
export interface AdminContext<Values> {
  say: (line: string) => void
  /** Of the options that were given. */
  values: Values
  /** Who acts, for the audit log. */
  actor: string
}

/** One thing that an operator can do. */
export interface AdminCommand<Values = never> {
  /** The two words that it is called by. */
  name: string
  /** Its operands, as commander reads them: `<PROJECT_ID> <live|sandbox>`; absent for none. */
  operands?: string
  options?: readonly OptionDefinition[]
  /** What it does, in one line. */
  summary: string
  /** What there is to know beyond that; shown by `--help` behind the command. */
  details?: string
  /** @throws StartupError with a sentence for the operator where it cannot be done; nothing is changed then. */
  run(operands: readonly string[], context: AdminContext<Values>): Promise<void>
}

/**
 * Makes a command; `Values` are those of its options, which are absent where they were not given.
 *
 * @example
 * defineCommand<{ name?: string }>({
 *   name: 'api-keys create',
 *   operands: '<PROJECT_ID> <live|sandbox>',
 *   options: [['--name <TEXT>', 'to tell it from others']],
 *   summary: 'Makes a secret key.',
 *   run: async ([projectId = '', environment = ''], { values: { name } }) => { … },
 * })
 */
export function defineCommand<Values = Record<never, never>>(definition: AdminCommand<Values>): AdminCommand {
  return definition as AdminCommand
}

/** Long enough for a sentence and the number of a case; it is kept in the audit log and in histories. */
const REASON_LENGTH_MAX = 200

/** For a command that somebody must be able to explain later. */
export const REASON_OPTION = ['--reason <TEXT>', 'why, for the audit log'] as const

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
