import { type Command, InvalidArgumentError } from 'commander'
import { createProgram, numberFrom, type Terminal } from '../src/processes/command-line.ts'
import type { Options, Part } from './part.ts'

const ABOUT = `Measures Holdfast beside the least that Temporal takes for an answer, in the same run on the same servers. It checks \
the books of all sides before a figure counts, and wants the machine to itself.`

type Named = Pick<Part, 'name' | 'about' | 'isLong' | 'pieces'>

/** The command line of the bench, given the parts that there are. */
export function benchProgram(
  parts: readonly Named[],
  terminal: Terminal,
  run: (options: Options) => Promise<unknown>,
): Command {
  const known = parts.flatMap(({ name, pieces = [] }) => [name, ...pieces])
  const width = Math.max(...parts.map(({ name }) => name.length))
  const list = ({ name, about, pieces = [] }: Named) =>
    `  ${name.padEnd(width)}  ${about}${pieces.length > 0 ? ` Alone: ${pieces.join(', ')}.` : ''}`
  const text = (isLong: boolean) => parts.filter((part) => (part.isLong ?? false) === isLong).map(list)
  return createProgram('bench', terminal)
    .description(ABOUT)
    .option(
      '--only <names>',
      'parts, separated by commas (those of the ten minutes)',
      (names) => namesIn(names, known),
      null,
    )
    .option('--repeats <n>', 'how often each figure is measured; the median counts', numberFrom(1), 5)
    .option('--quick', 'small sizes, to see that it works', false)
    .option(
      '--out <file>',
      'where the JSON file goes, with the logs of the parts beside it',
      'bench/results/bench.json',
    )
    .addHelpText('after', ['\nParts:', ...text(false), 'Only where they are named:', ...text(true)].join('\n'))
    .action(async (options: Options) => void (await run(options)))
}

function namesIn(text: string, known: readonly string[]): string[] {
  const names = text.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return names
}

/** The parts that the options mean: by their names or that of a piece, else those of the ten minutes. */
export function chosenParts<P extends Named>(parts: readonly P[], { only }: Pick<Options, 'only'>): P[] {
  if (only === null) return parts.filter(({ isLong }) => isLong !== true)
  return parts.filter(({ name, pieces = [] }) => [name, ...pieces].some((one) => only.includes(one)))
}
