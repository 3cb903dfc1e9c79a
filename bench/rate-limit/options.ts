import { helpOf, readCommandLine } from '../command-line.ts'

export interface Options {
  /** Processes that share the bucket. */
  processes: number
  /** Requests under way at once in each of them. */
  concurrency: number
  repeats: number
  /** Length of each run that is measured. */
  runSeconds: number
  /** Requests a minute, while processes are killed. */
  limit: number
  /** How long processes are killed. */
  killSeconds: number
  /** For the choice of whom to kill, and when. */
  seed: number
  /** For waiting until other programs are quiet, and for measuring again what they have disturbed. */
  patienceSeconds: number
  /** Where the JSON file goes. */
  out: string
}

const NUMBERS = {
  processes: ['8', 'processes that share one bucket'],
  concurrency: ['4', 'requests under way at once in each of them'],
  repeats: ['3', 'how often each cost is measured; the median counts'],
  'run-seconds': ['2', 'length of each run that is measured'],
  limit: ['1200', 'requests a minute, while processes are killed'],
  'kill-seconds': ['20', 'how long processes are killed'],
  seed: ['1', 'for the choice of whom to kill, and when'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const TEXTS = { out: ['bench/results/rate-limit.json', 'where the JSON file goes'] } as const

export const HELP = helpOf(
  'bench:rate-limit',
  `Measures what the limiter costs a request, beside a statement that does nothing; then has
processes share one bucket while they are killed at random, and fails if any window of time
admitted more than L + L·t/60 + 1. Has a PostgreSQL of its own; takes about two minutes.`,
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
    processes: number('processes'),
    concurrency: number('concurrency'),
    repeats: number('repeats'),
    runSeconds: number('run-seconds'),
    limit: number('limit'),
    killSeconds: number('kill-seconds'),
    seed: number('seed'),
    patienceSeconds: number('patience-seconds'),
    out: text('out'),
  }
}
