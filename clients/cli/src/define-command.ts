import type { Command } from 'commander'
import type { Io } from './io.ts'

interface Description {
  /** What it does, in a few words. */
  summary: string
  /** What there is to know beyond that; shown by `--help`. */
  details?: string
  /** Without the word by which the command line is called. */
  examples: readonly string[]
}

/** The forms of a condition of a list; the service names its fields. */
export const FILTER_WORDS = 'field:value, or of numbers and instants "field>=value" or "field<value"; all must hold'

/** A command with what all have: `--json`, and examples in its help. */
export function defineCommand(
  { command }: Io,
  parent: Command,
  usage: string,
  { summary, details, examples }: Description,
): Command {
  const shown = examples.map((example) => `  ${command} ${example}`).join('\n')
  return parent
    .command(usage)
    .description(summary)
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', `${details === undefined ? '' : `\n${details}\n`}\nExamples:\n${shown}`)
}

/** The group of commands of this name. */
export function groupOf(parent: Command, name: string): Command {
  return parent.commands.find((command) => command.name() === name) ?? parent.command(name).helpCommand(false)
}
