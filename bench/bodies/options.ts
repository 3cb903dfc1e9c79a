import { helpOf, readCommandLine } from '../command-line.ts'

export interface Options {
  /** How often the worst are measured. */
  repeats: number
  /** How many of each route are measured again, and how long the table is for each. */
  worst: number
  /** Only routes whose method and path contain this. */
  only: string
}

const NUMBERS = {
  repeats: ['10', 'how often the worst requests are measured; the mean of each counts'],
  worst: ['3', 'requests of each route that are measured again'],
} as const

const TEXTS = { only: ['', 'only routes whose method and path contain this'] } as const

export const HELP = helpOf(
  'bench:bodies',
  `Sends every route the bodies and queries that are hardest to read, within its limits, and tells how long each keeps
the process busy. Ends with 1 where one takes more than 20 ms. Takes some minutes.`,
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
  return { repeats: given.number('repeats'), worst: given.number('worst'), only: given.text('only') }
}
