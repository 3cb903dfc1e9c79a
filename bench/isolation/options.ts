import { helpOf, readCommandLine } from '../command-line.ts'

export interface Options {
  /** Payments a second to the gateway that is well. */
  rate: number
  /** Payments a second to the gateway that hangs. */
  hangingRate: number
  /** Its customers at once; who comes while so many wait, goes again. */
  hangingClients: number
  pairs: number
  /** How long payments run before their latencies count. */
  leadInSeconds: number
  runSeconds: number
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed. */
  patienceSeconds: number
  /** Whether anything keeps the one gateway from the other. */
  guard: boolean
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  rate: ['5', 'payments a second to the gateway that is well'],
  'hanging-rate': ['1', 'payments a second to the one that hangs; 15 of them wait at once then'],
  'hanging-clients': ['100', 'how many of those wait at once, at most'],
  pairs: ['5', 'paired runs with and without the hanging gateway; the median counts'],
  'lead-in-seconds': ['3', 'how long payments run before anything counts'],
  'run-seconds': ['45', 'length of what counts of each of them'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const TEXTS = {
  guard: ['on', 'off leaves out the limits and circuit breakers, to see what they are for'],
  out: ['bench/results/isolation.json', 'where the JSON file goes'],
} as const

export const HELP = helpOf(
  'bench:isolation',
  `Measures payments at one gateway while another hangs for 15 s on every call, and while nothing
is asked of it, on PostgreSQL and Temporal of its own. Takes about twelve minutes and wants the
machine to itself.`,
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
  const guard = text('guard')
  if (guard !== 'on' && guard !== 'off') throw new Error('--guard takes on or off.')
  return {
    rate: number('rate'),
    hangingRate: number('hanging-rate'),
    hangingClients: number('hanging-clients'),
    pairs: number('pairs'),
    leadInSeconds: number('lead-in-seconds'),
    runSeconds: number('run-seconds'),
    patienceSeconds: number('patience-seconds'),
    guard: guard === 'on',
    out: text('out'),
  }
}
