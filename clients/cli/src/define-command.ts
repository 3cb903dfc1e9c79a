import type { Command } from 'commander'

interface Description {
  /** What it does, in a few words. */
  summary: string
  /** What there is to know beyond that; shown by `--help`. */
  details?: string
  examples: readonly string[]
}

/** A command with what all have: `--json`, and examples in its help. */
export function defineCommand(parent: Command, usage: string, { summary, details, examples }: Description): Command {
  const shown = examples.map((example) => `  ${example}`).join('\n')
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
