import { helpOf, readCommandLine } from '../command-line.ts'
import type { Part } from '../parts/part.ts'

export interface Options {
  /** Names, in the order in which they run; null for all. */
  parts: string[] | null
  repeats: number
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed; of each part. */
  patienceSeconds: number
  /** How many payments wait in the part of that name. */
  waiting: number
  full: boolean
  quick: boolean
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  repeats: ['3', 'how often each figure is measured; the median counts'],
  'patience-seconds': ['30', 'of each part, to wait for other programs and measure again what they disturb'],
  waiting: ['100000', 'payments that wait in the part of that name; making 2,000 takes a minute or so'],
} as const

const TEXTS = {
  parts: ['all', 'names, separated by commas'],
  out: ['bench/results/bench.json', 'where the JSON file goes, with the logs of the parts beside it'],
} as const

const FLAGS = {
  full: ['', "Temporal's server on PostgreSQL in place of the embedded one"],
  quick: ['', 'small sizes and short runs, to see that it works'],
} as const

/** What `--help` prints, given the parts there are. */
export function helpOn(parts: readonly Pick<Part, 'name' | 'about'>[]): string {
  const width = Math.max(...parts.map(({ name }) => name.length))
  const list = parts.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')
  return helpOf(
    'bench',
    `Measures Holdfast beside the floor of Temporal: a bare update-with-start, on the same server. Each part
runs on servers of its own and checks the books of all sides before a figure counts. It wants the machine
to itself. The parts:

${list}`,
    { ...TEXTS, ...NUMBERS, ...FLAGS },
  )
}

/**
 * Reads the command line; null where help is asked for.
 *
 * @throws Error naming what cannot be read, or a part that there is not.
 */
export function readOptions(args: readonly string[], known: readonly string[]): Options | null {
  const given = readCommandLine(args, NUMBERS, TEXTS, FLAGS)
  if (given === null) return null
  const { number, text, flag } = given
  const parts = text('parts') === 'all' ? null : text('parts').split(',')
  const unknown = (parts ?? []).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  return {
    parts,
    repeats: number('repeats'),
    patienceSeconds: number('patience-seconds'),
    waiting: number('waiting'),
    full: flag('full'),
    quick: flag('quick'),
    out: text('out'),
  }
}
