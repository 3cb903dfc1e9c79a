import { helpOf, readCommandLine } from '../command-line.ts'

export interface Options {
  /** Callers at once, where a ceiling is looked for. */
  concurrency: number
  repeats: number
  ceilingSeconds: number
  arrivalSeconds: number
  pairs: number
  /** How long dead endpoints collect events before the others' latencies count. */
  leadInSeconds: number
  pairSeconds: number
  /** What runs with dead endpoints are compared with: the same endpoints alive, with the same events, or without any. */
  beside: 'absent' | 'alive'
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed. */
  patienceSeconds: number
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  concurrency: ['16', 'callers at once, where deliveries per second are looked for'],
  repeats: ['3', 'how often ceiling and arrival are measured; the median counts'],
  'ceiling-seconds': ['6', 'length of each run at the ceiling'],
  'arrival-seconds': ['15', 'length of each run at a quarter of the ceiling'],
  pairs: ['5', 'paired runs with and without dead endpoints'],
  'lead-in-seconds': ['8', 'how long dead endpoints collect events before anything counts'],
  'pair-seconds': ['40', 'length of what counts of each of them, in two halves; 160 for a steadier p99'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const TEXTS = {
  beside: ['alive', 'compare dead endpoints with the same ones alive, or with none (absent)'],
  out: ['bench/results/webhooks.json', 'where the JSON file goes'],
} as const

export const HELP = helpOf(
  'bench:webhooks',
  `Measures webhooks on PostgreSQL and Temporal of its own, beside the start of an empty
workflow on the same server. Takes about eleven minutes and wants the machine to itself.`,
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
  const beside = text('beside')
  if (beside !== 'absent' && beside !== 'alive') throw new Error('--beside takes alive or absent.')
  return {
    beside,
    concurrency: number('concurrency'),
    repeats: number('repeats'),
    ceilingSeconds: number('ceiling-seconds'),
    arrivalSeconds: number('arrival-seconds'),
    pairs: number('pairs'),
    leadInSeconds: number('lead-in-seconds'),
    pairSeconds: number('pair-seconds'),
    patienceSeconds: number('patience-seconds'),
    out: text('out'),
  }
}
