import { type Command, InvalidArgumentError } from 'commander'
import { createProgram, numberFrom, type Terminal } from '../src/processes/command-line.ts'
import type { Options, Part } from './part.ts'

const ABOUT = `Measures Holdfast beside the floor of Temporal: a bare update-with-start, on the same server. Each part runs on servers \
of its own and checks the books of all sides before a figure counts. It wants the machine to itself.`

/** The command line of the bench, given the parts that there are. */
export function benchProgram(
  parts: readonly Pick<Part, 'name' | 'about'>[],
  terminal: Terminal,
  run: (options: Options) => Promise<unknown>,
): Command {
  const known = parts.map(({ name }) => name)
  const width = Math.max(...known.map(({ length }) => length))
  const list = parts.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')
  const program = createProgram('bench', terminal)
  return program
    .description(ABOUT)
    .option('--parts <names>', 'parts, separated by commas (all)', (text) => partsIn(text, known), null)
    .option('--repeats <n>', 'how often each figure is measured; the median counts', numberFrom(1), 3)
    .option('--patience-seconds <n>', 'of each part, to wait for other programs and measure again', numberFrom(0), 30)
    .option('--waiting <n>', 'payments that wait in the part of that name', numberFrom(1), 100_000)
    .option('--full', "Temporal's server on PostgreSQL in place of the embedded one", false)
    .option('--quick', 'small sizes and short runs, to see that it works', false)
    .option(
      '--out <file>',
      'where the JSON file goes, with the logs of the parts beside it',
      'bench/results/bench.json',
    )
    .addHelpText('after', `\nParts:\n${list}`)
    .action(async (options: Options) => void (await run(options)))
}

function partsIn(text: string, known: readonly string[]): string[] {
  const names = text.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return names
}
