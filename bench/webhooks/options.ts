import { parseArgs } from 'node:util'

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
  'pair-seconds': ['40', 'length of what counts of each of them'],
  'patience-seconds': ['30', 'time to wait for other programs, and to measure again what they disturb'],
} as const

const BESIDE = ['alive', 'compare dead endpoints with the same ones alive, or with none (absent)'] as const
const OUT = ['bench/results/webhooks.json', 'where the JSON file goes'] as const

/** What `--help` prints. */
export const HELP = `npm run bench:webhooks -- [options]

Measures webhooks on PostgreSQL and Temporal of its own, beside the start of an empty
workflow on the same server. Takes about eleven minutes and wants the machine to itself.

${Object.entries({ ...NUMBERS, beside: BESIDE, out: OUT })
  .map(([name, [value, meaning]]) => `  --${name.padEnd(16)} ${meaning} (${value})`)
  .join('\n')}
  --help             this text
`

/**
 * Reads the command line; null where help is asked for.
 *
 * @throws Error naming what cannot be read.
 */
export function readOptions(args: readonly string[]): Options | null {
  const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[]
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' as const, default: NUMBERS[name][0] }])),
      beside: { type: 'string', default: BESIDE[0] },
      out: { type: 'string', default: OUT[0] },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help === true) return null
  const number = (name: keyof typeof NUMBERS) => {
    const value = Number((values as Record<string, unknown>)[name])
    if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name} takes a whole number above 0.`)
    return value
  }
  const { beside } = values
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
    out: String(values.out),
  }
}
