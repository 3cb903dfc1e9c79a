import { helpOf, readCommandLine } from '../command-line.ts'

export interface Options {
  repeats: number
  /** How long each repeat decides, and how long its floor loops. */
  seconds: number
  rules: number
  gateways: number
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed. */
  patienceSeconds: number
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  repeats: ['3', 'how often everything is measured; the median counts'],
  seconds: ['2', 'length of each run'],
  rules: ['100', 'rules in the set'],
  gateways: ['10', 'gateway configurations of the project'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const TEXTS = { out: ['bench/results/routing.json', 'where the JSON file goes'] } as const

export const HELP = helpOf(
  'bench:routing',
  `Measures routing decisions on one core, beside a loop that only reads what they look at.
Needs no servers and takes about half a minute.`,
  { ...NUMBERS, ...TEXTS },
)

/**
 * Reads the command line; null where help is asked for.
 *
 * @throws Error naming what cannot be read.
 */
export function readOptions(args: readonly string[]): Options | null {
  const given = readCommandLine(args, NUMBERS, TEXTS)
  if (given === null) return null
  const { number, text } = given
  return {
    repeats: number('repeats'),
    seconds: number('seconds'),
    rules: number('rules'),
    gateways: number('gateways'),
    patienceSeconds: number('patience-seconds'),
    out: text('out'),
  }
}
